import { sha256 } from "../crypto/digest.js"
import { AuthError } from "../errors.js"
import { isExpiredRecord } from "../model/record-rules.js"
import type { NewRecord, RecordIndex, RecordPage, RecordStore, StoredRecord } from "../model/records.js"
import type { TokenSealer } from "../model/session-strategy.js"
import type { Awaitable, JsonValue } from "../model/user.js"
import type { Field, Fields, RecordType, Value } from "../module-kit/fields.js"
import type { Found, Records } from "../module-kit/record-types.js"

/** Where the records of a module are, and what seals them. */
export interface RecordSource {
  readonly module: string
  readonly store: RecordStore
  readonly sealer: TokenSealer
  now(): number
}

/** Sealed fields live as long as their record. Seconds. */
export const forever: number = 100 * 365 * 86_400

const pageSize = 100

type StorePage = Parameters<RecordStore["list"]>[1]
type Page = Partial<StorePage>

export function recordsOf(source: RecordSource, name: string, type: RecordType): Records {
  const kind = kindOf(source.module, name)
  const { store } = source
  /** The stored form of each value that was read, for `swap`. */
  const read = new WeakMap<object, StoredRecord>()
  const now = (): Date => new Date(source.now())

  async function opened(stored: StoredRecord | null): Promise<Value<Fields> | null> {
    if (stored === null || isExpiredRecord(stored, now())) return null
    const value = await valueOf(source, type, stored)
    read.set(value, stored)
    return value
  }

  async function foundIn({ records, next }: RecordPage): Promise<Found<RecordType>> {
    const items = await Promise.all(records.map(opened))
    return { items: items.filter((item) => item !== null), next }
  }

  /** A page, or all of them: what has expired may fill whole pages, and a store may list a record twice. */
  async function found(pageAt: (page: StorePage) => Awaitable<RecordPage>, page?: Page): Promise<Found<RecordType>> {
    if (page !== undefined) return foundIn(await pageAt({ limit: pageSize, ...page }))
    const all = new Map<string, StoredRecord>()
    let after: string | undefined
    do {
      const { records, next } = await pageAt({ limit: pageSize, ...(after !== undefined && { after }) })
      for (const each of records) all.set(each.key, each)
      after = next
    } while (after !== undefined)
    return foundIn({ records: [...all.values()] })
  }

  async function closed(value: Value<Fields>, expiresAt: Date | null): Promise<NewRecord> {
    const key = await keyOf(type, value)
    const data = await dataOf({ ...source, kind, key }, type, value)
    const [index1 = null, index2 = null] = type.index.map((field) => textIn(value, field))
    return { kind, key, owner: ownerOf(type, value), index1, index2, data, expiresAt }
  }

  const until = (expiresIn: number | undefined): Date | null =>
    expiresIn === undefined ? null : new Date(source.now() + expiresIn * 1000)

  async function changed(before: Value<Fields>, changes: object, expiresIn?: number): Promise<StoredRecord> {
    const stored = read.get(before)
    if (stored === undefined) throw new TypeError("Pass the object that `get` or `find` returned")
    const expiresAt = expiresIn === undefined ? stored.expiresAt : until(expiresIn)
    const next = await closed({ ...before, ...changes }, expiresAt)
    if (next.key !== stored.key) throw new TypeError("The fields of the key of a record can't change")
    return { ...next, version: stored.version }
  }

  return {
    get: async (key) => opened(await store.get(kind, await keyOf(type, key))),
    find: async (by, page) => found((at) => store.find(kind, indexIn(type, by), at), page),
    list: async (page) => found((at) => store.list(kind, at), page),
    insert: async (value, { expiresIn } = {}) => store.insert(await closed(value, until(expiresIn)), now()),
    swap: async (before, changes, { expiresIn } = {}) => store.swap(await changed(before, changes, expiresIn), now()),
    take: async (key) => opened(await store.take(kind, await keyOf(type, key))),
    remove: async (key) => store.remove(kind, await keyOf(type, key)),
    writes: {
      insert: async (value, { expiresIn } = {}) => ({ write: "insert", record: await closed(value, until(expiresIn)) }),
      swap: async (before, changes, { expiresIn } = {}) => ({
        write: "swap",
        record: await changed(before, changes, expiresIn),
      }),
      remove: async (key) => ({ write: "remove", kind, key: await keyOf(type, key) }),
    },
  }
}

export function kindOf(module: string, name: string): string {
  return `${module}.${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

function ownerOf({ fields }: RecordType, value: object): string | null {
  const name = Object.keys(fields).find((each) => fields[each]?.kind === "owner")
  return name === undefined ? null : textIn(value, name)
}

function indexIn(type: RecordType, by: object): RecordIndex {
  const [name = "", ...others] = Object.keys(by)
  const value = textIn(by, name)
  const [index1, index2] = type.index
  if (value !== null && others.length === 0) {
    if (name === index1) return { index1: value }
    if (name === index2) return { index2: value }
    if (type.fields[name]?.kind === "owner") return { owner: value }
  }
  throw new TypeError("Find records by their owner, or by one field of `index`")
}

function textIn(value: object, name: PropertyKey): string | null {
  const found: unknown = Reflect.get(value, name)
  if (found instanceof Date) return found.toISOString()
  return typeof found === "string" ? found : found === undefined || found === null ? null : JSON.stringify(found)
}

/** At most 255 characters. */
async function keyOf({ key }: RecordType, value: object): Promise<string> {
  const texts = key.map((name) => textIn(value, name) ?? "")
  const [only = ""] = texts
  if (texts.length === 1 && only !== "" && only.length <= 200 && !only.startsWith("#")) return only
  return `#${await sha256(JSON.stringify(texts))}`
}

interface Place extends RecordSource {
  readonly kind: string
  readonly key: string
}

export function purposeOf({ kind, key }: Pick<Place, "kind" | "key">, name: string): string {
  return `record ${kind} ${key} ${name}`
}

async function dataOf(place: Place, { fields }: RecordType, value: object): Promise<string> {
  const data: Record<string, JsonValue> = {}
  for (const [name, field] of entriesOf(fields)) {
    const plain = field.toJson(Reflect.get(value, name) as never)
    const isSealed = field.kind === "sealed" && plain !== null
    data[name] = isSealed ? await place.sealer.seal(purposeOf(place, name), { value: plain }, forever) : plain
  }
  return JSON.stringify(data)
}

async function valueOf(source: RecordSource, { fields }: RecordType, stored: StoredRecord): Promise<Value<Fields>> {
  const data = JSON.parse(stored.data) as Record<string, JsonValue>
  const value: Record<string, unknown> = {}
  for (const [name, field] of entriesOf(fields)) {
    // A field that a later release of the module added isn't there yet.
    const kept = data[name] ?? null
    const isSealed = field.kind === "sealed" && typeof kept === "string"
    value[name] = field.fromJson(isSealed ? await unsealed(source, stored, name, kept) : kept)
  }
  return value
}

async function unsealed(
  { sealer }: RecordSource,
  stored: StoredRecord,
  name: string,
  kept: string,
): Promise<JsonValue> {
  try {
    return (await sealer.open(purposeOf(stored, name), kept)).payload["value"] as JsonValue
  } catch (cause) {
    const text = `A record of ${stored.kind} can't be opened. If AUTH_SECRET was replaced, add the former one to \`secret\``
    throw new AuthError(text, { cause })
  }
}

function entriesOf(fields: Fields): [string, Field<unknown>][] {
  return Object.entries(fields)
}
