import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/todoist.js"

/** The profile that Todoist returns. */
export interface TodoistProfile extends ServiceProfile {
  readonly id: string
  readonly email: string
  readonly full_name: string
  readonly avatar_big: string
}

/**
 * Sign in with Todoist, using OAuth 2.0.
 *
 * 1. Register an application at https://app.todoist.com/app/settings/integrations/app-management with the callback URL
 *    `https://<your site>/auth/callback/todoist` (`/api/auth/callback/todoist` with Next.js).
 * 2. Set `AUTH_TODOIST_ID` and `AUTH_TODOIST_SECRET`.
 *
 * Scope: `data:read`. The user gets a name, an email and an image.
 *
 * @example
 * ```ts
 * import Todoist from "@latchkey/core/providers/todoist"
 * export const provider = Todoist()
 * ```
 * @see https://developer.todoist.com/api/v1/
 */
const Todoist: ProviderFactory<TodoistProfile, object, "todoist"> = defineProvider({
  id: "todoist",
  name: "Todoist",
  type: "oauth",
  authorization: { url: "https://todoist.com/oauth/authorize", params: { scope: "data:read" } },
  token: "https://todoist.com/oauth/access_token",
  userinfo: "https://api.todoist.com/api/v1/user",
  client: { token_endpoint_auth_method: "client_secret_post" },
  profile: ({ id, email, full_name, avatar_big }) => ({ id, email, name: full_name, image: avatar_big }),
  style: { brandColor: "#E44332", icon },
})

export default Todoist
