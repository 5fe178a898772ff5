import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/click-up.js"

/** The profile that ClickUp returns. */
export interface ClickUpProfile extends ServiceProfile {
  readonly user: {
    readonly id: number
    readonly username: string
    readonly email: string
    readonly color: string
    readonly profilePicture: string
  }
}

/**
 * Sign in with ClickUp, using OAuth 2.0.
 *
 * 1. Create an app under ClickUp API in the settings of your ClickUp workspace, with the redirect URL
 *    `https://<your site>/auth/callback/click-up` (`/api/auth/callback/click-up` with Next.js).
 * 2. Set `AUTH_CLICK_UP_ID` and `AUTH_CLICK_UP_SECRET`.
 *
 * Scope: `openid profile email`. The user gets a name, `profilePicture` and `color`, but no email and no `image`.
 *
 * - ClickUp has no scopes.
 *
 * @example
 * ```ts
 * import ClickUp from "@latchkey/core/providers/click-up"
 * export const provider = ClickUp()
 * ```
 * @see https://developer.clickup.com/docs/authentication
 */
const ClickUp: ProviderFactory<ClickUpProfile, object, "click-up"> = defineProvider({
  id: "click-up",
  name: "ClickUp",
  type: "oauth",
  authorization: "https://app.clickup.com/api?scope=openid%20profile%20email",
  token: "https://api.clickup.com/api/v2/oauth/token",
  userinfo: "https://api.clickup.com/api/v2/user",
  checks: ["state"],
  profile: ({ user }) => ({
    id: String(user.id),
    name: user.username,
    profilePicture: user.profilePicture,
    color: user.color,
  }),
  style: { brandColor: "#24292f", icon },
})

export default ClickUp
