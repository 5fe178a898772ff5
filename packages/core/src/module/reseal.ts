import type { AuthContext } from "../model/auth.js"
import { isExpiredRecord } from "../model/record-rules.js"
import type { RecordStore, StoredRecord } from "../model/records.js"
import type { TokenSealer } from "../model/session-strategy.js"
import type { JsonValue } from "../model/user.js"
import { forever, kindOf, purposeOf } from "./records.js"

/** How many records had to be sealed with the newest secret. */
export interface Resealed {
  /** Had a field that another secret sealed. Unless they were only counted, the newest secret has sealed them now. */
  readonly outdated: number
  /** None of the secrets opens them. They stay as they are. */
  readonly unreadable: number
}

export interface ResealOptions {
  /** `true`: counts, and changes nothing. @default false */
  readonly check?: boolean
}

const pageSize = 500

/** Seals what the modules keep with the newest secret, record by record, while the application uses them. */
export async function resealRecords(auth: AuthContext, options?: ResealOptions): Promise<Resealed> {
  return resealKinds(auth, auth.modules, options)
}

/** The same for what some modules keep, or a feature. */
export async function resealKinds(
  { records: store, runtime, https }: AuthContext,
  keepers: readonly Keeper[],
  { check = false }: ResealOptions = {},
): Promise<Resealed> {
  let [outdated, unreadable] = [0, 0]
  // Modules with records can't be configured without a store.
  if (store === undefined) return { outdated, unreadable }
  for (const { kind, fields } of keepers.flatMap(sealedKinds)) {
    const source = { store, sealer: https.sealer, fields, check, now: () => new Date(runtime.now()) }
    for await (const record of everyRecord(store, kind)) {
      const state = await reseal(source, record)
      if (state === "outdated") outdated += 1
      if (state === "unreadable") unreadable += 1
    }
  }
  return { outdated, unreadable }
}

interface Source {
  readonly store: RecordStore
  readonly sealer: TokenSealer
  /** Names of the sealed fields. */
  readonly fields: readonly string[]
  readonly check: boolean
  now(): Date
}

type Keeper = Pick<AuthContext["modules"][number], "id" | "records">

function sealedKinds({ id, records = {} }: Keeper) {
  return Object.entries(records).flatMap(([name, { fields }]) => {
    const sealed = Object.keys(fields).filter((field) => fields[field]?.kind === "sealed")
    return sealed.length === 0 ? [] : [{ kind: kindOf(id, name), fields: sealed }]
  })
}

async function* everyRecord(store: RecordStore, kind: string): AsyncIterable<StoredRecord> {
  let after: string | undefined
  do {
    const page = await store.list(kind, { limit: pageSize, ...(after !== undefined && { after }) })
    yield* page.records
    after = page.next
  } while (after !== undefined)
}

/** A record that the application has changed meanwhile is read again. */
async function reseal(source: Source, listed: StoredRecord): Promise<"current" | "outdated" | "unreadable"> {
  const { store, check, now } = source
  for (let record: StoredRecord | null = listed; record !== null && !isExpiredRecord(record, now()); ) {
    const data = await resealed(source, record)
    if (data === "current" || data === "unreadable") return data
    if (check || (await store.swap({ ...record, ...data }, now()))) return "outdated"
    record = await store.get(record.kind, record.key)
  }
  return "current"
}

/** Fields that this release of the module doesn't have stay as they are. */
async function resealed(
  { sealer, fields }: Source,
  record: StoredRecord,
): Promise<Pick<StoredRecord, "data"> | "current" | "unreadable"> {
  const data = JSON.parse(record.data) as Record<string, JsonValue>
  let isCurrent = true
  for (const field of fields) {
    const sealed = data[field]
    if (typeof sealed !== "string") continue
    const purpose = purposeOf(record, field)
    const opened = await opening(sealer, purpose, sealed)
    if (opened === undefined) return "unreadable"
    if (!opened.outdated) continue
    data[field] = await sealer.seal(purpose, { value: opened.payload["value"] }, forever)
    isCurrent = false
  }
  return isCurrent ? "current" : { data: JSON.stringify(data) }
}

async function opening(sealer: TokenSealer, purpose: string, sealed: string) {
  try {
    return await sealer.open(purpose, sealed)
  } catch {
    return undefined
  }
}
