import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/bitbucket.js"

/** The profile that Bitbucket returns. */
export interface BitbucketProfile extends ServiceProfile {
  readonly account_id: string
  readonly display_name: string
  readonly username: string
  readonly links: { readonly avatar?: { readonly href: string } | null }
}

/**
 * Sign in with Bitbucket, using OAuth 2.0.
 *
 * 1. Add an OAuth consumer in the settings of your Bitbucket workspace with the callback URL
 *    `https://<your site>/auth/callback/bitbucket` (`/api/auth/callback/bitbucket` with Next.js).
 * 2. Set `AUTH_BITBUCKET_ID` and `AUTH_BITBUCKET_SECRET`.
 *
 * Scope: `account`. The user gets a name and an image, but no email.
 *
 * @example
 * ```ts
 * import Bitbucket from "@latchkey/core/providers/bitbucket"
 * export const provider = Bitbucket()
 * ```
 * @see https://support.atlassian.com/bitbucket-cloud/docs/use-oauth-on-bitbucket-cloud/
 */
const Bitbucket: ProviderFactory<BitbucketProfile, object, "bitbucket"> = defineProvider({
  id: "bitbucket",
  name: "Bitbucket",
  type: "oauth",
  authorization: { url: "https://bitbucket.org/site/oauth2/authorize", params: { scope: "account" } },
  token: "https://bitbucket.org/site/oauth2/access_token",
  userinfo: "https://api.bitbucket.org/2.0/user",
  profile: ({ account_id, display_name, username, links }) => ({
    id: account_id,
    name: display_name ?? username,
    image: links.avatar?.href,
  }),
  style: { brandColor: "#205081", icon },
})

export default Bitbucket
