import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/railway.js"

/** The profile that Railway returns. */
export interface RailwayProfile extends ServiceProfile {
  readonly sub: string
  readonly name: string
  readonly email: string
  readonly picture: string
}

/**
 * Sign in with Railway, using OpenID Connect.
 *
 * 1. Create an OAuth app in the settings of your Railway workspace with the redirect URI
 *    `https://<your site>/auth/callback/railway` (`/api/auth/callback/railway` with Next.js).
 * 2. Set `AUTH_RAILWAY_ID` and `AUTH_RAILWAY_SECRET`.
 *
 * Scope: `openid email profile`. The user gets a name, an email and an image.
 *
 * - With `tokens: vault`, `offline_access` is added to the scope. For a refresh token, also set `prompt: "consent"`.
 *
 * @example
 * ```ts
 * import Railway from "@latchkey/core/providers/railway"
 * export const provider = Railway()
 * ```
 * @see https://docs.railway.com/integrations/oauth
 */
const Railway: ProviderFactory<RailwayProfile, object, "railway"> = defineProvider({
  id: "railway",
  name: "Railway",
  type: "oidc",
  issuer: "https://backboard.railway.com",
  wellKnown: "https://backboard.railway.com/oauth/.well-known/openid-configuration",
  authorization: { url: "https://backboard.railway.com/oauth/auth", params: { scope: "openid email profile" } },
  token: "https://backboard.railway.com/oauth/token",
  userinfo: "https://backboard.railway.com/oauth/me",
  jwks_endpoint: "https://backboard.railway.com/oauth/jwks",
  checks: ["pkce", "state"],
  client: { token_endpoint_auth_method: "client_secret_basic" },
  idToken: false,
  profile: ({ sub, name, email, picture }) => ({ id: sub, name, email, image: picture }),
  tokens: { scope: "offline_access" },
  style: { brandColor: "#0B0D0E", icon },
})

export default Railway
