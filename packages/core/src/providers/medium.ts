import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The signed-in person, as known to Medium. */
export interface MediumProfile extends RawProfile {
  readonly data: {
    readonly id: string
    readonly username: string
    readonly name: string
    readonly imageUrl: string
  }
}

/**
 * Sign-in with Medium, by OAuth 2.
 *
 * Set-up: register an application at Medium with the callback URL `https://<your site>/auth/callback/medium`
 * (`/api/auth/…` under Next.js), and set `AUTH_MEDIUM_ID` and `AUTH_MEDIUM_SECRET`.
 * Scope: `basicProfile`. The profile gives the name and a picture, but no e-mail address.
 *
 * @deprecated Medium archived its API documentation in 2023 and no longer accepts new integrations.
 * @example
 * ```ts
 * import Medium from "@latchkey/core/providers/medium"
 * export const provider = Medium()
 * ```
 * @see https://github.com/Medium/medium-api-docs
 */
const Medium: ProviderFactory<MediumProfile> = defineProvider<MediumProfile>({
  id: "medium",
  name: "Medium",
  type: "oauth",
  deprecated: "Medium takes no new applications since 2023",
  authorization: { url: "https://medium.com/m/oauth/authorize", params: { scope: "basicProfile" } },
  token: { url: "https://api.medium.com/v1/tokens", conform: asSuccess },
  userinfo: "https://api.medium.com/v1/me",
  profile: ({ data }) => ({ id: data.id, name: data.name, email: null, image: data.imageUrl }),
})

export default Medium

/** Tokens come with status 201 ("Created"). */
function asSuccess(response: Response): Response | undefined {
  return response.status === 201 ? new Response(response.body, { headers: response.headers }) : undefined
}
