import { type AdapterUser, UniqueViolation } from "@latchkey/core/adapters"
import type { Storage } from "unstorage"
import { createItems, type Items, tooLong } from "./items.js"
import { isStorable, type Place, placeOf } from "./keys.js"
import { type Lock, lockOf } from "./locks.js"
import type { UnstorageAdapterOptions } from "./options.js"
import { userOf } from "./rows.js"

/** The prefixes of all keys. */
export type Prefixes = Required<Omit<UnstorageAdapterOptions, "baseKeyPrefix" | "useItemRaw">>

export interface Store {
  readonly items: Items
  readonly prefixes: Prefixes
  readonly lock: Lock
  /** In front of the keys of records. */
  readonly recordPrefix: string
}

/** A row, and where it is. Without a `row`, `key` is free. Without a `key`, other rows have all keys. */
export interface Found<Row> {
  readonly key?: string
  readonly row?: Row
  /** Whether there's no key because the driver has none of this length. */
  readonly isTooLong?: boolean
}

export function createStore(storage: Storage, options: UnstorageAdapterOptions): Store {
  const { baseKeyPrefix = "", useItemRaw = false, ...own } = options
  assertStorage(storage, useItemRaw)
  const given = Object.entries(own).filter(([, prefix]) => prefix !== undefined)
  const entries = Object.entries({ ...defaultPrefixes, ...Object.fromEntries(given) })
  const prefixes: Prefixes = { ...defaultPrefixes }
  for (const [name, prefix] of entries) Object.assign(prefixes, { [name]: `${baseKeyPrefix}${prefix}` })
  const items = createItems(storage, useItemRaw, `${baseKeyPrefix}latchkey:journal`)
  return { items, prefixes, lock: lockOf(storage), recordPrefix: `${baseKeyPrefix}latchkey:records:` }
}

/** A driver has methods of the same names, but no mounts. With `useItemRaw`, only methods that a driver has too are used. */
function assertStorage(storage: unknown, useItemRaw: boolean): void {
  const methods = useItemRaw
    ? ["getItemRaw", "setItemRaw", "removeItem"]
    : ["getItem", "setItem", "removeItem", "getMount"]
  if (methods.every((name) => typeof Reflect.get(Object(storage), name) === "function")) return
  throw new TypeError(
    "This isn't a storage of unstorage. Pass what `createStorage()` or `prefixStorage()` returns, not a driver or a promise.",
  )
}

/** The same as in `@auth/unstorage-adapter`. */
const defaultPrefixes: Prefixes = {
  accountKeyPrefix: "user:account:",
  accountByUserIdPrefix: "user:account:by-user-id:",
  emailKeyPrefix: "user:email:",
  sessionKeyPrefix: "user:session:",
  sessionByUserIdKeyPrefix: "user:session:by-user-id:",
  userKeyPrefix: "user:",
  verificationTokenKeyPrefix: "user:token:",
  authenticatorKeyPrefix: "authenticator:",
  authenticatorUserKeyPrefix: "authenticator:by-user-id:",
}

/** Looks for the row with this key. `parse` returns `undefined` for another row. */
export async function findRow<Row>(
  store: Store,
  [prefix, ...parts]: readonly [prefix: string, ...parts: unknown[]],
  parse: (value: unknown) => Row | undefined,
): Promise<Found<Row>> {
  const place = findPlace(prefix, ...parts)
  return place ? locate(store, place, parse) : {}
}

/** Looks for a row in all places where it can be. */
export async function locate<Row>(
  { items }: Store,
  { slots, isAmbiguous }: Place,
  parse: (value: unknown) => Row | undefined,
): Promise<Found<Row>> {
  const writable: Reading[] = []
  for (const { key, isWritable } of slots) {
    const value = await items.read(key)
    const row = value === undefined ? undefined : parse(value)
    if (row !== undefined) return { key, row }
    if (isWritable) writable.push({ key, value })
    if (value === undefined && !isAmbiguous) break
  }
  return freeIn(writable)
}

interface Reading {
  readonly key: string
  readonly value: unknown
}

function freeIn(readings: readonly Reading[]): Pick<Found<never>, "key" | "isTooLong"> {
  const free = readings.find(({ value }) => value === undefined)
  return free ? { key: free.key } : { isTooLong: readings.some(({ value }) => value === tooLong) }
}

/** The place of a row to write. */
export function requirePlace(prefix: string, ...parts: readonly unknown[]): Place {
  const place = findPlace(prefix, ...parts)
  if (place === undefined) {
    throw new TypeError("A key isn't a string, or contains a lone surrogate, which can't be stored. Pass another one.")
  }
  return place
}

/** The place of a row to read. `undefined`: there can't be such a row. */
export function findPlace(prefix: string, ...parts: readonly unknown[]): Place | undefined {
  return parts.every(isStorable) ? placeOf(prefix, parts) : undefined
}

/** The key at which `@auth/unstorage-adapter` remembers one row of a user, to delete it with the user. */
export function hintKey(prefix: string, userId: string): string | undefined {
  const place = findPlace(prefix, userId)
  return place && !place.isAmbiguous ? place.slots[0]?.key : undefined
}

/** Writes a new row where `locate` found a free key. */
export async function insert(store: Store, found: Found<unknown>, row: object, taken: string): Promise<void> {
  const { key, isTooLong = false } = found
  if (isTooLong) {
    throw new Error("The id or token is too long for the driver (ENAMETOOLONG). Use a shorter one, or another driver.")
  }
  if (key === undefined || !(await store.items.create(key, row))) throw new UniqueViolation(taken)
}

/** The value of a key that points to another one. */
export function pointerOf(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined
}

export async function findUser(store: Store, id: unknown): Promise<Found<AdapterUser>> {
  return findRow(store, [store.prefixes.userKeyPrefix, id], (value) => userOf(value, String(id)))
}

/** Acts as a foreign key. */
export async function requireUser(store: Store, id: string): Promise<void> {
  const { row } = await findUser(store, id)
  if (row === undefined) throw new Error("There is no user with this userId. Create the user first.")
}
