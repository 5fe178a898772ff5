import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { type Context, fetchJson, valueAt } from "../provider-kit/fetch-json.js"
import { icon } from "../provider-kit/generated/icons/lichess.js"

/** The profile that Lichess returns. */
export interface LichessProfile extends ServiceProfile {
  readonly id: string
  readonly username: string
  readonly email?: string | null
}

/**
 * Sign in with Lichess, using OAuth 2.0.
 *
 * You don't have to register. Choose a client id, such as the host name of your site, and set `AUTH_LICHESS_ID`. The
 * callback URL is `https://<your site>/auth/callback/lichess` (`/api/auth/callback/lichess` with Next.js).
 *
 * Scope: `email:read`. The user gets a name and an email, but no image.
 *
 * @example
 * ```ts
 * import Lichess from "@latchkey/core/providers/lichess"
 * export const provider = Lichess()
 * ```
 * @see https://lichess.org/api#tag/OAuth
 */
const Lichess: ProviderFactory<LichessProfile, object, "lichess"> = defineProvider({
  id: "lichess",
  name: "Lichess",
  type: "oauth",
  authorization: { url: "https://lichess.org/oauth", params: { scope: "email:read" } },
  token: "https://lichess.org/api/token",
  userinfo: { url: "https://lichess.org/api/account", request: readAccount },
  checks: ["pkce", "state"],
  client: { token_endpoint_auth_method: "none" },
  profile: ({ id, username, email }) => ({ id, name: username, email: email ?? null, image: null }),
  style: { brandColor: "#000", icon },
})

export default Lichess

async function readAccount(context: Context): Promise<unknown> {
  const account = await fetchJson(context, "https://lichess.org/api/account")
  const email = valueAt(await fetchJson(context, "https://lichess.org/api/account/email"), "email")
  return { ...account, email }
}
