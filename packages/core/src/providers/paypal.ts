import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The signed-in person, as known to PayPal. */
export interface PayPalProfile extends RawProfile {
  readonly user_id: string
  readonly sub: string
  readonly name: string
  readonly emails: readonly { readonly value: string; readonly primary: boolean }[]
  readonly email?: string | null
  readonly picture?: string | null
}

export interface PayPalOptions {
  /** Test accounts, or real ones. @default "sandbox" */
  readonly environment?: "sandbox" | "live"
}

/**
 * Sign-in with PayPal, by OAuth 2.
 *
 * Set-up: register an application at PayPal with the callback URL `https://<your site>/auth/callback/paypal`
 * (`/api/auth/…` under Next.js), and set `AUTH_PAYPAL_ID` and `AUTH_PAYPAL_SECRET`.
 * Scope: `openid profile email`. The profile gives the name, the e-mail address and a picture.
 *
 * - Callback URLs on this machine have to be on 127.0.0.1.
 * - Which data the application may have is chosen in its settings at PayPal.
 *
 * @example
 * ```ts
 * import PayPal from "@latchkey/core/providers/paypal"
 * export const provider = PayPal({ environment: "live" })
 * ```
 * @see https://developer.paypal.com/docs/log-in-with-paypal/integrate/
 */
const PayPal: ProviderFactory<PayPalProfile, PayPalOptions> = defineProvider<PayPalProfile, PayPalOptions>(
  ({ environment = "sandbox" }) => ({
    id: "paypal",
    name: "PayPal",
    type: "oauth",
    authorization: {
      url:
        environment === "live"
          ? "https://www.paypal.com/signin/authorize"
          : "https://www.sandbox.paypal.com/signin/authorize",
      params: { scope: "openid profile email" },
    },
    token: `${api(environment)}/v1/oauth2/token`,
    userinfo: `${api(environment)}/v1/identity/oauth2/userinfo?schema=paypalv1.1`,
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_basic" },
    profile: ({ user_id, name, email, emails, picture }) => ({
      id: user_id,
      name,
      email: email ?? emails?.find((each) => each.primary)?.value,
      image: picture ?? null,
    }),
    style: { brandColor: "#003087" },
  }),
)

export default PayPal

function api(environment: "sandbox" | "live"): string {
  return environment === "live" ? "https://api-m.paypal.com" : "https://api-m.sandbox.paypal.com"
}
