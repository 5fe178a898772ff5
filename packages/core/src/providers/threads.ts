import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The signed-in person, as known to Threads. */
export interface ThreadsProfile extends RawProfile, Partial<ThreadsUser> {
  /** Some answers come in an envelope. */
  readonly data?: ThreadsUser
}

interface ThreadsUser {
  readonly id: string
  readonly username?: string
  readonly threads_profile_picture_url?: string
}

/**
 * Sign-in with Threads, by OAuth 2.
 *
 * Set-up: register an application at Threads with the callback URL `https://<your site>/auth/callback/threads`
 * (`/api/auth/…` under Next.js), and set `AUTH_THREADS_ID` and `AUTH_THREADS_SECRET`.
 * Scope: `threads_basic`. The profile gives the name and a picture, but no e-mail address.
 *
 * - Callback URLs must be HTTPS.
 * - Several scopes are separated by commas.
 * - The access token lives for an hour.
 *
 * @example
 * ```ts
 * import Threads from "@latchkey/core/providers/threads"
 * export const provider = Threads()
 * ```
 * @see https://developers.facebook.com/docs/threads
 */
const Threads: ProviderFactory<ThreadsProfile> = defineProvider<ThreadsProfile>({
  id: "threads",
  name: "Threads",
  type: "oauth",
  authorization: { url: "https://threads.net/oauth/authorize", params: { scope: "threads_basic" } },
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
  style: { brandColor: "#000" },
})

export default Threads
