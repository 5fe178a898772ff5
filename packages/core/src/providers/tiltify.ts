import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { fetchJson } from "../provider-kit/fetch-json.js"

/** The profile that Tiltify returns. */
export interface TiltifyProfile extends ServiceProfile {
  readonly data: {
    readonly id: string
    readonly username: string
    readonly email?: string | null
    readonly avatar?: { readonly src?: string | null } | null
  }
}

/**
 * Sign in with Tiltify, using OAuth 2.0.
 *
 * 1. Register an application at https://app.tiltify.com/developers with the callback URL
 *    `https://<your site>/auth/callback/tiltify` (`/api/auth/callback/tiltify` with Next.js).
 * 2. Set `AUTH_TILTIFY_ID` and `AUTH_TILTIFY_SECRET`.
 *
 * Scope: `public`. The user gets a name, an email and an image.
 *
 * @example
 * ```ts
 * import Tiltify from "@latchkey/core/providers/tiltify"
 * export const provider = Tiltify()
 * ```
 * @see https://developers.tiltify.com/
 */
const Tiltify: ProviderFactory<TiltifyProfile, object, "tiltify"> = defineProvider({
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
