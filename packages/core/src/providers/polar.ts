import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The profile that Polar returns. */
export interface PolarProfile extends ServiceProfile {
  readonly sub: string
  readonly name?: string | null
  readonly email: string
  readonly email_verified: boolean
  readonly public_name?: string | null
  readonly username?: string | null
  readonly picture?: string | null
  readonly avatar_url?: string | null
}

/**
 * Sign in with Polar, using OpenID Connect.
 *
 * 1. Create an OAuth client in your Polar account settings with the redirect URI
 *    `https://<your site>/auth/callback/polar` (`/api/auth/callback/polar` with Next.js).
 * 2. Set `AUTH_POLAR_ID` and `AUTH_POLAR_SECRET`.
 *
 * Scope: `openid profile email`. The user gets a name, an email and an image.
 *
 * @example
 * ```ts
 * import Polar from "@latchkey/core/providers/polar"
 * export const provider = Polar()
 * ```
 * @see https://polar.sh/docs/integrate/oauth2/introduction
 */
const Polar: ProviderFactory<PolarProfile, object, "polar"> = defineProvider({
  id: "polar",
  name: "Polar",
  type: "oidc",
  issuer: "https://polar.sh",
  wellKnown: "https://api.polar.sh/.well-known/openid-configuration",
  authorization: {
    url: "https://polar.sh/oauth2/authorize",
    params: { scope: "openid profile email", sub_type: "user" },
  },
  token: "https://api.polar.sh/v1/oauth2/token",
  userinfo: "https://api.polar.sh/v1/oauth2/userinfo",
  jwks_endpoint: "https://api.polar.sh/.well-known/jwks.json",
  checks: ["pkce", "state"],
  client: { token_endpoint_auth_method: "client_secret_post" },
  idToken: false,
  profile: ({ sub, name, public_name, username, email, picture, avatar_url }) => ({
    id: sub,
    name: name ?? public_name ?? username,
    email,
    image: picture ?? avatar_url ?? null,
  }),
  style: { brandColor: "#000" },
})

export default Polar
