import type { Session } from "@latchkey/core/types"
import type { Context } from "./context.js"
import type { BearerOptions } from "./options.js"
import type { Site } from "./site.js"
import { isActive, verifyOwn } from "./tokens/own.js"
import type { AccessToken } from "./verify/verify.js"

/** The session of a request with an access token. `null`: the token isn't one that counts here. */
export async function identify(site: Site, context: Context): Promise<Session | null> {
  const { headers, origin } = context.request
  const token = await verifyOwn(site, context, tokenIn(headers), [site.accepts ?? origin])
  if (token === null || !(await isActive(site, context, token))) return null
  const user = site.isStateless ? null : await context.users.byId(token.sub)
  const { name, email, image } = user ?? {}
  return sessionOf(site, token, {
    ...(name != null && { name }),
    ...(email != null && { email }),
    ...(image != null && { image }),
  })
}

/** Whether a request has credentials in `Authorization` that are for this module, right or wrong. */
export function hasToken(headers: Headers): boolean {
  return /^\s*(?:bearer|dpop)(?:\s|$)/i.test(headers.get("authorization") ?? "")
}

/** Empty: there is none. */
export function tokenIn(headers: Headers): string {
  return /^Bearer +([\w.-]+)$/i.exec(headers.get("authorization") ?? "")?.[1] ?? ""
}

/** The session that a token stands for. */
export async function sessionOf(
  { session: change }: Pick<BearerOptions, "session">,
  token: AccessToken,
  known: object,
): Promise<Session> {
  const { sub, exp, client_id: clientId, scope = "" } = token
  const user = { id: sub, ...known }
  const bearer = { clientId, scope: scope === "" ? [] : scope.split(" ") }
  const session: Session = Object.assign({ user, expires: new Date(exp * 1000).toISOString() }, { bearer })
  return change === undefined ? session : change({ session, token })
}
