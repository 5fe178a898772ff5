import fc from "fast-check"
import { expect, test } from "vitest"
import { readBody, UnreadableBody } from "../../src/http/body.js"
import { holds, patience } from "./holds.js"
import { mutatedJson } from "./json.js"
import { header, mutated, nasty, piece, wellFormed } from "./text.js"

const boundary = "----of-the-form"

function multipart(fields: readonly (readonly [string, string])[]): string {
  const parts = fields.map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  return `${parts.join("")}--${boundary}--\r\n`
}

const types = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      "application/json",
      "application/x-www-form-urlencoded",
      `multipart/form-data; boundary=${boundary}`,
    ),
  },
  mutated(fc.constantFrom("application/json; charset=utf-7", `Multipart/Form-Data; boundary="${boundary}"`)).map(
    (text) => text.replace(/[^\x20-\x7e]/g, ""),
  ),
  header,
)

const fieldText = fc.array(fc.tuple(fc.oneof(piece, fc.constant("email")), nasty), { maxLength: 5 })
const encoded = fieldText.map((fields) => new URLSearchParams(fields.map(([name, value]) => [name, value])).toString())
const content: fc.Arbitrary<string | Uint8Array<ArrayBuffer>> = fc.oneof(
  mutatedJson({ csrfToken: "x", data: { user: { name: "Ada" } }, email: "a@b.c", list: [1, [2, { three: 3 }]] }),
  mutated(encoded),
  mutated(
    fc.constant(
      multipart([
        ["email", "a@b.c"],
        ["name", "Ada"],
      ]),
    ),
  ),
  fieldText.map(multipart),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => new Uint8Array(bytes)),
  fc
    .tuple(nasty, fc.integer({ min: 1, max: 70_000 }))
    .map(([text, times]) => text.repeat(Math.ceil(times / (text.length + 1)))),
)

interface Sent {
  readonly type: string
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly size: number
  readonly breaks: boolean
}

/** A body in chunks, some of them empty, that may end early. */
function requestOf({ type, bytes, size, breaks }: Sent): Request {
  let at = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) return breaks ? controller.error(new Error("reset")) : controller.close()
      if (at === 0) controller.enqueue(new Uint8Array(0))
      controller.enqueue(bytes.subarray(at, at + size))
      at += size
    },
  })
  return new Request("https://app.test/", {
    method: "POST",
    body,
    headers: { "content-type": type },
    duplex: "half",
  } as RequestInit)
}

const sent = fc
  .tuple(types, content, fc.integer({ min: 1, max: 70_000 }), fc.integer({ min: 0, max: 20 }))
  .map(([type, text, pieceSize, chance]): Sent => {
    const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text
    return { type, bytes, size: Math.max(pieceSize, Math.ceil(bytes.length / 40)), breaks: chance === 0 }
  })

test(
  "a body becomes an object without prototype and with few levels, or is refused with a status",
  () =>
    holds(
      fc.asyncProperty(sent, async (each) => {
        try {
          const body = await readBody(requestOf(each))
          expect(Object.getPrototypeOf(body)).toBeNull()
          expect(each.bytes.length).toBeLessThanOrEqual(65_536)
          expectTame(body, 34)
        } catch (cause) {
          if (!(cause instanceof UnreadableBody)) throw cause
          expect([400, 413, 415]).toContain(cause.status)
        }
      }),
    ),
  patience,
)

/** No key that lets a merge reach a prototype, and no deep nesting. */
function expectTame(value: unknown, levels: number): void {
  if (typeof value !== "object" || value === null) return
  expect(levels).toBeGreaterThan(0)
  expect(Object.hasOwn(value, "__proto__")).toBe(false)
  const constructor: unknown = Object.hasOwn(value, "constructor") ? Reflect.get(value, "constructor") : undefined
  expect(typeof constructor === "object" && constructor !== null && Object.hasOwn(constructor, "prototype")).toBe(false)
  for (const each of Object.values(value)) expectTame(each, levels - 1)
}

const names = fc
  .oneof(nasty, fc.string({ unit: "grapheme" }))
  .map(decodable)
  .filter((name) => name !== "__proto__")
const fields = fc.uniqueArray(fc.tuple(names, nasty.map(decodable)), { selector: ([name]) => name, maxLength: 6 })
const post = async (body: BodyInit, headers: Record<string, string> = {}) => ({
  ...(await readBody(new Request("https://app.test/", { method: "POST", body, headers }))),
})

test(
  "fields from a browser arrive unchanged, in each of the three encodings",
  () =>
    holds(
      fc.asyncProperty(fields, async (given) => {
        const expected = Object.fromEntries(given)
        const sizes = given.flat().join("").length
        if (sizes > 10_000) return
        expect(await post(new URLSearchParams(given.map(([name, value]) => [name, value])))).toEqual(expected)
        expect(await post(JSON.stringify(expected), { "content-type": "application/json" })).toEqual(expected)
        const form = new FormData()
        for (const [name, value] of given) form.append(name, value)
        const arrived = given.map(([name, value]) => [unescaped(withLineEnds(name)), withLineEnds(value)] as const)
        if (arrived.every(([name]) => name !== "__proto__"))
          expect(await post(form)).toEqual(Object.fromEntries(arrived))
      }),
      0.5,
    ),
  patience,
)

/** Text that UTF-8 can encode. Platforms remove its byte order mark. */
function decodable(text: string): string {
  return wellFormed(text).replaceAll("\ufeff", "")
}

/** Line breaks as multipart forms encode them (HTML, "constructing the entry list"). */
function withLineEnds(text: string): string {
  return text.replace(/\r\n|\r|\n/g, "\r\n")
}

/** The browser escapes names, and a name may contain the escape itself (HTML, "multipart/form-data"). */
function unescaped(name: string): string {
  return name.replace(/%0d/gi, "\r").replace(/%0a/gi, "\n").replaceAll("%22", '"')
}
