import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The profile that Mercado Libre returns. */
export interface MercadoLibreProfile extends ServiceProfile {
  readonly id: number
  readonly nickname: string
  readonly first_name: string
  readonly last_name: string
  readonly email?: string | null
  readonly thumbnail?: { readonly picture_url?: string | null } | null
}

/**
 * Sign in with Mercado Libre, using OAuth 2.0.
 *
 * 1. Register an application at https://developers.mercadolibre.com.ar/devcenter with the callback URL
 *    `https://<your site>/auth/callback/mercadolibre` (`/api/auth/callback/mercadolibre` with Next.js).
 * 2. Set `AUTH_MERCADOLIBRE_ID` and `AUTH_MERCADOLIBRE_SECRET`.
 *
 * The settings of your application decide the scope. The user gets a name, an email and an image.
 *
 * - Each country has its own host. To use another one, set `authorization`, for example to
 *   `https://auth.mercadolivre.com.br/authorization`.
 *
 * @example
 * ```ts
 * import MercadoLibre from "@latchkey/core/providers/mercadolibre"
 * export const provider = MercadoLibre()
 * ```
 * @see https://developers.mercadolibre.com.ar/en_us/authentication-and-authorization
 */
const MercadoLibre: ProviderFactory<MercadoLibreProfile, object, "mercadolibre"> = defineProvider({
  id: "mercadolibre",
  name: "Mercado Libre",
  type: "oauth",
  authorization: "https://auth.mercadolibre.com/authorization",
  token: "https://api.mercadolibre.com/oauth/token",
  userinfo: "https://api.mercadolibre.com/users/me",
  checks: ["pkce", "state"],
  client: { token_endpoint_auth_method: "client_secret_post" },
  profile: ({ id, first_name, last_name, nickname, email, thumbnail }) => ({
    id: String(id),
    name: [first_name, last_name].filter(Boolean).join(" ") || nickname,
    email: email ?? null,
    image: thumbnail?.picture_url ?? null,
  }),
  tokens: { scope: "offline_access" },
  style: { brandColor: "#ffe600" },
})

export default MercadoLibre
