import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { type Context, fetchJson, urlComponent, valueAt } from "../provider-kit/fetch-json.js"
import { icon } from "../provider-kit/generated/icons/etsy.js"

/** The profile that Etsy returns. */
export interface EtsyProfile extends ServiceProfile {
  readonly user_id: number
  readonly primary_email?: string | null
  readonly first_name: string
  readonly last_name: string
  readonly image_url_75x75?: string | null
}

/**
 * Sign in with Etsy, using OAuth 2.0.
 *
 * 1. Register an application at https://www.etsy.com/developers/your-apps with the callback URL
 *    `https://<your site>/auth/callback/etsy` (`/api/auth/callback/etsy` with Next.js).
 * 2. Set `AUTH_ETSY_ID`.
 *
 * Scope: `shops_r email_r`. The user gets a name, an email and an image.
 *
 * - Etsy has no client secret. It relies on PKCE.
 *
 * @example
 * ```ts
 * import Etsy from "@latchkey/core/providers/etsy"
 * export const provider = Etsy()
 * ```
 * @see https://developers.etsy.com/documentation/essentials/authentication
 */
const Etsy: ProviderFactory<EtsyProfile, object, "etsy"> = defineProvider({
  id: "etsy",
  name: "Etsy",
  type: "oauth",
  authorization: { url: "https://www.etsy.com/oauth/connect", params: { scope: "shops_r email_r" } },
  token: "https://api.etsy.com/v3/public/oauth/token",
  userinfo: { url: "https://openapi.etsy.com/v3/application/users/me", request: readUser },
  checks: ["pkce", "state"],
  client: { token_endpoint_auth_method: "none" },
  profile: ({ user_id, first_name, last_name, primary_email, image_url_75x75 }) => ({
    id: String(user_id),
    name: [first_name, last_name].filter(Boolean).join(" "),
    email: primary_email ?? null,
    image: image_url_75x75 ?? null,
  }),
  style: { brandColor: "#f1641e", icon },
})

export default Etsy

async function readUser(context: Context): Promise<unknown> {
  const users = "https://openapi.etsy.com/v3/application/users"
  const headers = { "x-api-key": context.provider.clientId }
  const id = valueAt(await fetchJson(context, `${users}/me`, { headers }), "user_id")
  if (id === undefined) throw new Error("Etsy sent no `user_id`, so the user can't be identified")
  return fetchJson(context, `${users}/${urlComponent(id)}`, { headers })
}
