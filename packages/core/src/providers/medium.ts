import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/medium.js"

/** The profile that Medium returns. */
export interface MediumProfile extends ServiceProfile {
  readonly data: {
    readonly id: string
    readonly username: string
    readonly name: string
    readonly imageUrl: string
  }
}

/**
 * Sign in with Medium, using OAuth 2.0.
 *
 * 1. Use an application that was registered before 2023, with the callback URL
 *    `https://<your site>/auth/callback/medium` (`/api/auth/callback/medium` with Next.js).
 * 2. Set `AUTH_MEDIUM_ID` and `AUTH_MEDIUM_SECRET`.
 *
 * Scope: `basicProfile`. The user gets a name and an image, but no email.
 *
 * @deprecated Medium archived its API in 2023 and stopped accepting new applications.
 * @example
 * ```ts
 * import Medium from "@latchkey/core/providers/medium"
 * export const provider = Medium()
 * ```
 * @see https://github.com/Medium/medium-api-docs
 */
const Medium: ProviderFactory<MediumProfile, object, "medium"> = defineProvider({
  id: "medium",
  name: "Medium",
  type: "oauth",
  style: { icon },
  deprecated: "Medium stopped accepting new applications in 2023. Plan to replace this provider.",
  authorization: "https://medium.com/m/oauth/authorize?scope=basicProfile",
  token: { url: "https://api.medium.com/v1/tokens", conform: asSuccess },
  userinfo: "https://api.medium.com/v1/me",
  profile: ({ data }) => ({ id: data.id, name: data.name, email: null, image: data.imageUrl }),
})

export default Medium

/** Medium sends tokens with status 201, and RFC 6749 §5.1 requires 200. */
function asSuccess(response: Response): Response | undefined {
  return response.status === 201 ? new Response(response.body, { headers: response.headers }) : undefined
}
