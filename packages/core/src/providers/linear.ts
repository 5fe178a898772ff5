import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { fetchJson, valueAt } from "../provider-kit/fetch-json.js"

/** The signed-in person, as known to Linear. */
export interface LinearProfile extends RawProfile {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly avatarUrl: string
  readonly active: boolean
}

const query = "query { viewer { id name email avatarUrl active } }"

/**
 * Sign-in with Linear, by OAuth 2.
 *
 * Set-up: register an application at Linear with the callback URL `https://<your site>/auth/callback/linear`
 * (`/api/auth/…` under Next.js), and set `AUTH_LINEAR_ID` and `AUTH_LINEAR_SECRET`.
 * Scope: `read`. The profile gives the name, the e-mail address and a picture.
 *
 * - The user comes from a GraphQL query.
 * - read must always be among the scopes; several scopes are joined by commas.
 *
 * @example
 * ```ts
 * import Linear from "@latchkey/core/providers/linear"
 * export const provider = Linear()
 * ```
 * @see https://linear.app/developers/oauth-2-0-authentication
 */
const Linear: ProviderFactory<LinearProfile> = defineProvider<LinearProfile>({
  id: "linear",
  name: "Linear",
  type: "oauth",
  authorization: { url: "https://linear.app/oauth/authorize", params: { scope: "read" } },
  token: "https://api.linear.app/oauth/token",
  userinfo: {
    url: "https://api.linear.app/graphql",
    request: async (context) =>
      valueAt(await fetchJson(context, "https://api.linear.app/graphql", { json: { query } }), "data", "viewer"),
  },
  checks: ["state"],
  client: { token_endpoint_auth_method: "client_secret_post" },
  profile: ({ id, name, email, avatarUrl }) => ({ id, name, email, image: avatarUrl }),
  style: { brandColor: "#5E6AD2" },
})

export default Linear
