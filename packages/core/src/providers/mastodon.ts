import type { RawProfile } from "../model/provider.js"
import { urlBelow } from "../provider-kit/issuer-url.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The signed-in person, as known to Mastodon. */
export interface MastodonProfile extends RawProfile {
  readonly id: string
  readonly username: string
  readonly avatar_static: string
}

/**
 * Sign-in with Mastodon, by OAuth 2.
 *
 * Set-up: register an application at Mastodon with the callback URL `https://<your site>/auth/callback/mastodon`
 * (`/api/auth/…` under Next.js), and set `AUTH_MASTODON_ID`, `AUTH_MASTODON_SECRET` and `AUTH_MASTODON_ISSUER`.
 * The issuer is the base URL of the instance, such as `https://mastodon.social`.
 * Scope: `read`. The profile gives the name and a picture, but no e-mail address.
 *
 * - Ids are unique within one instance only, so several instances need several provider ids.
 *
 * @example
 * ```ts
 * import Mastodon from "@latchkey/core/providers/mastodon"
 * export const provider = Mastodon({ issuer: "https://mastodon.social" })
 * ```
 * @see https://docs.joinmastodon.org/client/authorized/
 */
const Mastodon: ProviderFactory<MastodonProfile> = defineProvider<MastodonProfile>(({ issuer }) => ({
  id: "mastodon",
  name: "Mastodon",
  type: "oauth",
  authorization: { url: urlBelow(issuer, "/oauth/authorize"), params: { scope: "read" } },
  token: urlBelow(issuer, "/oauth/token"),
  userinfo: urlBelow(issuer, "/api/v1/accounts/verify_credentials"),
  profile: ({ id, username, avatar_static }) => ({ id, name: username, image: avatar_static, email: null }),
}))

export default Mastodon
