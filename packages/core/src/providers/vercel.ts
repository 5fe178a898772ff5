import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** Claims of an ID token of Vercel. */
export interface VercelProfile extends RawProfile {
  readonly sub: string
  readonly preferred_username: string
  readonly email: string
  readonly picture: string
  readonly name?: string | null
}

/**
 * Sign-in with Vercel, by OpenID Connect.
 *
 * Set-up: register an application at Vercel with the callback URL `https://<your site>/auth/callback/vercel`
 * (`/api/auth/…` under Next.js), and set `AUTH_VERCEL_ID` and `AUTH_VERCEL_SECRET`.
 * Scope: `openid email profile`. The profile gives the name, the e-mail address and a picture.
 *
 * @example
 * ```ts
 * import Vercel from "@latchkey/core/providers/vercel"
 * export const provider = Vercel()
 * ```
 * @see https://vercel.com/docs/sign-in-with-vercel
 */
const Vercel: ProviderFactory<VercelProfile> = defineProvider<VercelProfile>({
  id: "vercel",
  name: "Vercel",
  type: "oidc",
  issuer: "https://vercel.com",
  authorization: { params: { scope: "openid email profile" } },
  checks: ["pkce", "state", "nonce"],
  client: { token_endpoint_auth_method: "client_secret_post" },
  profile: ({ sub, name, preferred_username, email, picture }) => ({
    id: sub,
    name: name ?? preferred_username,
    email,
    image: picture,
  }),
  style: { brandColor: "#000" },
})

export default Vercel
