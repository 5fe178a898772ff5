import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/vercel.js"

/** The claims in an ID token from Vercel. */
export interface VercelProfile extends ServiceProfile {
  readonly sub: string
  readonly preferred_username: string
  readonly email: string
  readonly picture: string
  readonly name?: string | null
}

/**
 * Sign in with Vercel, using OpenID Connect.
 *
 * 1. Create an app in the settings of your Vercel team with the authorization callback URL
 *    `https://<your site>/auth/callback/vercel` (`/api/auth/callback/vercel` with Next.js).
 * 2. Set `AUTH_VERCEL_ID` and `AUTH_VERCEL_SECRET`.
 *
 * Scope: `openid email profile`. The user gets a name, an email and an image.
 *
 * @example
 * ```ts
 * import Vercel from "@latchkey/core/providers/vercel"
 * export const provider = Vercel()
 * ```
 * @see https://vercel.com/docs/sign-in-with-vercel
 */
const Vercel: ProviderFactory<VercelProfile, object, "vercel"> = defineProvider({
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
  tokens: { scope: "offline_access" },
  style: { brandColor: "#000", icon },
})

export default Vercel
