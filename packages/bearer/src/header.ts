import type { Session } from "@latchkey/core/types"
import type { BearerOptions } from "./options.js"
import type { AccessToken } from "./verify/verify.js"

// What middleware needs, too.

/** Whether a request has credentials in `Authorization` that are for this module, right or wrong. */
export function hasToken(headers: Headers): boolean {
  return /^\s*(?:bearer|dpop)(?:\s|$)/i.test(headers.get("authorization") ?? "")
}

/** Empty: there is none. */
export function tokenIn(headers: Headers): string {
  return /^Bearer +([\w.-]+)$/i.exec(headers.get("authorization") ?? "")?.[1] ?? ""
}

/** The audience of tokens for the site itself. Not the host of the request, which may be that of another API. */
export function audienceOf({ accepts }: Pick<BearerOptions, "accepts">, issuer: string): string {
  return accepts ?? new URL(issuer).origin
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
