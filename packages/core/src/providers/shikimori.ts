import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { fetchJson } from "../provider-kit/fetch-json.js"

/** The signed-in person, as known to Shikimori. */
export interface ShikimoriProfile extends RawProfile {
  readonly id: number
  readonly nickname: string
  readonly avatar?: string | null
  readonly image?: { readonly x160?: string | null } | null
}

export interface ShikimoriOptions {
  /** The name under which the application is registered; Shikimori wants it in each request. @default "latchkey" */
  readonly appName?: string
}

/**
 * Sign-in with Shikimori, by OAuth 2.
 *
 * Set-up: register an application at Shikimori with the callback URL `https://<your site>/auth/callback/shikimori`
 * (`/api/auth/…` under Next.js), and set `AUTH_SHIKIMORI_ID` and `AUTH_SHIKIMORI_SECRET`.
 * The profile gives the name and a picture, but no e-mail address.
 *
 * - The service has moved between domains: `authorization`, `token` and `userinfo` can be given.
 *
 * @example
 * ```ts
 * import Shikimori from "@latchkey/core/providers/shikimori"
 * export const provider = Shikimori()
 * ```
 * @see https://shikimori.one/oauth
 */
const Shikimori: ProviderFactory<ShikimoriProfile, ShikimoriOptions> = defineProvider<
  ShikimoriProfile,
  ShikimoriOptions
>(({ appName = "latchkey" }) => ({
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
  style: { brandColor: "#343434" },
}))

export default Shikimori
