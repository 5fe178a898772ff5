import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { fetchJson } from "../provider-kit/fetch-json.js"

/** The signed-in person, as known to Tiltify. */
export interface TiltifyProfile extends RawProfile {
  readonly data: {
    readonly id: string
    readonly username: string
    readonly email?: string | null
    readonly avatar?: { readonly src?: string | null } | null
  }
}

/**
 * Sign-in with Tiltify, by OAuth 2.
 *
 * Set-up: register an application at Tiltify with the callback URL `https://<your site>/auth/callback/tiltify`
 * (`/api/auth/…` under Next.js), and set `AUTH_TILTIFY_ID` and `AUTH_TILTIFY_SECRET`.
 * Scope: `public`. The profile gives the name, the e-mail address and a picture.
 *
 * @example
 * ```ts
 * import Tiltify from "@latchkey/core/providers/tiltify"
 * export const provider = Tiltify()
 * ```
 * @see https://developers.tiltify.com/
 */
const Tiltify: ProviderFactory<TiltifyProfile> = defineProvider<TiltifyProfile>({
  id: "tiltify",
  name: "Tiltify",
  type: "oauth",
  authorization: { url: "https://v5api.tiltify.com/oauth/authorize", params: { scope: "public" } },
  token: "https://v5api.tiltify.com/oauth/token",
  userinfo: {
    url: "https://v5api.tiltify.com/api/public/current-user",
    request: (context) =>
      fetchJson(context, "https://v5api.tiltify.com/api/public/current-user", {
        headers: { "client-id": context.provider.clientId },
      }),
  },
  checks: ["state"],
  client: { token_endpoint_auth_method: "client_secret_post" },
  profile: ({ data }) => ({
    id: data.id,
    name: data.username,
    email: data.email ?? null,
    image: data.avatar?.src ?? null,
  }),
  style: { brandColor: "#0a0c33" },
})

export default Tiltify
