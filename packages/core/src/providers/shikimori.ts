import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { fetchJson } from "../provider-kit/fetch-json.js"
import { icon } from "../provider-kit/generated/icons/shikimori.js"

/** The profile that Shikimori returns. */
export interface ShikimoriProfile extends ServiceProfile {
  readonly id: number
  readonly nickname: string
  readonly avatar?: string | null
  readonly image?: { readonly x160?: string | null } | null
}

export interface ShikimoriOptions {
  /** The name your application is registered under. Shikimori requires it in the `User-Agent`. @default "latchkey" */
  readonly appName?: string
}

/**
 * Sign in with Shikimori, using OAuth 2.0.
 *
 * 1. Register an application at https://shikimori.one/oauth/applications with the callback URL
 *    `https://<your site>/auth/callback/shikimori` (`/api/auth/callback/shikimori` with Next.js).
 * 2. Set `AUTH_SHIKIMORI_ID` and `AUTH_SHIKIMORI_SECRET`.
 * 3. Set `appName` to the name of the application.
 *
 * The user gets a name and an image, but no email.
 *
 * - The service has moved between domains. For another one, set `authorization`, `token` and `userinfo`.
 *
 * @example
 * ```ts
 * import Shikimori from "@latchkey/core/providers/shikimori"
 * export const provider = Shikimori()
 * ```
 * @see https://shikimori.one/oauth
 */
const Shikimori: ProviderFactory<ShikimoriProfile, ShikimoriOptions, "shikimori"> = defineProvider(
  ({ appName = "latchkey" }) => ({
    id: "shikimori",
    name: "Shikimori",
    type: "oauth",
    authorization: "https://shikimori.one/oauth/authorize",
    token: "https://shikimori.one/oauth/token",
    userinfo: {
      url: "https://shikimori.one/api/users/whoami",
      request: (context) =>
        fetchJson(context, "https://shikimori.one/api/users/whoami", { headers: { "user-agent": appName } }),
    },
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    profile: ({ id, nickname, image, avatar }) => ({
      id: String(id),
      name: nickname,
      email: null,
      image: image?.x160 ?? avatar ?? null,
    }),
    style: { brandColor: "#343434", icon },
  }),
)

export default Shikimori
