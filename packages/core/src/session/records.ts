import { toHex } from "../crypto/digest.js"
import { AuthError } from "../errors.js"
import type { Adapter, VerificationToken } from "../model/adapter.js"
import type { Logger } from "../model/logger.js"
import { errorsIn } from "../observability/causes.js"
import type { Runtime } from "../primitives/runtime.js"
import { type OfSite, stateOf } from "../primitives/state.js"

/** The table of verification tokens. Every adapter of Auth.js v5 has it, so it also holds records that something happened. */
export type TokenRows = Required<Pick<Adapter, "createVerificationToken" | "useVerificationToken">>

export function hasTokens(adapter: Adapter | undefined): adapter is Adapter & TokenRows {
  return adapter?.createVerificationToken !== undefined && adapter.useVerificationToken !== undefined
}

/** In no identifier of a visitor, and in that of every record. */
const mark = ";"

/**
 * The identifier of a record. Without the mark, an application that accepts any text as an email would let visitors delete
 * records, or add some.
 */
export function recordName(kind: string, owner: string = ""): string {
  return `latchkey${mark}${kind}${owner === "" ? "" : ` ${owner}`}`
}

/** Whether a database could take a text for the identifier of a record. `;` is in no email, and separates several. */
export function mayNameRecord(identifier: string): boolean {
  return identifier.normalize("NFKD").includes(mark)
}

export interface RecordContext extends OfSite {
  readonly runtime: Pick<Runtime, "random">
  readonly logger: Logger
}

/** Whether the database of an adapter refuses a second row with the same token. */
const uniquenessOf = stateOf("records", () => new WeakMap<object, boolean>())

/**
 * Adds a record. `false`: it exists. With a unique index, parallel calls can't both add it. Without one, reading a row deletes
 * it, so a call that arrives before it's back adds it again.
 */
export async function addRecord(context: RecordContext, adapter: TokenRows, row: VerificationToken): Promise<boolean> {
  if (await refusesCopies(context, adapter, row)) return insertOnce(context, adapter, row)
  const earlier = await adapter.useVerificationToken(keyOf(row))
  if (!earlier) return (await adapter.createVerificationToken(row), true)
  await insert(adapter, row)
  return false
}

/**
 * Whether the database refuses a second row with the same token. Found out with a random row, which is deleted again.
 *
 * @throws the error of the database if it fails meanwhile. The next call tries again.
 */
export async function refusesCopies(
  context: RecordContext,
  adapter: TokenRows,
  { identifier, expires }: Pick<VerificationToken, "identifier" | "expires">,
): Promise<boolean> {
  const known = uniquenessOf(context)
  const isUnique = known.get(adapter) ?? (await tryCopies(context, adapter, { identifier, expires }))
  known.set(adapter, isUnique)
  return isUnique
}

async function tryCopies(
  context: RecordContext,
  adapter: TokenRows,
  row: Pick<VerificationToken, "identifier" | "expires">,
): Promise<boolean> {
  const probe = { ...row, token: toHex(context.runtime.random(32)) }
  await adapter.createVerificationToken(probe)
  try {
    return !(await storesCopy(context, adapter, probe))
  } finally {
    await dropRecord(context.logger, adapter, probe)
  }
}

/** A failure may be over at the next try, so it takes several to tell that the database refuses the copy and works. */
const maxTries = 3

async function storesCopy(context: RecordContext, adapter: TokenRows, probe: VerificationToken): Promise<boolean> {
  for (let tries = 0; tries < maxTries; tries++) {
    try {
      await adapter.createVerificationToken(probe)
      await adapter.useVerificationToken(keyOf(probe))
      return true
    } catch (cause) {
      if (isUniqueViolation(cause)) return false
      await assertWorking(context, adapter, probe, cause)
    }
  }
  return false
}

/** The code that `UniqueViolation` of `@latchkey/adapter-kit` has. */
function isUniqueViolation(cause: unknown): boolean {
  return cause instanceof Error && errorsIn(cause).some((error) => "code" in error && error.code === "LATCHKEY_UNIQUE")
}

/**
 * Stores another row. If that fails too, the database doesn't work, and the refused row may not exist.
 *
 * @throws `cause`
 */
async function assertWorking(
  { runtime, logger }: RecordContext,
  adapter: TokenRows,
  row: VerificationToken,
  cause: unknown,
): Promise<void> {
  const probe = { ...row, token: toHex(runtime.random(32)) }
  try {
    await adapter.createVerificationToken(probe)
  } catch {
    throw cause
  }
  await dropRecord(logger, adapter, probe)
}

async function insertOnce(context: RecordContext, adapter: TokenRows, row: VerificationToken): Promise<boolean> {
  try {
    await adapter.createVerificationToken(row)
    return true
  } catch (cause) {
    await assertWorking(context, adapter, row, cause)
    // The failure may be over.
    return insert(adapter, row)
  }
}

async function insert(adapter: TokenRows, row: VerificationToken): Promise<boolean> {
  try {
    await adapter.createVerificationToken(row)
    return true
  } catch {
    return false
  }
}

export async function dropRecord(
  logger: Logger,
  adapter: TokenRows,
  row: Pick<VerificationToken, "identifier" | "token">,
): Promise<void> {
  try {
    await adapter.useVerificationToken(keyOf(row))
  } catch (cause) {
    logger.error(new AuthError("Could not delete a record that isn't needed anymore. It can be deleted", { cause }))
  }
}

function keyOf({ identifier, token }: Pick<VerificationToken, "identifier" | "token">): {
  readonly identifier: string
  readonly token: string
} {
  return { identifier, token }
}
