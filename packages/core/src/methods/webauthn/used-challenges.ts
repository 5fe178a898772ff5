import { sha256 } from "../../crypto/digest.js"
import { AdapterError, AuthError, WebAuthnVerificationError } from "../../errors.js"
import type { Adapter, VerificationToken } from "../../model/adapter.js"
import type { AuthContext } from "../../model/auth.js"
import { createBoundedMap } from "../../primitives/bounded-map.js"
import { createThrottle } from "../../observability/throttle.js"
import { scopedToSite } from "../../primitives/state.js"
import type { Attempt } from "./attempts.js"

/** More than the rate limits let through in 15 minutes. About 100 bytes each. */
const maxRemembered = 20_000

const memoryOf = scopedToSite("webauthn-challenges", () => ({
  used: createBoundedMap<string, true>(maxRemembered),
  rows: new Map<string, VerificationToken>(),
}))

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
    await writeRow(adapter, row)
    await dropExpired(auth, adapter, row)
  } catch (cause) {
    if (!(cause instanceof AdapterError) || auth.mode === "strict") throw cause
    warnOnce(auth, cause)
  }
}

/** @throws WebAuthnVerificationError if the row exists */
async function writeRow(adapter: TokenRows, row: VerificationToken): Promise<void> {
  const key = { identifier, token: row.token }
  const earlier = await adapter.useVerificationToken(key)
  try {
    await adapter.createVerificationToken(row)
  } catch (cause) {
    // Another process may have written the row at the same moment.
    if (await adapter.useVerificationToken(key)) throw usedBefore()
    throw cause
  }
  if (earlier) throw usedBefore()
}

const throttleOf = scopedToSite("unstored-challenges", () => createThrottle({ maxListeners: 100 }))

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

/** The sealed cookie has expired as well, so the row isn't needed any more. */
async function dropExpired(auth: AuthContext, adapter: TokenRows, added: VerificationToken): Promise<void> {
  const { rows } = memoryOf(auth)
  rows.set(added.token, added)
  for (const [token, { expires }] of rows) {
    if (expires.getTime() > auth.runtime.now()) break
    rows.delete(token)
    try {
      await adapter.useVerificationToken({ identifier, token })
    } catch (cause) {
      auth.logger.error(new AuthError("Could not delete the row of an expired challenge. It can be deleted", { cause }))
    }
  }
}

function usedBefore(): WebAuthnVerificationError {
  return new WebAuthnVerificationError("The challenge was used before. Start again")
}
