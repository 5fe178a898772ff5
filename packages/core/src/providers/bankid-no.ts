import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The profile that BankID Norge returns. */
export interface BankIDNorwayProfile extends ServiceProfile {
  readonly sub: string
  readonly name: string
  readonly birthdate: string
  readonly email?: string
}

/**
 * Sign in with BankID Norge, using OpenID Connect.
 *
 * 1. Order an OpenID Connect client from BankID with the callback URL `https://<your site>/auth/callback/bankid-no`
 *    (`/api/auth/callback/bankid-no` with Next.js).
 * 2. Set `AUTH_BANKID_NO_ID` and `AUTH_BANKID_NO_SECRET`.
 *
 * Scope: `openid profile email`. The user gets a name and, if your client may have it, an email.
 *
 * @example
 * ```ts
 * import BankIDNorway from "@latchkey/core/providers/bankid-no"
 * export const provider = BankIDNorway()
 * ```
 * @see https://developer.bankid.no/bankid-with-oidc-provider/
 */
const BankIDNorway: ProviderFactory<BankIDNorwayProfile, object, "bankid-no"> = defineProvider({
  id: "bankid-no",
  name: "BankID Norge",
  type: "oidc",
  issuer: "https://auth.bankid.no/auth/realms/prod",
  authorization: { params: { ui_locales: "no", login_hint: "BIS" } },
  checks: ["pkce", "state", "nonce"],
  client: { token_endpoint_auth_method: "client_secret_post", userinfo_signed_response_alg: "RS256" },
  idToken: false,
  profile: ({ sub, name, email }) => ({ id: sub, name, email: email ?? null, image: null }),
  style: { brandColor: "#39134c" },
})

export default BankIDNorway
