import fc from "fast-check"
import { mutated, nasty } from "./text.js"

/** Values as JSON text, because many harmful ones have no JavaScript value. */
const strange: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    "null",
    "true",
    "false",
    "0",
    "-0",
    "-1",
    "0.5",
    "1e400",
    "1e21",
    "9007199254740993",
    '""',
    '" "',
    '"\\ud800"',
    '"__proto__"',
    '"[object Object]"',
    "[]",
    "[null]",
    "[[]]",
    '["RS256",null,{}]',
    "{}",
    '{"__proto__":{"polluted":true}}',
    '{"constructor":{"prototype":{"polluted":true}}}',
    '{"toString":1,"valueOf":1}',
    '{"toJSON":"x","then":1}',
    '{"length":-1}',
    '{"length":4294967296,"0":"x"}',
    `${"[".repeat(3000)}${"]".repeat(3000)}`,
    `${'{"a":'.repeat(2000)}1${"}".repeat(2000)}`,
    `"${"x".repeat(70_000)}"`,
    '"http://127.0.0.1/"',
    '"https://[::1]/"',
    '"javascript:alert(1)"',
    '"data:,x"',
    '"none"',
    '"HS256"',
  ),
  nasty.map((text) => JSON.stringify(text)),
  fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value)),
)

const names = ["__proto__", "constructor", "prototype", "toString", "toJSON", "then", "length", "0", "", "error", "sub"]

interface Change {
  readonly kind: "replace" | "remove" | "add" | "wrap"
  readonly at: number
  readonly name: string
  readonly raw: string
}

const change: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom("replace", "replace", "remove", "add", "wrap"),
  at: fc.nat(1000),
  name: fc.constantFrom(...names),
  raw: strange,
})

type Holder = Record<string, unknown> | unknown[]

/** A valid document with one to three errors; sometimes another document, or none. */
export function mutatedJson(valid: object): fc.Arbitrary<string> {
  const changes = fc.array(change, { minLength: 1, maxLength: 3 })
  const text = JSON.stringify(valid)
  return fc.oneof(
    { weight: 8, arbitrary: changes.map((each) => changed(valid, each)) },
    { weight: 1, arbitrary: mutated(fc.constant(text)) },
    { weight: 1, arbitrary: fc.oneof(strange, nasty) },
  )
}

function changed(valid: object, changes: readonly Change[]): string {
  const whole: unknown = structuredClone(valid)
  for (const [index, each] of changes.entries()) applyTo(whole, each, `\u00ab${index}\u00bb`)
  return changes.reduce(
    (text, { raw }, index) => text.replaceAll(`"\u00ab${index}\u00bb"`, () => raw),
    JSON.stringify(whole),
  )
}

function applyTo(whole: unknown, { kind, at, name }: Change, mark: string): void {
  const places = [...placesIn(whole)]
  const place = places[at % Math.max(1, places.length)]
  if (place === undefined) return
  const [holder, key] = place
  if (kind === "remove") Reflect.deleteProperty(holder, key)
  else set(holder, kind === "add" ? name : key, kind === "wrap" ? [Reflect.get(holder, key)] : mark)
}

/** An own property with any name. */
function set(holder: Holder, key: string, value: unknown): void {
  if (Array.isArray(holder) && key === "length") return
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true })
}

function* placesIn(value: unknown): Generator<readonly [Holder, string]> {
  if (typeof value !== "object" || value === null) return
  for (const key of Object.keys(value)) {
    yield [value as Holder, key]
    yield* placesIn(Reflect.get(value, key))
  }
}
