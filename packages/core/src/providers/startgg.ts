import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { fetchJson, valueAt } from "../provider-kit/fetch-json.js"
import { icon } from "../provider-kit/generated/icons/startgg.js"

/** The profile that start.gg returns. */
export interface StartGGProfile extends ServiceProfile {
  readonly id: number
  readonly slug: string
  readonly email?: string | null
  readonly player?: { readonly gamerTag?: string | null } | null
  readonly images?: readonly { readonly url: string }[] | null
}

const scope = "user.identity user.email"
const query = "{ currentUser { id slug email player { gamerTag } images { url } } }"

/**
 * Sign in with start.gg, using OAuth 2.0.
 *
 * 1. Register an application at https://start.gg/admin/profile/developer with the callback URL
 *    `https://<your site>/auth/callback/startgg` (`/api/auth/callback/startgg` with Next.js).
 * 2. Set `AUTH_STARTGG_ID` and `AUTH_STARTGG_SECRET`.
 *
 * Scope: `user.identity user.email`. The user gets a name, an email and an image.
 *
 * @example
 * ```ts
 * import StartGG from "@latchkey/core/providers/startgg"
 * export const provider = StartGG()
 * ```
 * @see https://developer.start.gg/docs/oauth/oauth-overview
 */
const StartGG: ProviderFactory<StartGGProfile, object, "startgg"> = defineProvider({
  id: "startgg",
  name: "start.gg",
  type: "oauth",
  authorization: { url: "https://start.gg/oauth/authorize", params: { scope } },
  token: { url: "https://api.start.gg/oauth/access_token", body: () => ({ scope }) },
  userinfo: {
    url: "https://api.start.gg/gql/alpha",
    request: async (context) =>
      valueAt(await fetchJson(context, "https://api.start.gg/gql/alpha", { json: { query } }), "data", "currentUser"),
  },
  checks: ["state"],
  client: { token_endpoint_auth_method: "client_secret_post" },
  profile: ({ id, player, slug, email, images }) => ({
    id: String(id),
    name: player?.gamerTag ?? slug,
    email: email ?? null,
    image: images?.[0]?.url ?? null,
  }),
  tokens: { refresh: "https://api.start.gg/oauth/refresh" },
  style: { brandColor: "#2e75ba", icon },
})

export default StartGG
