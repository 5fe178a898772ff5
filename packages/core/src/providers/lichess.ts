import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { type Context, fetchJson, valueAt } from "../provider-kit/fetch-json.js"

/** The signed-in person, as known to Lichess. */
export interface LichessProfile extends RawProfile {
  readonly id: string
  readonly username: string
  readonly email?: string | null
}

/**
 * Sign-in with Lichess, by OAuth 2.
 *
 * Set-up: nothing has to be registered: choose a client id, such as the name of your site, and use it with the
 * callback URL `https://<your site>/auth/callback/lichess` (`/api/auth/…` under Next.js), and set `AUTH_LICHESS_ID`.
 * Scope: `email:read`. The profile gives the name and the e-mail address, but no picture.
 *
 * - The e-mail address takes a second request.
 *
 * @example
 * ```ts
 * import Lichess from "@latchkey/core/providers/lichess"
 * export const provider = Lichess()
 * ```
 * @see https://lichess.org/api#tag/OAuth
 */
const Lichess: ProviderFactory<LichessProfile> = defineProvider<LichessProfile>({
  id: "lichess",
  name: "Lichess",
  type: "oauth",
  authorization: { url: "https://lichess.org/oauth", params: { scope: "email:read" } },
  token: "https://lichess.org/api/token",
  userinfo: { url: "https://lichess.org/api/account", request: readAccount },
  checks: ["pkce", "state"],
  client: { token_endpoint_auth_method: "none" },
  profile: ({ id, username, email }) => ({ id, name: username, email: email ?? null, image: null }),
  style: { brandColor: "#000" },
})

export default Lichess

async function readAccount(context: Context): Promise<unknown> {
  const account = await fetchJson(context, "https://lichess.org/api/account")
  const email = valueAt(await fetchJson(context, "https://lichess.org/api/account/email"), "email")
  return { ...account, email }
}
