import { sha256 } from "@latchkey/core/module"
import type { Context, Result } from "./context.js"
import { endAll } from "./end.js"
import { nameOf } from "./sign-ins.js"

const event = "http://schemas.openid.net/event/backchannel-logout"

/** How old a token may be, and by how much clocks may differ. Seconds. */
const maxAge = 600
const tolerance = 60

/** How long a token could be sent again, or an ID token from before the logout be used. Seconds. */
const remembered = 2 * (maxAge + tolerance)

/** Characters. */
const maxName = 1024

/** POST backchannel-logout/:provider (OpenID Connect Back-Channel Logout 1.0 §2.5). */
export async function backChannelLogout(context: Context): Promise<Result> {
  const { params, fields } = context.request
  const provider = params["provider"] ?? ""
  const logout = await readToken(context, provider, fields["logout_token"])
  if (logout === undefined) {
    // A stranger may have made it up.
    const isKnown = (await context.openId(provider)) !== null
    await context.emit("refused", null, { outcome: "failure", ...(isKnown && { data: { provider } }) })
    return context.json({ error: "invalid_request" }, 400)
  }
  const id = await sha256(JSON.stringify([provider, logout.iss, logout.jti]))
  // The provider may send a token twice, and an attacker a token from before the user signed in again.
  if (!(await context.records.seen.insert({ id }, { expiresIn: remembered }))) return context.empty(200)
  try {
    await logOut(context, provider, logout)
    return context.empty(200)
  } catch {
    await context.records.seen.remove({ id })
    await context.emit("failed", null, { outcome: "failure", data: { provider } })
    return context.json({ error: "temporarily_unavailable" }, 400)
  }
}

interface Logout {
  readonly iss: string
  readonly iat: number
  readonly jti: string
  readonly sub?: string | undefined
  readonly sid?: string | undefined
}

/** `undefined`: it isn't a logout token of this provider. */
async function readToken(context: Context, provider: string, token: unknown): Promise<Logout | undefined> {
  const openId = await context.openId(provider)
  if (openId === null || typeof token !== "string") return undefined
  const claims = await openId.verify(token, "logout+jwt").catch(() => undefined)
  return claims && checked(claims, context.now() / 1000)
}

/** §2.4 and §2.6. Core has checked the signature, `iss`, `aud` and `exp`. A nonce would be one of an ID token. */
function checked(
  { iss, iat, jti, sub, sid, nonce, events }: Readonly<Record<string, unknown>>,
  now: number,
): Logout | undefined {
  if (!isNow(iat, now) || !isLogout(events) || nonce !== undefined || !isName(iss) || !isName(jti)) return undefined
  if (!isNameOrNone(sub) || !isNameOrNone(sid) || (sub ?? sid) === undefined) return undefined
  return { iss, iat: Math.floor(iat), jti, sub, sid }
}

function isNow(iat: unknown, now: number): iat is number {
  return typeof iat === "number" && iat <= now + tolerance && iat >= now - maxAge
}

function isLogout(events: unknown): boolean {
  return isObject(events) && isObject(Object.getOwnPropertyDescriptor(events, event)?.value)
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= maxName
}

function isNameOrNone(value: unknown): value is string | undefined {
  return value === undefined || isName(value)
}

async function logOut(context: Context, provider: string, { iss, iat, sub, sid }: Logout): Promise<void> {
  const { records } = context
  const subject = sub === undefined ? undefined : await nameOf("sub", provider, iss, sub)
  const session = sid === undefined ? undefined : await nameOf("sid", provider, iss, sid)
  const name = session ?? subject ?? ""
  await records.ended.insert({ name, at: iat }, { expiresIn: remembered })
  const ofSession = session === undefined ? [] : (await records.signIn.find({ sid: session })).items
  const ofUser = subject === undefined ? [] : (await records.signIn.find({ subject })).items
  // Of a sign-in whose ID token named no session, only the user is known.
  const meant = [
    ...ofSession.filter((each) => subject === undefined || each.subject === subject),
    ...ofUser.filter((each) => session === undefined || each.sid === undefined),
  ]
  // A sign-in that replaces one of these sessions at this moment takes its record along.
  for (const each of meant) await records.ended.insert({ name: each.name, at: iat }, { expiresIn: remembered })
  const count = await endAll(context, meant, "backchannel-logout")
  const [first] = meant
  await context.emit("ended", first === undefined ? null : { id: first.userId }, { data: { provider, count } })
}
