import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/mercadopago.js"

/** The profile that Mercado Pago returns. */
export interface MercadoPagoProfile extends ServiceProfile {
  readonly id: number
  readonly nickname: string
  readonly first_name: string
  readonly last_name: string
  readonly email?: string | null
}

/**
 * Sign in with Mercado Pago, using OAuth 2.0.
 *
 * 1. Register an application at https://www.mercadopago.com/developers/panel/app with the callback URL
 *    `https://<your site>/auth/callback/mercadopago` (`/api/auth/callback/mercadopago` with Next.js).
 * 2. Set `AUTH_MERCADOPAGO_ID` and `AUTH_MERCADOPAGO_SECRET`.
 *
 * The settings of your application decide the scope. The user gets a name and an email, but no image.
 *
 * - Mercado Pago's guide asks for `authorization: { params: { platform_id: "mp" } }`.
 *
 * @example
 * ```ts
 * import MercadoPago from "@latchkey/core/providers/mercadopago"
 * export const provider = MercadoPago()
 * ```
 * @see https://www.mercadopago.com/developers/en/docs/security/oauth
 */
const MercadoPago: ProviderFactory<MercadoPagoProfile, object, "mercadopago"> = defineProvider({
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
  style: { brandColor: "#009ee3", icon },
})

export default MercadoPago
