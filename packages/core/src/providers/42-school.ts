import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The profile that 42 School returns. */
export interface FortyTwoProfile extends RawProfile {
  readonly id: number
  readonly login: string
  readonly usual_full_name: string
  readonly email: string
  readonly image: {
    readonly link: string
    readonly versions: Readonly<Record<string, unknown>>
  }
}

/**
 * Sign in with 42 School, using OAuth 2.0.
 *
 * 1. Register an application at https://profile.intra.42.fr/oauth/applications with the callback URL
 *    `https://<your site>/auth/callback/42-school` (`/api/auth/callback/42-school` with Next.js).
 * 2. Set `AUTH_42_SCHOOL_ID` and `AUTH_42_SCHOOL_SECRET`.
 *
 * Scope: `public`. The user gets a name, an email and an image.
 *
 * @example
 * ```ts
 * import FortyTwo from "@latchkey/core/providers/42-school"
 * export const provider = FortyTwo()
 * ```
 * @see https://api.intra.42.fr/apidoc/guides/web_application_flow
 */
const FortyTwo: ProviderFactory<FortyTwoProfile> = defineProvider<FortyTwoProfile>({
  id: "42-school",
  name: "42 School",
  type: "oauth",
  authorization: { url: "https://api.intra.42.fr/oauth/authorize", params: { scope: "public" } },
  token: "https://api.intra.42.fr/oauth/token",
  userinfo: "https://api.intra.42.fr/v2/me",
  profile: ({ id, usual_full_name, email, image }) => ({
    id: String(id),
    name: usual_full_name,
    email,
    image: image.link,
  }),
})

export default FortyTwo
