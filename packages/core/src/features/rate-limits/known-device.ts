import { sha256, toHex } from "../../crypto/digest.js"
import { setCookie } from "../../http/cookie.js"
import type { AuthContext } from "../../model/auth.js"
import type { CountedAttempt } from "../../model/features.js"
import type { SetCookie } from "../../model/cookie.js"
import type { AuthRequest } from "../../model/http.js"
import type { RateLimitAction } from "../../model/limits.js"
import { limitFor } from "./default-limits.js"

/** A browser in which users signed in with a password or by email. It's sealed in a cookie. */
interface KnownDevice {
  readonly id: string
  /** Digests of the names that users signed in with, the latest first. */
  readonly users: readonly string[]
}

const purpose = "known device"

/** More users of one browser share the budget of unknown devices. */
const maxUsers = 5

/** The id of this browser, if it has a budget of its own: users signed in with each of these names before. */
export async function knownDevice(
  auth: AuthContext,
  request: AuthRequest,
  { action, deviceNames = () => [] }: CountedAttempt,
): Promise<string | undefined> {
  const device = limitFor(auth.rateLimit, action, "device") ? await deviceOf(request) : undefined
  if (device === undefined) return undefined
  const digests = await Promise.all((await deviceNames()).map(digestOf))
  return digests.length > 0 && digests.every((digest) => device.users.includes(digest)) ? device.id : undefined
}

/** The cookie that makes this browser a known device of a user who signed in. A sign-out keeps it. */
export async function rememberDevice(
  auth: AuthContext,
  request: AuthRequest,
  actions: readonly RateLimitAction[],
  names: readonly string[],
): Promise<readonly SetCookie[]> {
  if (names.length === 0 || !actions.some((action) => limitFor(auth.rateLimit, action, "device"))) return []
  const { cookies, sealer } = request.scheme
  const { id = toHex(auth.runtime.random(16)), users: former = [] } = (await deviceOf(request)) ?? {}
  const own = await Promise.all(names.map(digestOf))
  const users = [...new Set([...own, ...former])].slice(0, maxUsers)
  return [setCookie(cookies.device, await sealer.seal(purpose, { id, users }, cookies.device.options.maxAge ?? 0))]
}

/** `undefined`: no cookie, or not one of this site. */
async function deviceOf({ scheme, cookies }: AuthRequest): Promise<KnownDevice | undefined> {
  const sealed = cookies.get(scheme.cookies.device.name)
  if (sealed === undefined) return undefined
  try {
    const { id, users } = (await scheme.sealer.open(purpose, sealed)).payload
    if (typeof id !== "string" || !Array.isArray(users)) return undefined
    return { id, users: users.filter((user) => typeof user === "string") }
  } catch {
    return undefined
  }
}

/** The cookie is encrypted. A digest also keeps it short. */
async function digestOf(name: string): Promise<string> {
  return (await sha256(`${purpose} ${name}`)).slice(0, 32)
}
