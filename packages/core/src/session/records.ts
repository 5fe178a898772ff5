import { toHex } from "../crypto/digest.js"
import { AuthError } from "../errors.js"
import type { Adapter, VerificationToken } from "../model/adapter.js"
import type { Logger } from "../model/logger.js"
import type { Runtime } from "../primitives/runtime.js"
import { type Scoped, scopedToSite } from "../primitives/state.js"

/** The table of verification tokens. Every adapter of Auth.js v5 has it, so it also holds records that something happened. */
export type TokenRows = Required<Pick<Adapter, "createVerificationToken" | "useVerificationToken">>

export function hasTokens(adapter: Adapter | undefined): adapter is Adapter & TokenRows {
  return adapter?.createVerificationToken !== undefined && adapter.useVerificationToken !== undefined
}

export interface RecordContext extends Scoped {
  readonly runtime: Pick<Runtime, "random">
  readonly logger: Logger
}

/** Whether the database of an adapter refuses a second row with the same token. */
const uniquenessOf = scopedToSite("records", () => new WeakMap<object, boolean>())

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

/** Whether the database refuses a second row with the same token. Found out with a random row, which is deleted again. */
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
  { runtime, logger }: RecordContext,
  adapter: TokenRows,
  row: Pick<VerificationToken, "identifier" | "expires">,
): Promise<boolean> {
  const probe = { ...row, token: toHex(runtime.random(32)) }
  await adapter.createVerificationToken(probe)
  try {
    await adapter.createVerificationToken(probe)
    await adapter.useVerificationToken(keyOf(probe))
    return false
  } catch {
    return true
  } finally {
    await dropRecord(logger, adapter, probe)
  }
}

/** A database that fails refuses every row, so another one tells whether this one exists. */
async function insertOnce(context: RecordContext, adapter: TokenRows, row: VerificationToken): Promise<boolean> {
  try {
    await adapter.createVerificationToken(row)
    return true
  } catch (cause) {
    const probe = { ...row, token: toHex(context.runtime.random(32)) }
    try {
      await adapter.createVerificationToken(probe)
    } catch {
      throw cause
    }
    await dropRecord(context.logger, adapter, probe)
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
