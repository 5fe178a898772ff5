import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { fetchJson, valueAt } from "../provider-kit/fetch-json.js"

/** The signed-in person, as known to start.gg. */
export interface StartGGProfile extends RawProfile {
  readonly id: number
  readonly slug: string
  readonly email?: string | null
  readonly player?: { readonly gamerTag?: string | null } | null
  readonly images?: readonly { readonly url: string }[] | null
}

const scope = "user.identity user.email"
const query = "{ currentUser { id slug email player { gamerTag } images { url } } }"

/**
 * Sign-in with start.gg, by OAuth 2.
 *
 * Set-up: register an application at start.gg with the callback URL `https://<your site>/auth/callback/startgg`
 * (`/api/auth/…` under Next.js), and set `AUTH_STARTGG_ID` and `AUTH_STARTGG_SECRET`.
 * Scope: `user.identity user.email`. The profile gives the name, the e-mail address and a picture.
 *
 * - The token request repeats scope.
 * - Refresh uses another URL (https://api.start.gg/oauth/refresh).
 * - The user comes from a GraphQL query.
 *
 * @example
 * ```ts
 * import StartGG from "@latchkey/core/providers/startgg"
 * export const provider = StartGG()
 * ```
 * @see https://developer.start.gg/docs/oauth/oauth-overview
 */
const StartGG: ProviderFactory<StartGGProfile> = defineProvider<StartGGProfile>({
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
  style: { brandColor: "#2e75ba" },
})

export default StartGG
