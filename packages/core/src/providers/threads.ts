import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/threads.js"

/** The profile that Threads returns. */
export interface ThreadsProfile extends ServiceProfile, Partial<ThreadsUser> {
  /** Some responses wrap the user in `data`. */
  readonly data?: ThreadsUser
}

interface ThreadsUser {
  readonly id: string
  readonly username?: string
  readonly threads_profile_picture_url?: string
}

/**
 * Sign in with Threads, using OAuth 2.0.
 *
 * 1. Register an application at https://developers.facebook.com/apps with the callback URL
 *    `https://<your site>/auth/callback/threads` (`/api/auth/callback/threads` with Next.js).
 * 2. Set `AUTH_THREADS_ID` and `AUTH_THREADS_SECRET`.
 *
 * Scope: `threads_basic`. The user gets a name and an image, but no email.
 *
 * - Meta accepts https callback URLs only.
 * - Separate scopes with commas.
 * - The access token lasts an hour.
 *
 * @example
 * ```ts
 * import Threads from "@latchkey/core/providers/threads"
 * export const provider = Threads()
 * ```
 * @see https://developers.facebook.com/docs/threads
 */
const Threads: ProviderFactory<ThreadsProfile, object, "threads"> = defineProvider({
  id: "threads",
  name: "Threads",
  type: "oauth",
  authorization: "https://threads.net/oauth/authorize?scope=threads_basic",
  token: "https://graph.threads.net/oauth/access_token",
  userinfo: "https://graph.threads.net/v1.0/me?fields=id,username,threads_profile_picture_url",
  checks: ["state"],
  client: { token_endpoint_auth_method: "client_secret_post" },
  profile: ({ data, id, username, threads_profile_picture_url }) => ({
    id: data?.id ?? id,
    name: data?.username ?? username ?? null,
    email: null,
    image: data?.threads_profile_picture_url ?? threads_profile_picture_url ?? null,
  }),
  style: { brandColor: "#000", icon },
})

export default Threads
