import type { Session } from "@latchkey/core/types"
import type { Context } from "./context.js"
import { audienceOf, sessionOf, tokenIn } from "./header.js"
import { issuerOf, type Site } from "./site.js"
import { isActive, verifyOwn } from "./tokens/own.js"

/** The session of a request with an access token. `null`: the token isn't one that counts here. */
export async function identify(site: Site, context: Context): Promise<Session | null> {
  const { headers } = context.request
  const token = await verifyOwn(site, context, tokenIn(headers), [audienceOf(site, issuerOf(site, context))])
  if (token === null || !(await isActive(site, context, token))) return null
  const user = site.isStateless ? null : await context.users.byId(token.sub)
  const { name, email, image } = user ?? {}
  return sessionOf(site, token, {
    ...(name != null && { name }),
    ...(email != null && { email }),
    ...(image != null && { image }),
  })
}
