import type { ServiceProfile } from "../model/provider.js"
import { type ProviderFactory, defineProvider } from "../provider-kit/define.js"
import { urlBelow } from "../provider-kit/options.js"

/** The claims in an ID token from Paybin. */
export interface PaybinProfile extends ServiceProfile {
  readonly sub: string
  readonly preferred_username: string
  readonly email: string
  readonly name?: string | null
  readonly picture?: string | null
}

/**
 * Sign in with Paybin, using OpenID Connect.
 *
 * 1. Register an application with Paybin, with the callback URL `https://<your site>/auth/callback/paybin`
 *    (`/api/auth/callback/paybin` with Next.js).
 * 2. Set `AUTH_PAYBIN_ID` and `AUTH_PAYBIN_SECRET`.
 * 3. Optional: set `AUTH_PAYBIN_ISSUER`. The default is `https://idp.paybin.io`.
 *
 * Scope: `openid email profile`. The user gets a name, an email and an image.
 *
 * @example
 * ```ts
 * import Paybin from "@latchkey/core/providers/paybin"
 * export const provider = Paybin()
 * ```
 * @see https://paybin.io
 */
const Paybin: ProviderFactory<PaybinProfile, object, "paybin"> = defineProvider(
  ({ issuer = "https://idp.paybin.io" }) => ({
    id: "paybin",
    name: "Paybin",
    type: "oidc",
    issuer,
    authorization: { url: urlBelow(issuer, "/oauth2/authorize"), params: { scope: "openid email profile" } },
    token: urlBelow(issuer, "/oauth2/token"),
    checks: ["pkce", "state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    profile: ({ sub, name, preferred_username, email, picture }) => ({
      id: sub,
      name: name ?? preferred_username,
      email,
      image: picture,
    }),
  }),
)

export default Paybin
