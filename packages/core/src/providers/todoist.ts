import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The signed-in person, as known to Todoist. */
export interface TodoistProfile extends RawProfile {
  readonly id: string
  readonly email: string
  readonly full_name: string
  readonly avatar_big: string
}

/**
 * Sign-in with Todoist, by OAuth 2.
 *
 * Set-up: register an application at Todoist with the callback URL `https://<your site>/auth/callback/todoist`
 * (`/api/auth/…` under Next.js), and set `AUTH_TODOIST_ID` and `AUTH_TODOIST_SECRET`.
 * Scope: `data:read`. The profile gives the name, the e-mail address and a picture.
 *
 * - The person is read with the unified API, which took the place of the Sync API v9.
 *
 * @example
 * ```ts
 * import Todoist from "@latchkey/core/providers/todoist"
 * export const provider = Todoist()
 * ```
 * @see https://developer.todoist.com/api/v1/
 */
const Todoist: ProviderFactory<TodoistProfile> = defineProvider<TodoistProfile>({
  id: "todoist",
  name: "Todoist",
  type: "oauth",
  authorization: { url: "https://todoist.com/oauth/authorize", params: { scope: "data:read" } },
  token: "https://todoist.com/oauth/access_token",
  userinfo: "https://api.todoist.com/api/v1/user",
  client: { token_endpoint_auth_method: "client_secret_post" },
  profile: ({ id, email, full_name, avatar_big }) => ({ id, email, name: full_name, image: avatar_big }),
  style: { brandColor: "#E44332" },
})

export default Todoist
