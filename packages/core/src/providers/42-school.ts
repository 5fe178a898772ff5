import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The signed-in person, as known to 42 School. */
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
 * Sign-in with 42 School, by OAuth 2.
 *
 * Set-up: register an application at 42 School with the callback URL `https://<your site>/auth/callback/42-school`
 * (`/api/auth/…` under Next.js), and set `AUTH_42_SCHOOL_ID` and `AUTH_42_SCHOOL_SECRET`.
 * Scope: `public`. The profile gives the name, the e-mail address and a picture.
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
