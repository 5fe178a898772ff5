import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The signed-in person, as known to Mercado Pago. */
export interface MercadoPagoProfile extends RawProfile {
  readonly id: number
  readonly nickname: string
  readonly first_name: string
  readonly last_name: string
  readonly email?: string | null
}

/**
 * Sign-in with Mercado Pago, by OAuth 2.
 *
 * Set-up: register an application at Mercado Pago with the callback URL `https://<your
 * site>/auth/callback/mercadopago` (`/api/auth/…` under Next.js), and set `AUTH_MERCADOPAGO_ID` and
 * `AUTH_MERCADOPAGO_SECRET`.
 * The profile gives the name and the e-mail address, but no picture.
 *
 * - platform_id=mp is asked for in Mercado Pago's guide.
 *
 * @example
 * ```ts
 * import MercadoPago from "@latchkey/core/providers/mercadopago"
 * export const provider = MercadoPago()
 * ```
 * @see https://www.mercadopago.com/developers/en/docs/security/oauth
 */
const MercadoPago: ProviderFactory<MercadoPagoProfile> = defineProvider<MercadoPagoProfile>({
  id: "mercadopago",
  name: "Mercado Pago",
  type: "oauth",
  authorization: "https://auth.mercadopago.com/authorization",
  token: "https://api.mercadopago.com/oauth/token",
  userinfo: "https://api.mercadopago.com/users/me",
  checks: ["pkce", "state"],
  client: { token_endpoint_auth_method: "client_secret_post" },
  profile: ({ id, first_name, last_name, nickname, email }) => ({
    id: String(id),
    name: [first_name, last_name].filter(Boolean).join(" ") || nickname,
    email: email ?? null,
    image: null,
  }),
  style: { brandColor: "#009ee3" },
})

export default MercadoPago
