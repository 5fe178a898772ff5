import { sha256 } from "../crypto/digest.js"
import { AdapterError, JWTSessionError } from "../errors.js"
import type { Adapter, VerificationToken } from "../model/adapter.js"
import type { Logger } from "../model/logger.js"
import type { JWT } from "../model/session.js"
import type { Awaitable } from "../model/user.js"
import type { Runtime } from "../primitives/runtime.js"
import { type BoundedMap, type OfSite, createBoundedMap, mutexOf, stateOf } from "../primitives/state.js"
import { type TokenRows, addRecord, dropRecord, hasTokens, recordName, refusesCopies } from "./records.js"
import type { Revocation } from "./revocation.js"

/** A session that was sealed before sessions were revocable. */
export interface FormerSession {
  readonly userId: string
  /** See {@link formerSid}. */
  readonly sid: string
  /** When its row expires, in milliseconds since 1970. */
  readonly expires: number
  /** When the token expires, in milliseconds since 1970. `undefined`: never. */
  readonly tokenExpires: number | undefined
}

/**
 * A session from before sessions were revocable is adopted once: it gets a row, and a record that it had one. From then on it's
 * a session only while the row exists, however many copies of the cookie there are, and in every process.
 */
export interface Adoption {
  /** `false`: the session has ended. */
  adopt(session: FormerSession): Promise<boolean>
  /** Ends the session, and those of the user that were sealed before it and haven't been used since the switch. */
  end(session: Pick<FormerSession, "userId" | "sid">): Promise<void>
  /** Ends every session of the user from before the switch that hasn't been used since. */
  endAll(userId: string): Promise<void>
}

interface AdoptionOptions extends OfSite {
  readonly adapter: Adapter
  readonly revocation: Revocation
  readonly runtime: Pick<Runtime, "now" | "random"> & {
    sleep?: ((milliseconds: number) => Promise<void>) | undefined
  }
  readonly logger: Logger
}

const prefix = "former"

/**
 * The `sid` of a session that has none. All copies of a token have the same. `jti` names the token. If a custom `jwt.encode`
 * writes none, its text does.
 */
export async function formerSid(token: string, { sub, jti, iat }: JWT): Promise<string> {
  const named = typeof jti === "string" && jti !== "" ? [sub, jti] : token
  const sealed = typeof iat === "number" ? Math.max(0, Math.floor(iat)) : 0
  return `${prefix}.${sealed.toString(36)}.${await sha256(JSON.stringify(["former session", named]))}`
}

export function isFormerSid(sid: string): boolean {
  return sid.startsWith(`${prefix}.`)
}

/** Seconds since 1970. */
function sealedAt(sid: string): number {
  return Number.parseInt(sid.split(".")[1] ?? "0", 36)
}

/** Browsers keep a cookie for 400 days at most (RFC 6265bis §5.5). Milliseconds. */
const maxCookieAge = 400 * 86_400_000

/** About 150 bytes each. */
const maxRemembered = 20_000

const endedOf = stateOf("ended-sessions", (): BoundedMap<string, true> => createBoundedMap(maxRemembered))

/**
 * After another process has written the record, its row appears within this time or never. Otherwise a sign-out that found no
 * row would be followed by one. Milliseconds.
 */
const adoptionMs = 1000
const waits = [50, 150, 300, 500]

const maxCopies = 20

export function adoption(options: AdoptionOptions): Adoption {
  const { adapter, revocation, runtime } = options
  if (!hasTokens(adapter)) return withoutRecords(revocation)
  const ended = endedOf(options)
  const { runExclusive } = mutexOf(options)
  const tokens = withAdvice(adapter)
  const environment: Environment = { ...options, tokens, cutOffs: cutOffs(options, tokens) }

  return {
    async adopt(session) {
      // The usual case, and the only query of later reads.
      if (await revocation.holds(session.sid)) return true
      return runExclusive(session.sid, async () => {
        if (await revocation.holds(session.sid)) return true
        if (ended.get(session.sid) === true) return false
        const verdict = await adoptNew(environment, session)
        if (verdict === "ended") ended.set(session.sid, true)
        return verdict === "adopted"
      })
    },

    async end(session) {
      ended.set(session.sid, true)
      await recordEnd(environment, session)
      await revokeAll(revocation, session.sid)
    },

    endAll: async (userId) => environment.cutOffs.set(userId, Math.floor(runtime.now() / 1000) + 1),
  }
}

/** Not an `AdapterError`, which would also keep the user from signing in again. */
function withAdvice(adapter: TokenRows): TokenRows {
  const advised = async <T>(work: Awaitable<T>): Promise<T> => {
    try {
      return await work
    } catch (cause) {
      throw new JWTSessionError(
        "Could not record that a session from before sessions were revocable got a row. Create the table of verification tokens",
        { cause },
      )
    }
  }
  return {
    createVerificationToken: async (row) => advised(adapter.createVerificationToken(row)),
    useVerificationToken: async (key) => advised(adapter.useVerificationToken(key)),
  }
}

/** Nothing could record that a session was adopted, so none is. */
function withoutRecords(revocation: Revocation): Adoption {
  return {
    adopt: async ({ sid }) => revocation.holds(sid),
    end: async ({ sid }) => revokeAll(revocation, sid),
    endAll: async () => undefined,
  }
}

interface Environment extends AdoptionOptions {
  readonly tokens: TokenRows
  readonly cutOffs: CutOffs
}

type Verdict = "adopted" | "ended" | "unknown user"

async function adoptNew(environment: Environment, session: FormerSession): Promise<Verdict> {
  const { adapter, cutOffs, revocation } = environment
  const { sid, userId, tokenExpires } = session
  if (adapter.getUser !== undefined && !(await adapter.getUser(userId))) return "unknown user"
  const records = await recordsOf(environment, sid, tokenExpires)
  if (await isMarkedEnded(environment, sid, records)) return "ended"
  let late = false
  const deadline = setTimeout(() => (late = true), adoptionMs)
  try {
    if (!(await addRecords(environment, records))) return (await appears(environment, sid)) ? "adopted" : "ended"
    if (sealedAt(sid) < (await cutOffs.get(userId))) return "ended"
    await storeRow(environment, session, records)
  } finally {
    clearTimeout(deadline)
  }
  if (!late) return "adopted"
  await revokeAll(revocation, sid)
  return "ended"
}

function timer(milliseconds: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, milliseconds))
}

async function storeRow(
  { revocation, tokens, logger }: Environment,
  { sid, userId, expires }: FormerSession,
  records: Records,
): Promise<void> {
  try {
    await revocation.store(sid, userId, new Date(expires))
  } catch (cause) {
    // Without a unique index for the record, another process may have adopted the session too.
    if (await revocation.holds(sid)) return
    // Without its row the session would count as ended.
    for (const record of records) await dropRecord(logger, tokens, record)
    throw cause
  }
}

async function appears({ revocation, runtime }: Environment, sid: string): Promise<boolean> {
  const sleep = runtime.sleep ?? timer
  for (const milliseconds of waits) {
    await sleep(milliseconds)
    if (await revocation.holds(sid)) return true
  }
  return false
}

async function recordEnd(environment: Environment, { sid, userId }: Pick<FormerSession, "sid" | "userId">) {
  const { tokens, cutOffs, revocation } = environment
  const records = await recordsOf(environment, sid)
  for (const record of records) await addRecord(environment, tokens, record)
  await cutOffs.set(userId, sealedAt(sid))
  const [record] = records
  const marked = (await refusesCopies(environment, tokens, record)) || (await revocation.holds(endedSid(sid)))
  if (!marked) await revocation.store(endedSid(sid), userId, record.expires)
}

/** Without a unique index, reading the record would let parallel copies pass. Reading a row that says "ended" doesn't. */
async function isMarkedEnded(environment: Environment, sid: string, [record]: Records): Promise<boolean> {
  const { tokens, revocation } = environment
  return !(await refusesCopies(environment, tokens, record)) && revocation.holds(endedSid(sid))
}

function endedSid(sid: string): string {
  return `ended ${sid}`
}

type Records = readonly [VerificationToken, VerificationToken]

/**
 * The record of a session, and the one that earlier releases look for and wrote, whose identifier a visitor could type. Both count,
 * and both are written: releases run side by side during an update, and a session that has ended must not come back. The tokens
 * differ, since some tables have a unique index on them alone.
 */
async function recordsOf(
  { runtime }: Pick<AdoptionOptions, "runtime">,
  sid: string,
  tokenExpires?: number,
): Promise<Records> {
  const expires = new Date(tokenExpires ?? runtime.now() + maxCookieAge)
  const token = await sha256(sid)
  return [
    { identifier: recordName("former-session"), token: await sha256(`former-session ${token}`), expires },
    { identifier: "former-session", token, expires },
  ]
}

/** `false`: one of them exists. */
async function addRecords(environment: Environment, records: Records): Promise<boolean> {
  for (const record of records) if (!(await addRecord(environment, environment.tokens, record))) return false
  return true
}

/**
 * Without a unique index, two processes may have written the row, and an adapter deletes one at a time. If it returns what it
 * deletes, nothing is left once it returns nothing. Otherwise the row is looked for, although a replica that lags may still have it.
 */
async function revokeAll(revocation: Revocation, sid: string): Promise<void> {
  let returnsRows = false
  for (let row = 0; row < maxCopies; row++) {
    if (await revocation.revoke(sid)) returnsRows = true
    else if (returnsRows || !(await revocation.holds(sid))) return
  }
  throw new AdapterError("The session is still in the database after it was deleted. Check the adapter's deleteSession")
}

/** For each user the time before which sessions from before the switch end, in seconds since 1970. */
interface CutOffs {
  get(userId: string): Promise<number>
  /** Never moves it back. */
  set(userId: string, time: number): Promise<void>
}

function cutOffs(scoped: OfSite, tokens: TokenRows): CutOffs {
  const { runExclusive } = mutexOf(scoped)
  const change = async (userId: string, earliest: number): Promise<number> => {
    const token = await sha256(JSON.stringify(["former sessions of", userId]))
    // The second is that of earlier releases, see `recordsOf`.
    const keys = [
      { identifier: recordName("former-sessions-end"), token: await sha256(`former-sessions-end ${token}`) },
      { identifier: "former-sessions-end", token },
    ]
    return runExclusive(token, async () => {
      let time = earliest
      for (const key of keys) {
        const row = await tokens.useVerificationToken(key)
        if (row) time = Math.max(time, timeOf(row))
      }
      const expires = new Date(time * 1000 + maxCookieAge)
      if (time > 0) for (const key of keys) await tokens.createVerificationToken({ ...key, expires })
      return time
    })
  }
  return {
    get: async (userId) => change(userId, 0),
    set: async (userId, time) => void (await change(userId, time)),
  }
}

function timeOf({ expires }: VerificationToken): number {
  return Math.floor((new Date(expires).getTime() - maxCookieAge) / 1000)
}
