import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The signed-in person, as known to Railway. */
export interface RailwayProfile extends RawProfile {
  readonly sub: string
  readonly name: string
  readonly email: string
  readonly picture: string
}

/**
 * Sign-in with Railway, by OpenID Connect.
 *
 * Set-up: register an application at Railway with the callback URL `https://<your site>/auth/callback/railway`
 * (`/api/auth/…` under Next.js), and set `AUTH_RAILWAY_ID` and `AUTH_RAILWAY_SECRET`.
 * Scope: `openid email profile`. The profile gives the name, the e-mail address and a picture.
 *
 * - Metadata lies under /oauth but names the bare host as issuer.
 * - A refresh token needs offline_access together with prompt=consent.
 *
 * @example
 * ```ts
 * import Railway from "@latchkey/core/providers/railway"
 * export const provider = Railway()
 * ```
 * @see https://docs.railway.com/integrations/oauth
 */
const Railway: ProviderFactory<RailwayProfile> = defineProvider<RailwayProfile>({
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
  style: { brandColor: "#0B0D0E" },
})

export default Railway
