import type { ServiceProfile } from "../model/provider.js"
import type { TokenSet } from "../model/user.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { fetchJson, urlComponent, valueAt } from "../provider-kit/fetch-json.js"
import { icon } from "../provider-kit/generated/icons/wechat.js"

/** The profile that WeChat returns. */
export interface WeChatProfile extends ServiceProfile {
  readonly openid: string
  readonly unionid: string
  readonly nickname: string
  readonly headimgurl: string
}

export interface WeChatOptions {
  /** `"OfficialAccount"` inside the WeChat app, `"WebsiteApp"` for a QR code. @default "OfficialAccount" */
  readonly platformType?: "OfficialAccount" | "WebsiteApp"
}

/**
 * Sign in with WeChat, using OAuth 2.0.
 *
 * 1. Register an application at https://open.weixin.qq.com with the callback URL
 *    `https://<your site>/auth/callback/wechat` (`/api/auth/callback/wechat` with Next.js).
 * 2. Set `AUTH_WECHAT_ID` and `AUTH_WECHAT_SECRET`.
 *
 * The scope is `snsapi_userinfo`, or `snsapi_login` for `platformType: "WebsiteApp"`. The user gets a name and an
 * image, but no email.
 *
 * - The account id is the `unionid` if your application is bound to an Open Platform account, and the `openid`
 *   otherwise.
 *
 * @example
 * ```ts
 * import WeChat from "@latchkey/core/providers/wechat"
 * export const provider = WeChat()
 * ```
 * @see https://developers.weixin.qq.com/doc/oplatform/en/Website_App/WeChat_Login/Wechat_Login.html
 */
const WeChat: ProviderFactory<WeChatProfile, WeChatOptions, "wechat"> = defineProvider(
  ({ clientId, clientSecret, platformType = "OfficialAccount" }) => ({
    id: "wechat",
    name: "WeChat",
    type: "oauth",
    authorization: {
      url:
        platformType === "OfficialAccount"
          ? "https://open.weixin.qq.com/connect/oauth2/authorize#wechat_redirect"
          : "https://open.weixin.qq.com/connect/qrconnect#wechat_redirect",
      params: { appid: clientId, scope: platformType === "OfficialAccount" ? "snsapi_userinfo" : "snsapi_login" },
    },
    token: {
      url: "https://api.weixin.qq.com/sns/oauth2/access_token",
      params: { appid: clientId, secret: clientSecret },
      conform: readRefusal,
    },
    userinfo: {
      url: "https://api.weixin.qq.com/sns/userinfo",
      request: (context) =>
        fetchJson(context, withToken("https://api.weixin.qq.com/sns/userinfo", context.tokens), {
          headers: { authorization: undefined },
        }),
    },
    checks: ["state"],
    profile: ({ unionid, openid, nickname, headimgurl }) => ({
      id: unionid ?? openid,
      name: nickname,
      email: null,
      image: headimgurl,
    }),
    style: { brandColor: "#000", icon },
  }),
)

export default WeChat

function withToken(url: string, tokens: TokenSet): string {
  return `${url}?access_token=${urlComponent(tokens.access_token)}&openid=${urlComponent(tokens["openid"])}&lang=zh_CN`
}

/** WeChat sends errors with status 200 and an `errcode`. */
async function readRefusal(response: Response): Promise<Response | undefined> {
  const code = valueAt(await response.json().catch(() => undefined), "errcode")
  if (code === undefined || code === 0) return undefined
  return Response.json(
    { error: "invalid_request", error_description: `errcode ${urlComponent(code)}` },
    { status: 400 },
  )
}
