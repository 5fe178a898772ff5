import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/paypal.js"

/** The profile that PayPal returns. */
export interface PayPalProfile extends ServiceProfile {
  readonly user_id: string
  readonly sub: string
  readonly name: string
  readonly emails: readonly { readonly value: string; readonly primary: boolean }[]
  readonly email?: string | null
  readonly picture?: string | null
}

export interface PayPalOptions {
  /** `"sandbox"` for test accounts, `"live"` for real ones. @default "sandbox" */
  readonly environment?: "sandbox" | "live"
}

/**
 * Sign in with PayPal, using OAuth 2.0.
 *
 * 1. Register an application at https://developer.paypal.com/dashboard/applications with the callback URL
 *    `https://<your site>/auth/callback/paypal` (`/api/auth/callback/paypal` with Next.js).
 * 2. Set `AUTH_PAYPAL_ID` and `AUTH_PAYPAL_SECRET`.
 *
 * Scope: `openid profile email`. The user gets a name, an email and an image.
 *
 * - Choose what the application can read in its settings at PayPal.
 * - For local development, PayPal accepts 127.0.0.1 but not localhost in the callback URL.
 *
 * @example
 * ```ts
 * import PayPal from "@latchkey/core/providers/paypal"
 * export const provider = PayPal({ environment: "live" })
 * ```
 * @see https://developer.paypal.com/docs/log-in-with-paypal/integrate/
 */
const PayPal: ProviderFactory<PayPalProfile, PayPalOptions, "paypal"> = defineProvider(
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
    style: { brandColor: "#003087", icon },
  }),
)

export default PayPal

function api(environment: "sandbox" | "live"): string {
  return environment === "live" ? "https://api-m.paypal.com" : "https://api-m.sandbox.paypal.com"
}
