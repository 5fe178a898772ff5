import { AuthError } from "../errors.js"
import { type Blank, maxTextLength, redacted } from "./blank.js"
import { withoutLookalikes } from "./clean.js"
import { secretNames } from "./collect-secrets.js"

/** Objects and depth of one log entry. Errors of an HTTP client can have sockets among their properties. */
const maxObjects = 2000
const maxDepth = 8
/** Characters of one log entry, and what even a short text counts. Errors of a database can have all rows of a query. */
const maxCharacters = 262_144
const minCharacters = 64

/** `AuthError` sets these, so they can't contain a secret. */
const ownFields: ReadonlySet<PropertyKey> = new Set(["type", "kind", "id", "name"])

/** Databases name the kind of an error so. */
const codeNames = /^(?:code|state|sqlState)$/

/** A copy with the same shape and classes, without secrets. An error without secrets stays the same object. */
export function withoutSecrets(error: Error, blank: Blank): Error {
  const work: Work = { blank, copies: new Map(), left: maxCharacters, isChanged: false }
  const copy = copyError(work, error, 0)
  return work.isChanged ? copy : error
}

interface Work {
  readonly blank: Blank
  /** An error can be among its own causes. */
  readonly copies: Map<object, unknown>
  /** Characters that may still be copied. */
  left: number
  isChanged: boolean
}

function text(work: Work, value: string): string {
  work.left -= Math.min(Math.max(minCharacters, value.length), maxTextLength)
  if (work.left < 0) return replaced(work, "[…]")
  const clean = work.blank(value)
  return clean === value ? value : replaced(work, clean)
}

/**
 * Engines put the message in front of the frames. A frame is a place in the code, where no secret can be, and a password such as
 * "auth" would be found in many. So only the message is searched.
 */
function stackText(work: Work, stack: string, message: unknown): string {
  const end = typeof message === "string" ? stack.indexOf(message) + message.length : 0
  const frames = stack.slice(end)
  if (end === 0 || !frameLines.test(frames)) return text(work, stack)
  const shown = withoutLookalikes(frames.slice(0, maxTextLength))
  return text(work, stack.slice(0, end)) + (shown === frames ? frames : replaced(work, shown))
}

const frameLines = /^(?:\n {4}at [^\n]+)+$/

function replaced(work: Work, by: string): string {
  work.isChanged = true
  return by
}

function copyOf(work: Work, value: unknown, depth: number): unknown {
  if (typeof value === "string") return text(work, value)
  if (typeof value === "number" || typeof value === "bigint") return copyNumber(work, value)
  if (typeof value !== "object" || value === null) return value
  const { copies } = work
  if (copies.has(value)) return copies.get(value)
  if (depth > maxDepth || copies.size > maxObjects) return replaced(work, "[…]")
  return copyWhole(work, value, depth)
}

function copyWhole(work: Work, value: object, depth: number): unknown {
  if (value instanceof Error) return copyError(work, value, depth)
  return Array.isArray(value) ? copyList(work, value, depth) : copyObject(work, value, depth)
}

/** A password may consist of digits. */
function copyNumber(work: Work, value: number | bigint): unknown {
  const plain = String(value)
  return plain.length < 4 || text(work, plain) === plain ? value : replaced(work, redacted)
}

function copyError(work: Work, error: Error, depth: number): Error {
  const copy = emptyError(Object.getPrototypeOf(error) as object)
  work.copies.set(error, copy)
  for (const key of Reflect.ownKeys(error)) {
    if (error instanceof AuthError && ownFields.has(key)) define(copy, key, Reflect.get(error, key), error)
    else copyProperty(work, error, copy, { key, depth })
  }
  // The prototype of a `DOMException` reads them from the object that it made, which a copy isn't, and so do getters that use
  // private fields.
  for (const key of ["name", "message", "code", "stack", "cause", "errors"]) {
    if (!Object.hasOwn(error, key) && isComputed(error, key)) copyProperty(work, error, copy, { key, depth })
  }
  return copy
}

/** Node 20 makes the stack when it's first read, from the name of the error. A getter of another class may not work here. */
function emptyError(prototype: object): Error {
  const error = new Error("")
  Object.defineProperty(error, "stack", { value: "", writable: true, configurable: true })
  return Object.setPrototypeOf(error, prototype) as Error
}

function copyList(work: Work, value: readonly unknown[], depth: number): unknown {
  const list: unknown[] = []
  work.copies.set(value, list)
  for (const item of value.slice(0, maxObjects)) list.push(copyOf(work, item, depth + 1))
  return list
}

function copyObject(work: Work, value: object, depth: number): unknown {
  if (isKeyed(value)) return copyEntries(work, value, depth)
  const known = copyKnown(work, value)
  if (known !== undefined) return known
  const keys = Reflect.ownKeys(value)
  const prototype = Object.getPrototypeOf(value) as object | null
  // It has its content where a copy can't reach it.
  if (keys.length === 0 && prototype !== null && prototype !== Object.prototype) return replaced(work, "[object]")
  const copy: object = Object.create(prototype) as object
  work.copies.set(value, copy)
  for (const key of keys) copyProperty(work, value, copy, { key, depth })
  return copy
}

/** Objects of the platform. */
function copyKnown(work: Work, value: object): unknown {
  if (value instanceof Date || value instanceof RegExp) return value
  if (value instanceof URL) return text(work, value.href) === value.href ? value : text(work, value.href)
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return replaced(work, "[bytes]")
  if (value instanceof Request) return { method: value.method, url: text(work, value.url) }
  return value instanceof Response ? { status: value.status } : undefined
}

function copyEntries(work: Work, value: Keyed, depth: number): unknown {
  const entries = [...value.entries()].slice(0, maxObjects)
  const made = entries.map(([key, item]): [unknown, unknown] => [
    copyOf(work, key, depth + 1),
    isHidden(key, item) ? replaced(work, redacted) : copyOf(work, item, depth + 1),
  ])
  if (value instanceof Set) return new Set(made.map(([key]) => key))
  return value instanceof Map ? new Map(made) : Object.fromEntries(made.map(([key, item]) => [String(key), item]))
}

interface At {
  readonly key: PropertyKey
  readonly depth: number
}

/** Methods aren't copied, and neither is a property whose getter fails. */
function copyProperty(work: Work, from: object, to: object, { key, depth }: At): void {
  if (work.left < 0) return
  let value: unknown
  try {
    value = Reflect.get(from, key)
  } catch {
    return
  }
  if (typeof value === "function") return
  const name = typeof key === "string" ? text(work, key) : key
  define(to, name, copyMember(work, from, value, { key, depth }), from, key)
}

function copyMember(work: Work, from: object, value: unknown, { key, depth }: At): unknown {
  if (from instanceof Error) {
    if (key === "stack" && typeof value === "string") return stackText(work, value, from.message)
    if (typeof key === "string" && codeNames.test(key)) return copyOf(work, value, depth + 1)
  }
  return isHidden(key, value) ? replaced(work, redacted) : copyOf(work, value, depth + 1)
}

/** Defines a data property that is as enumerable as the original one. */
function define(to: object, name: PropertyKey, value: unknown, from: object, key: PropertyKey = name): void {
  const enumerable = Object.getOwnPropertyDescriptor(from, key)?.enumerable ?? false
  Object.defineProperty(to, name, { value, enumerable, writable: true, configurable: true })
}

function isHidden(key: unknown, value: unknown): boolean {
  if (typeof key !== "string" || !secretNames.test(key)) return false
  return (typeof value === "string" && value !== redacted) || (typeof value === "object" && value !== null)
}

/** A getter on the prototype, at any distance. */
function isComputed(object: object, key: string): boolean {
  for (let at: object | null = object; at !== null; at = Object.getPrototypeOf(at) as object | null) {
    const descriptor = Object.getOwnPropertyDescriptor(at, key)
    if (descriptor !== undefined) return descriptor.get !== undefined
  }
  return false
}

type Keyed = Map<unknown, unknown> | Set<unknown> | Headers | URLSearchParams

function isKeyed(value: object): value is Keyed {
  return value instanceof Map || value instanceof Set || value instanceof Headers || value instanceof URLSearchParams
}
