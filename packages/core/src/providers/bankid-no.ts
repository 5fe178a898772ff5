import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The signed-in person, as known to BankID Norge. */
export interface BankIDNorwayProfile extends RawProfile {
  readonly sub: string
  readonly name: string
  readonly birthdate: string
  readonly email?: string | null
}

/**
 * Sign-in with BankID Norge, by OpenID Connect.
 *
 * Set-up: register an application at BankID Norge with the callback URL `https://<your
 * site>/auth/callback/bankid-no` (`/api/auth/…` under Next.js), and set `AUTH_BANKID_NO_ID` and
 * `AUTH_BANKID_NO_SECRET`.
 * Scope: `openid profile email`. The profile gives the name and the e-mail address, but no picture.
 *
 * - The userinfo answer is a signed JWT (RS256), not JSON.
 * - The profile is taken from userinfo although the provider is OIDC.
 * - login_hint selects the BankID flavour (BIS) and ui_locales the language.
 *
 * @example
 * ```ts
 * import BankIDNorway from "@latchkey/core/providers/bankid-no"
 * export const provider = BankIDNorway()
 * ```
 * @see https://developer.bankid.no/bankid-with-oidc-provider/
 */
const BankIDNorway: ProviderFactory<BankIDNorwayProfile> = defineProvider<BankIDNorwayProfile>({
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
