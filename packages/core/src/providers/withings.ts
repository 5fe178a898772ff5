import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { urlComponent, valueAt } from "../provider-kit/fetch-json.js"

/** The user id that comes with the tokens. */
export interface WithingsProfile extends RawProfile {
  readonly id: string | number
}

/**
 * Sign-in with Withings, by OAuth 2.
 *
 * Set-up: register an application at Withings with the callback URL `https://<your site>/auth/callback/withings`
 * (`/api/auth/…` under Next.js), and set `AUTH_WITHINGS_ID` and `AUTH_WITHINGS_SECRET`.
 * Scope: `user.info`. The profile gives only the id, but no name and no e-mail address and no picture.
 *
 * - There is only an id: good for linking to an account that exists.
 * - Several scopes are separated by commas.
 *
 * @example
 * ```ts
 * import Withings from "@latchkey/core/providers/withings"
 * export const provider = Withings()
 * ```
 * @see https://developer.withings.com/developer-guide/v3/integration-guide/public-health-data-api/get-access/oauth-web-flow/
 */
const Withings: ProviderFactory<WithingsProfile> = defineProvider<WithingsProfile>({
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

/** The tokens come in an envelope, and so do errors, with status 200. */
async function unwrap(response: Response): Promise<Response> {
  const answer: unknown = await response.json()
  const status = valueAt(answer, "status")
  if (status === 0) return Response.json(valueAt(answer, "body"))
  return Response.json(
    { error: "invalid_request", error_description: `status ${urlComponent(status)}` },
    { status: 400 },
  )
}
