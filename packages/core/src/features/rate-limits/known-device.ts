import { sha256, toHex } from "../../crypto/digest.js"
import { setCookie } from "../../http/cookie.js"
import type { AuthContext } from "../../model/auth.js"
import type { SetCookie } from "../../model/cookie.js"
import type { AuthRequest } from "../../model/http.js"
import type { RateLimitAction } from "../../model/limits.js"
import { limitsFor } from "./default-limits.js"

/** A browser in which users signed in with a password or by email. It's sealed in a cookie. */
export interface KnownDevice {
  readonly id: string
  /** Digests of the names that users signed in with, the latest first. */
  readonly users: readonly string[]
}

const purpose = "known device"

/** More users of one browser share the budget of unknown devices. */
const maxUsers = 5

/** `undefined`: no cookie, or not one of this site. */
export async function knownDevice({ scheme, cookies }: AuthRequest): Promise<KnownDevice | undefined> {
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

/** Whether users signed in with each of these names before. */
export async function isKnownFor({ users }: KnownDevice, names: readonly string[]): Promise<boolean> {
  const digests = await Promise.all(names.map(digestOf))
  return digests.length > 0 && digests.every((digest) => users.includes(digest))
}

/** The cookie that makes this browser a known device of a user who signed in. A sign-out keeps it. */
export async function rememberDevice(
  auth: AuthContext,
  request: AuthRequest,
  actions: readonly RateLimitAction[],
  names: readonly string[],
): Promise<readonly SetCookie[]> {
  const counts = actions.some((action) => Boolean(limitsFor(auth.rateLimit, action)?.device))
  if (!counts || names.length === 0) return []
  const { scheme } = request
  const former = await knownDevice(request)
  const own = await Promise.all(names.map(digestOf))
  const users = [...new Set([...own, ...(former?.users ?? [])])].slice(0, maxUsers)
  const maxAge = scheme.cookies.device.options.maxAge ?? 0
  const id = former?.id ?? toHex(auth.runtime.random(16))
  return [setCookie(scheme.cookies.device, await scheme.sealer.seal(purpose, { id, users }, maxAge))]
}

/** The cookie is encrypted. A digest also keeps it short. */
async function digestOf(name: string): Promise<string> {
  return (await sha256(`${purpose} ${name}`)).slice(0, 32)
}
