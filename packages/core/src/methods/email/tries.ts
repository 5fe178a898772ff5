import { Verification } from "../../errors.js"
import type { VerificationToken } from "../../model/adapter.js"
import type { AuthContext } from "../../model/auth.js"
import { createBoundedMap } from "../../primitives/bounded-map.js"
import { mutexOf } from "../../primitives/keyed-mutex.js"
import { scopedToSite } from "../../primitives/state.js"
import type { AskedLink, StoredRow } from "./asked-link.js"
import { checked, tokenStore } from "./token.js"

export const maxTries = 5

/** Each wrong try ends the stored token this much sooner. Some databases store whole seconds. Milliseconds. */
const step = 10_000

const tries = scopedToSite("code-tries", () => createBoundedMap<string, number>(10_000))

/** How many wrong codes were tried in this process that may have been meant for this link. */
export function triesOf(auth: AuthContext, { token }: AskedLink): number {
  return tries(auth).get(token) ?? 0
}

/** Counts a try and returns whether one was left. Both happen in one step, since attackers try in parallel. */
function countTry(auth: AuthContext, link: AskedLink): boolean {
  const before = triesOf(auth, link)
  tries(auth).set(link.token, before + 1)
  return before < maxTries
}

/**
 * Counts a try for a link. The database takes out the row of the link in one atomic step, so the try counts in every process:
 * the row goes back with an earlier expiry. A right code uses it up, if a try was left.
 *
 * @returns the used token of a right code
 */
export async function tryCode(
  auth: AuthContext,
  link: AskedLink,
  isRight: boolean,
): Promise<VerificationToken | undefined> {
  const { row } = link
  if (!countTry(auth, link) || row === undefined) return undefined
  const adapter = tokenStore(auth)
  return mutexOf(auth).runExclusive(row.token, async () => {
    const found = await adapter.useVerificationToken({ identifier: row.identifier, token: row.token })
    const used = found ? unexpired(auth, found, row) : undefined
    if (used === undefined) return undefined
    const isLeft = hasTriesLeft(row, used)
    if (isRight && isLeft) return used
    const expires = new Date(used.expires.getTime() - (isLeft ? step : 0))
    await adapter.createVerificationToken({ ...used, expires })
    return undefined
  })
}

/** Whether a token that was taken out of the database may still be used, after the tries that any process counted. */
export function hasTriesLeft({ expires }: Pick<StoredRow, "expires">, used: VerificationToken): boolean {
  return Math.round((expires - used.expires.getTime()) / step) < maxTries
}

function unexpired(auth: AuthContext, found: VerificationToken, row: StoredRow): VerificationToken | undefined {
  try {
    return checked(found, row.identifier, row.token, auth.runtime.now())
  } catch (cause) {
    if (cause instanceof Verification) return undefined
    throw cause
  }
}
