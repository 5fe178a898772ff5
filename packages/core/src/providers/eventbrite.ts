import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/eventbrite.js"

/** The profile that Eventbrite returns. */
export interface EventbriteProfile extends ServiceProfile {
  readonly id: string
  readonly name: string
  readonly emails: readonly { readonly email: string; readonly primary: boolean }[]
  readonly image_id: string
}

/**
 * Sign in with Eventbrite, using OAuth 2.0.
 *
 * 1. Register an application at https://www.eventbrite.com/account-settings/apps with the callback URL
 *    `https://<your site>/auth/callback/eventbrite` (`/api/auth/callback/eventbrite` with Next.js).
 * 2. Set `AUTH_EVENTBRITE_ID` and `AUTH_EVENTBRITE_SECRET`.
 *
 * Scope: `user.profile`. The user gets a name, an email and an image.
 *
 * @example
 * ```ts
 * import Eventbrite from "@latchkey/core/providers/eventbrite"
 * export const provider = Eventbrite()
 * ```
 * @see https://www.eventbrite.com/platform/api#/introduction/authentication
 */
const Eventbrite: ProviderFactory<EventbriteProfile, object, "eventbrite"> = defineProvider({
  id: "eventbrite",
  name: "Eventbrite",
  type: "oauth",
  authorization: { url: "https://www.eventbrite.com/oauth/authorize", params: { scope: "user.profile" } },
  token: "https://www.eventbrite.com/oauth/token",
  userinfo: "https://www.eventbriteapi.com/v3/users/me/",
  client: { token_endpoint_auth_method: "client_secret_post" },
  profile: ({ id, name, emails, image_id }) => ({
    id,
    name,
    email: emails?.find((each) => each.primary)?.email,
    image: image_id
      ? `https://img.evbuc.com/https%3A%2F%2Fcdn.evbuc.com%2Fimages%2F${image_id}%2F1%2Foriginal.jpg`
      : null,
  }),
  style: { brandColor: "#f05537", icon },
})

export default Eventbrite
