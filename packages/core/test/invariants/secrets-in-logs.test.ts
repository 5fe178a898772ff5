import { inspect } from "node:util"
import fc from "fast-check"
import { expect, test } from "vitest"
import { AdapterError, AuthError, CredentialsSignin } from "@latchkey/core/errors"
import { blanked, indexOf } from "../../src/observability/blank.js"
import { keepSecret } from "../../src/observability/in-flight.js"
import { describeError } from "../../src/observability/error-reports.js"
import { loggerOf } from "../../src/observability/logger.js"
import { cost } from "../cost.js"
import { holds, patience } from "../fuzz/holds.js"
import { nasty } from "../fuzz/text.js"

/** How other code may write a value into a message. */
const encodings: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => encodeURIComponent(text),
  (text) => encodeURIComponent(encodeURIComponent(text)),
  (text) => encodeURIComponent(text).replace(/%../g, (escape) => escape.toLowerCase()),
  (text) => new URLSearchParams({ q: text }).toString().slice(2),
  (text) => JSON.stringify(text),
  (text) => JSON.stringify(JSON.stringify({ text })),
  (text) => Buffer.from(text).toString("base64"),
  (text) => Buffer.from(text).toString("base64url"),
  (text) => Buffer.from(`client:${text}`).toString("base64"),
  (text) => Buffer.from(`ab${text}`).toString("base64url"),
  (text) => Buffer.from(text).toString("hex"),
  (text) => Buffer.from(text).toString("hex").toUpperCase(),
  (text) => inspect(Buffer.from(text)).slice("<Buffer ".length),
  (text) => [...Buffer.from(text)].join(","),
  (text) => encodeURIComponent([...Buffer.from(text)].join(",")),
  (text) => [...text].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""),
  (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;"),
  (text) => text.replace(/(.{7})/g, "$1\n  "),
  (text) =>
    Buffer.from(text)
      .toString("base64")
      .replace(/(.{6})/g, "$1\r\n"),
]

const ascii = fc
  .string({ minLength: 8, maxLength: 60, unit: "grapheme-ascii" })
  .filter((text) => text.trim().length > 7)
const random = fc.uint8Array({ minLength: 12, maxLength: 90 }).map((bytes) => Buffer.from(bytes).toString("base64url"))
const secret = fc.oneof(random, ascii, fc.uuid(), fc.constantFrom("pässwörter-sind-geheim", "correct horse battery"))
const encoding = fc.constantFrom(...encodings)
const around = fc.constantFrom("", "the driver said: ", 'detail="', "\nrow (", "https://op.test/x?y=", "C:\\")

const named = (text: string) => ({ text, isNamed: true })

function written(error: Error): string {
  return inspect(error, { depth: 30, maxStringLength: null, maxArrayLength: null, breakLength: Infinity })
}

test(
  "a value in flight is removed from any text, however it is encoded",
  async () => {
    const property = fc.property(secret, encoding, around, around, (value, encode, before, after) => {
      const quoted = encode(value)
      const clean = blanked(`${before}${quoted} ${after}`, [indexOf([named(value)])])
      expect(clean).toContain("[redacted]")
      expect(clean).not.toContain(value)
      expect(clean).not.toContain(quoted)
      // A few characters at either end may belong to the encoding and not to the value.
      for (let at = 0; at + 16 <= quoted.length; at += 4) expect(clean).not.toContain(quoted.slice(at, at + 16))
    })
    await holds(property)
  },
  patience,
)

test(
  "a text without a value in flight stays as it is",
  async () => {
    const words = fc.array(
      fc.constantFrom("the", "adapter", "failed", "at", "(file.ts:12:34)", "100%", "\\d", "a+b", "\n"),
    )
    const property = fc.property(words, random, (parts, value) => {
      const text = parts.join(" ")
      expect(blanked(text, [indexOf([named(value)])])).toBe(text)
    })
    await holds(property)
  },
  patience,
)

test(
  "a short value is removed as a word, and stays inside of longer ones",
  async () => {
    const code = fc.stringMatching(/^\d{6}$/)
    const property = fc.property(code, fc.constantFrom(" ", "=", '"', "(", ":"), (value, edge) => {
      const text = `code${edge}${value}${edge}in x${value} and ${value}0`
      expect(blanked(text, [indexOf([named(value)])])).toBe(`code${edge}[redacted]${edge}in x${value} and ${value}0`)
    })
    await holds(property)
  },
  patience,
)

test("a password that is an ordinary word is removed where it's a value, and not in a sentence", () => {
  const headers = new Headers()
  const seen: Error[] = []
  const logger = loggerOf({ logger: { error: (error) => void seen.push(error) } }).forRequest({ headers })
  keepSecret({ headers }, "password")
  logger.error(new Error(`wrong password: password=password ${JSON.stringify({ password: "password" })}`))
  expect(seen[0]?.message).toBe('wrong password: password=[redacted] {"password":"[redacted]"}')
})

/** An error of other code: nested, with causes, lists and rows, and sometimes one of its own causes. */
function errorWith(text: string, shape: number): Error {
  const inner = Object.assign(new TypeError(`inner ${text}`), { row: { note: text, list: [text, { deep: text }] } })
  const several = new AggregateError([inner, new Error(text)], `several ${text}`)
  if (shape % 2 === 0) inner.cause = several
  if (shape % 3 === 0) return new AdapterError("getUser failed", { cause: several, method: "getUser", detail: text })
  if (shape % 3 === 1) return new CredentialsSignin(`refused ${text}`, { cause: new Map([[text, new Set([text])]]) })
  return several
}

test(
  "an error that is logged has no value in flight anywhere, keeps its classes, and isn't changed itself",
  async () => {
    const property = fc.property(secret, encoding, fc.nat(11), nasty, (value, encode, shape, noise) => {
      const headers = new Headers()
      const seen: Error[] = []
      const logger = loggerOf({ logger: { error: (error) => void seen.push(error) } }).forRequest({ headers })
      keepSecret({ headers }, value)
      const error = errorWith(`${noise} ${encode(value)} ${noise}`, shape)
      const before = written(error)
      logger.error(error)
      const [logged] = seen
      expect(written(error)).toBe(before)
      expect(logged).toBeInstanceOf(error.constructor)
      expect(logged?.name).toBe(error.name)
      expect(logged instanceof AuthError && logged.type).toBe(error instanceof AuthError && error.type)
      const text = logged === undefined ? value : written(logged)
      expect(text).not.toContain(value)
      expect(text).not.toContain(encode(value))
    })
    await holds(property, 0.25)
  },
  patience,
)

test("an error without a value in flight is logged as the same object", () => {
  const headers = new Headers({ cookie: "authjs.session-token=0123456789abcdef" })
  const seen: Error[] = []
  const error = new AdapterError("getUser failed", { cause: new Error("connection lost"), method: "getUser" })
  loggerOf({ logger: { error: (given) => void seen.push(given) } })
    .forRequest({ headers })
    .error(error)
  expect(seen[0]).toBe(error)
})

class QueryError extends Error {
  readonly #reason: Error
  constructor(message: string, reason: Error) {
    super(message)
    this.#reason = reason
  }
  override get name() {
    return `QueryError in ${this.#reason.message}`
  }
  override get cause() {
    return this.#reason
  }
}

test.each([
  new DOMException("ya29.a0AfB_byC-secret took too long", "TimeoutError"),
  new AuthError("failed", { cause: new DOMException("The operation timed out", "TimeoutError") }),
  new QueryError("no row for ya29.a0AfB_byC-secret", new Error("users ya29.a0AfB_byC-secret")),
])("the copy of an error whose getters only work on the original can be read: %s", (error) => {
  const headers = new Headers()
  keepSecret({ headers }, "ya29.a0AfB_byC-secret")
  const copy = loggerOf({}).forRequest({ headers }).redacted(error)
  expect(copy).toBeInstanceOf(error.constructor)
  expect(copy.name).toBe(error.name.replace("ya29.a0AfB_byC-secret", "[redacted]"))
  expect(describeError(copy)).toBe(describeError(error).replaceAll("ya29.a0AfB_byC-secret", "[redacted]"))
})

test("nothing is collected while nothing is logged", () => {
  const headers = new Headers()
  let reads = 0
  const tokens = {
    get access_token() {
      reads += 1
      return "ya29.a0AfB_byC-secret"
    },
  }
  const seen: Error[] = []
  const logger = loggerOf({ logger: { error: (error) => void seen.push(error) } }).forRequest({ headers })
  keepSecret({ headers }, tokens)
  expect(reads).toBe(0)
  logger.error(new Error("got ya29.a0AfB_byC-secret"))
  expect(seen[0]?.message).toBe("got [redacted]")
})

test("the work for one log entry is bounded, whatever a visitor sends", async () => {
  const worst: readonly (readonly [secrets: readonly string[], text: string])[] = [
    [Array.from({ length: 500 }, (_, index) => "a".repeat(8 + index)), "a".repeat(200_000)],
    [Array.from({ length: 500 }, (_, index) => `aaaaaaaa${index}`), "a".repeat(200_000)],
    [["%25".repeat(1300)], "%2525".repeat(40_000)],
    [["\\".repeat(4000)], "\\\\".repeat(100_000)],
    [["x".repeat(4000)], "'+'".repeat(70_000)],
    [Array.from({ length: 500 }, (_, index) => String(index)), " 1".repeat(100_000)],
  ]
  for (const [secrets, text] of worst) {
    const spent = await cost(() => blanked(text, [indexOf(secrets.map(named))]), { enough: 250_000 })
    expect(spent, "microseconds").toBeLessThan(250_000)
  }
})

test("the work for one error is bounded, whatever an application attached to it", async () => {
  const headers = new Headers()
  keepSecret({ headers }, "ya29.a0AfB_byC-secret")
  const rows = Array.from({ length: 1900 }, (_, id) => ({ id, text: "row\n".repeat(4000) }))
  const error = Object.assign(new Error("no place for ya29.a0AfB_byC-secret"), { rows })
  const seen: Error[] = []
  const logger = loggerOf({ logger: { error: (given) => void seen.push(given) } }).forRequest({ headers })
  const spent = await cost(() => logger.error(error), { enough: 1_000_000 })
  expect(spent, "microseconds").toBeLessThan(1_000_000)
  expect(seen[0]?.message).toBe("no place for [redacted]")
})
