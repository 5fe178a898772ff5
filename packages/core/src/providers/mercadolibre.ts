import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The signed-in person, as known to Mercado Libre. */
export interface MercadoLibreProfile extends RawProfile {
  readonly id: number
  readonly nickname: string
  readonly first_name: string
  readonly last_name: string
  readonly email?: string | null
  readonly thumbnail?: { readonly picture_url?: string | null } | null
}

/**
 * Sign-in with Mercado Libre, by OAuth 2.
 *
 * Set-up: register an application at Mercado Libre with the callback URL `https://<your
 * site>/auth/callback/mercadolibre` (`/api/auth/…` under Next.js), and set `AUTH_MERCADOLIBRE_ID` and
 * `AUTH_MERCADOLIBRE_SECRET`.
 * The profile gives the name, the e-mail address and a picture.
 *
 * - The authorization host differs by country (auth.mercadolibre.com.ar, auth.mercadolivre.com.br …).
 * - Scopes are fixed on the app.
 *
 * @example
 * ```ts
 * import MercadoLibre from "@latchkey/core/providers/mercadolibre"
 * export const provider = MercadoLibre()
 * ```
 * @see https://developers.mercadolibre.com.ar/en_us/authentication-and-authorization
 */
const MercadoLibre: ProviderFactory<MercadoLibreProfile> = defineProvider<MercadoLibreProfile>({
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
  style: { brandColor: "#ffe600" },
})

export default MercadoLibre
