import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/42-school.js"

/** The profile that 42 School returns. */
export interface FortyTwoProfile extends ServiceProfile {
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
const FortyTwo: ProviderFactory<FortyTwoProfile, object, "42-school"> = defineProvider({
  id: "42-school",
  name: "42 School",
  type: "oauth",
  style: { icon },
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

// The parts of a profile, as described at https://api.intra.42.fr/apidoc/2.0/users/me.html.

export interface UserData extends ServiceProfile {
  readonly id: number
  readonly email: string
  readonly login: string
  readonly first_name: string
  readonly last_name: string
  readonly usual_full_name: string | null
  readonly displayname: string
  readonly image_url: string | null
  readonly url: string
}

export interface CursusUser extends ServiceProfile {
  readonly id: number
  readonly cursus_id: number
  readonly level: number
  readonly grade: string | null
  readonly user: UserData
}

export interface ProjectUser extends ServiceProfile {
  readonly id: number
  readonly status: "in_progress" | "finished"
  readonly final_mark: number | null
  readonly "validated?": boolean | null
}

export interface Achievement extends ServiceProfile {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly visible: boolean
}

export interface LanguagesUser extends ServiceProfile {
  readonly id: number
  readonly language_id: number
  readonly user_id: number
  readonly position: number
}

export interface TitlesUser extends ServiceProfile {
  readonly id: number
  readonly user_id: number
  readonly title_id: number
  readonly selected: boolean
}

export interface ExpertisesUser extends ServiceProfile {
  readonly id: number
  readonly expertise_id: number
  readonly value: number
  readonly user_id: number
}

export interface Campus extends ServiceProfile {
  readonly id: number
  readonly name: string
  readonly time_zone: string
  readonly country: string
  readonly city: string
}

export interface CampusUser extends ServiceProfile {
  readonly id: number
  readonly user_id: number
  readonly campus_id: number
  readonly is_primary: boolean
}

export interface Image {
  readonly link: string
  readonly versions: Readonly<Record<"micro" | "small" | "medium" | "large", string>>
}
