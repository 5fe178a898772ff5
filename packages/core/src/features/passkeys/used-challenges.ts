import { sha256 } from "../../crypto/digest.js"
import { AdapterError, WebAuthnVerificationError } from "../../errors.js"
import type { VerificationToken } from "../../model/adapter.js"
import type { AuthContext } from "../../model/auth.js"
import { createThrottle } from "../../observability/throttle.js"
import { type BoundedMap, createBoundedMap, stateOf } from "../../primitives/state.js"
import { type TokenRows, addRecord, dropRecord, hasTokens, recordName } from "../../session/records.js"
import { type Attempt, lifetime } from "./attempts.js"

/** More than the rate limits let through in 15 minutes. About 100 bytes each. */
const maxRemembered = 20_000

interface Memory {
  readonly used: BoundedMap<string, true>
  /** Those that this process wrote, by token. */
  readonly rows: Map<string, VerificationToken>
  /** When this process used the first. Milliseconds since 1970. */
  readonly since: number
}

const memoryOf = stateOf(
  "webauthn-challenges",
  ({ runtime }: AuthContext): Memory => ({
    used: createBoundedMap(maxRemembered),
    rows: new Map(),
    since: runtime.now(),
  }),
)

/**
 * Marks a challenge as used, in the memory of this process and in the database, so that a copied request with its cookie
 * can't be sent again, also to another process.
 *
 * @throws WebAuthnVerificationError if it was used before
 */
export async function useChallenge(
  auth: AuthContext,
  { challenge, expires }: Pick<Attempt, "challenge" | "expires">,
): Promise<void> {
  const { used } = memoryOf(auth)
  const now = auth.runtime.now()
  if (used.get(challenge, now) === true) throw usedBefore()
  used.set(challenge, true, { expires, now })
  const { adapter } = auth
  if (!hasTokens(adapter)) return
  const row = { identifier, token: await sha256(`${identifier} ${challenge}`), expires: new Date(expires) }
  try {
    if (!(await addRecord(auth, adapter, row))) throw usedBefore()
    if (await isUsedByEarlierRelease(auth, adapter, challenge)) throw usedBefore()
    await dropExpired(auth, adapter, row)
  } catch (cause) {
    if (!(cause instanceof AdapterError) || auth.rules.boundPasskeys) throw cause
    warnOnce(auth, cause)
  }
}

const throttleOf = stateOf("unstored-challenges", () => createThrottle({ maxListeners: 100 }))

/** Auth.js v5 needs no table of verification tokens for passkeys, so an application may have none. */
function warnOnce(auth: AuthContext, cause: AdapterError): void {
  if (!throttleOf(auth).allows("", auth.logSink, auth.runtime.now())) return
  const text =
    "Used challenges of passkeys are only remembered in this process, because the verification tokens can't be stored"
  auth.logger.warn("store-capability-missing", `${text}: ${cause.message}`)
}

const identifier = recordName("webauthn-challenge")

/**
 * Earlier releases wrote rows under another name, which a visitor could type. Challenges live for 15 minutes, so a process that
 * starts after an update looks for these rows no longer than that.
 */
async function isUsedByEarlierRelease(auth: AuthContext, adapter: TokenRows, challenge: string): Promise<boolean> {
  if (auth.runtime.now() > memoryOf(auth).since + lifetime * 1000) return false
  const former = "webauthn-challenge"
  const token = await sha256(`${former} ${challenge}`)
  return Boolean(await adapter.useVerificationToken({ identifier: former, token }))
}

/** Each request adds up to four. */
const maxDropped = 8

/** The sealed cookie has expired as well, so the row isn't needed any more. */
async function dropExpired(auth: AuthContext, adapter: TokenRows, added: VerificationToken): Promise<void> {
  const { rows } = memoryOf(auth)
  rows.set(added.token, added)
  const [oldest] = rows.keys()
  // Its row stays in the database, where `latchkey db sweep` deletes it.
  if (rows.size > maxRemembered && oldest !== undefined) rows.delete(oldest)
  for (let dropped = 0; dropped < maxDropped; dropped += 1) {
    const [row] = rows.values()
    if (row === undefined || row.expires.getTime() > auth.runtime.now()) return
    rows.delete(row.token)
    await dropRecord(auth.logger, adapter, row)
  }
}

function usedBefore(): WebAuthnVerificationError {
  return new WebAuthnVerificationError("The challenge was used before. Start again")
}
