import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { urlComponent, valueAt } from "../provider-kit/fetch-json.js"

/** The user id, which comes with the tokens. */
export interface WithingsProfile extends ServiceProfile {
  readonly id: string | number
}

/**
 * Sign in with Withings, using OAuth 2.0.
 *
 * 1. Register an application at https://developer.withings.com/dashboard/ with the callback URL
 *    `https://<your site>/auth/callback/withings` (`/api/auth/callback/withings` with Next.js).
 * 2. Set `AUTH_WITHINGS_ID` and `AUTH_WITHINGS_SECRET`.
 *
 * Scope: `user.info`. The user gets only an id: no name, no email and no image.
 *
 * - With so little known about the user, Withings is best linked to an existing user.
 * - Separate scopes with commas.
 *
 * @example
 * ```ts
 * import Withings from "@latchkey/core/providers/withings"
 * export const provider = Withings()
 * ```
 * @see https://developer.withings.com/developer-guide/v3/integration-guide/public-health-data-api/get-access/oauth-web-flow/
 */
const Withings: ProviderFactory<WithingsProfile, object, "withings"> = defineProvider({
  id: "withings",
  name: "Withings",
  type: "oauth",
  authorization: { url: "https://account.withings.com/oauth2_user/authorize2", params: { scope: "user.info" } },
  token: {
    url: "https://wbsapi.withings.net/v2/oauth2",
    body: () => ({ action: "requesttoken" }),
    conform: unwrap,
  },
  userinfo: { request: ({ tokens }) => ({ id: tokens["userid"] }) },
  checks: ["state"],
  client: { token_endpoint_auth_method: "client_secret_post" },
  profile: ({ id }) => ({ id: String(id), name: null, email: null, image: null }),
  style: { brandColor: "#000" },
})

export default Withings

/** Withings wraps tokens in `body`, and sends errors with status 200. */
async function unwrap(response: Response): Promise<Response | undefined> {
  const answer: unknown = await response.json().catch(() => undefined)
  const status = valueAt(answer, "status")
  if (status === undefined) return undefined
  if (status === 0) return Response.json(valueAt(answer, "body"))
  return Response.json(
    { error: "invalid_request", error_description: `status ${urlComponent(status)}` },
    { status: 400 },
  )
}
