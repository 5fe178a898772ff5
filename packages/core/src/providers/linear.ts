import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { fetchJson, valueAt } from "../provider-kit/fetch-json.js"
import { icon } from "../provider-kit/generated/icons/linear.js"

/** The profile that Linear returns. */
export interface LinearProfile extends ServiceProfile {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly avatarUrl: string
  readonly active: boolean
}

const query = "query { viewer { id name email avatarUrl active } }"

/**
 * Sign in with Linear, using OAuth 2.0.
 *
 * 1. Register an application at https://linear.app/settings/api/applications with the callback URL
 *    `https://<your site>/auth/callback/linear` (`/api/auth/callback/linear` with Next.js).
 * 2. Set `AUTH_LINEAR_ID` and `AUTH_LINEAR_SECRET`.
 *
 * Scope: `read`. The user gets a name, an email and an image.
 *
 * - Separate scopes with commas, and always include `read`.
 *
 * @example
 * ```ts
 * import Linear from "@latchkey/core/providers/linear"
 * export const provider = Linear()
 * ```
 * @see https://linear.app/developers/oauth-2-0-authentication
 */
const Linear: ProviderFactory<LinearProfile, object, "linear"> = defineProvider({
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
  style: { brandColor: "#5E6AD2", icon },
})

export default Linear
