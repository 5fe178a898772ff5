import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { fetchJson } from "../provider-kit/fetch-json.js"
import { icon } from "../provider-kit/generated/icons/dropbox.js"

/** The profile that Dropbox returns. */
export interface DropboxProfile extends ServiceProfile {
  readonly account_id: string
  readonly name: { readonly display_name: string }
  readonly email: string
  readonly profile_photo_url: string
}

/**
 * Sign in with Dropbox, using OAuth 2.0.
 *
 * 1. Register an application at https://www.dropbox.com/developers/apps with the callback URL
 *    `https://<your site>/auth/callback/dropbox` (`/api/auth/callback/dropbox` with Next.js).
 * 2. Set `AUTH_DROPBOX_ID` and `AUTH_DROPBOX_SECRET`.
 *
 * Scope: `account_info.read`. The user gets a name, an email and an image.
 *
 * - `token_access_type=offline` is sent, so that you get a refresh token.
 *
 * @example
 * ```ts
 * import Dropbox from "@latchkey/core/providers/dropbox"
 * export const provider = Dropbox()
 * ```
 * @see https://developers.dropbox.com/oauth-guide
 */
const Dropbox: ProviderFactory<DropboxProfile, object, "dropbox"> = defineProvider({
  id: "dropbox",
  name: "Dropbox",
  type: "oauth",
  authorization: {
    url: "https://www.dropbox.com/oauth2/authorize",
    params: { token_access_type: "offline", scope: "account_info.read" },
  },
  token: "https://api.dropboxapi.com/oauth2/token",
  userinfo: {
    url: "https://api.dropboxapi.com/2/users/get_current_account",
    request: (context) =>
      fetchJson(context, "https://api.dropboxapi.com/2/users/get_current_account", { method: "POST" }),
  },
  profile: ({ account_id, name, email, profile_photo_url }) => ({
    id: account_id,
    name: name.display_name,
    email,
    image: profile_photo_url,
  }),
  style: { brandColor: "#0061fe", icon },
})

export default Dropbox
