import type { ServiceProfile } from "../model/provider.js"
import { type ProviderFactory, defineProvider } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/mastodon.js"
import { urlBelow } from "../provider-kit/options.js"

/** The profile that Mastodon returns. */
export interface MastodonProfile extends ServiceProfile {
  readonly id: string
  readonly username: string
  readonly avatar_static: string
}

/**
 * Sign in with Mastodon, using OAuth 2.0.
 *
 * 1. Create an application in the development settings of your Mastodon account with the redirect URI
 *    `https://<your site>/auth/callback/mastodon` (`/api/auth/callback/mastodon` with Next.js).
 * 2. Set `AUTH_MASTODON_ID` and `AUTH_MASTODON_SECRET`.
 * 3. Set `AUTH_MASTODON_ISSUER` to the URL of the instance, for example `https://mastodon.social`.
 *
 * Scope: `read`. The user gets a name and an image, but no email.
 *
 * - Ids are unique within one instance. Give each instance its own provider `id`.
 *
 * @example
 * ```ts
 * import Mastodon from "@latchkey/core/providers/mastodon"
 * export const provider = Mastodon({ issuer: "https://mastodon.social" })
 * ```
 * @see https://docs.joinmastodon.org/client/authorized/
 */
const Mastodon: ProviderFactory<MastodonProfile, object, "mastodon"> = defineProvider(({ issuer }) => ({
  id: "mastodon",
  name: "Mastodon",
  type: "oauth",
  style: { icon },
  authorization: urlBelow(issuer, "/oauth/authorize?scope=read"),
  token: urlBelow(issuer, "/oauth/token"),
  userinfo: urlBelow(issuer, "/api/v1/accounts/verify_credentials"),
  profile: ({ id, username, avatar_static }) => ({ id, name: username, image: avatar_static, email: null }),
}))

export default Mastodon
