import { sha256, toHex } from "../../crypto/digest.js"
import { AdapterError, AuthError, WebAuthnVerificationError } from "../../errors.js"
import type { Adapter, VerificationToken } from "../../model/adapter.js"
import type { AuthContext } from "../../model/auth.js"
import type { Logger } from "../../model/logger.js"
import { type BoundedMap, createBoundedMap } from "../../primitives/bounded-map.js"
import { createThrottle } from "../../observability/throttle.js"
import { scopedToNotices, scopedToSite } from "../../primitives/state.js"
import type { Attempt } from "./attempts.js"

/** More than the rate limits let through in 15 minutes. About 100 bytes each. */
const maxRemembered = 20_000

interface Memory {
  readonly used: BoundedMap<string, true>
  /** Those that this process wrote, by token. */
  readonly rows: Map<string, VerificationToken>
  /** Whether the database of an adapter refuses a second row with the same token. */
  readonly refusesCopies: WeakMap<object, boolean>
}

const memoryOf = scopedToSite(
  "webauthn-challenges",
  (): Memory => ({ used: createBoundedMap(maxRemembered), rows: new Map(), refusesCopies: new WeakMap() }),
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
    await writeRow(auth, adapter, row)
    await dropExpired(auth, adapter, row)
  } catch (cause) {
    if (!(cause instanceof AdapterError) || auth.mode === "strict") throw cause
    warnOnce(auth, cause)
  }
}

/** @throws WebAuthnVerificationError if the row exists */
async function writeRow(auth: AuthContext, adapter: TokenRows, row: VerificationToken): Promise<void> {
  const memory = memoryOf(auth).refusesCopies
  const isUnique = memory.get(adapter) ?? (await refusesCopies(auth, adapter, row))
  memory.set(adapter, isUnique)
  if (isUnique) return insertRow(adapter, row)
  // Reading a row deletes it, so a copy that arrives before it's back is accepted. Only a unique index prevents that.
  const earlier = await adapter.useVerificationToken(keyOf(row))
  if (!earlier) return void (await adapter.createVerificationToken(row))
  await insertRow(adapter, row)
  throw usedBefore()
}

async function insertRow(adapter: TokenRows, row: VerificationToken): Promise<void> {
  try {
    await adapter.createVerificationToken(row)
  } catch (cause) {
    throw usedBefore({ cause })
  }
}

/** Finds out with a random row, which is deleted again. */
async function refusesCopies(
  { runtime, logger }: AuthContext,
  adapter: TokenRows,
  { expires }: VerificationToken,
): Promise<boolean> {
  const probe = { identifier, token: toHex(runtime.random(32)), expires }
  await adapter.createVerificationToken(probe)
  try {
    await adapter.createVerificationToken(probe)
    await adapter.useVerificationToken(keyOf(probe))
    return false
  } catch {
    return true
  } finally {
    await drop(logger, adapter, probe)
  }
}

const throttleOf = scopedToNotices("unstored-challenges", () => createThrottle({ maxListeners: 100 }))

/** Auth.js v5 needs no table of verification tokens for passkeys, so an application may have none. */
function warnOnce(auth: AuthContext, cause: AdapterError): void {
  if (!throttleOf(auth).allows("", auth.logSink, auth.runtime.now())) return
  const text =
    "Used challenges of passkeys are only remembered in this process, because the verification tokens can't be stored"
  auth.logger.warn("store-capability-missing", `${text}: ${cause.message}`)
}

/** Not an email, so no email link can have it. */
const identifier = "webauthn-challenge"

type TokenRows = Required<Pick<Adapter, "createVerificationToken" | "useVerificationToken">>

function hasTokens(adapter: Adapter | undefined): adapter is Adapter & TokenRows {
  return adapter?.createVerificationToken !== undefined && adapter.useVerificationToken !== undefined
}

/** Each request adds up to four. */
const maxDropped = 8

/** The sealed cookie has expired as well, so the row isn't needed any more. */
async function dropExpired(auth: AuthContext, adapter: TokenRows, added: VerificationToken): Promise<void> {
  const { rows } = memoryOf(auth)
  rows.set(added.token, added)
  for (let dropped = 0; dropped < maxDropped; dropped += 1) {
    const [row] = rows.values()
    if (row === undefined || row.expires.getTime() > auth.runtime.now()) return
    rows.delete(row.token)
    await drop(auth.logger, adapter, row)
  }
}

async function drop(logger: Logger, adapter: TokenRows, row: VerificationToken): Promise<void> {
  try {
    await adapter.useVerificationToken(keyOf(row))
  } catch (cause) {
    logger.error(new AuthError("Could not delete the row of an expired challenge. It can be deleted", { cause }))
  }
}

function keyOf({ token }: VerificationToken): { readonly identifier: string; readonly token: string } {
  return { identifier, token }
}

function usedBefore(options?: ErrorOptions): WebAuthnVerificationError {
  return new WebAuthnVerificationError("The challenge was used before. Start again", options)
}
