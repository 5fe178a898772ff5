import { describe, expect, test } from "vitest"
import { readBody, UnreadableBody } from "./body.js"

const json = "application/json"
const form = "application/x-www-form-urlencoded"

/** `null`: the type that the platform gives the body, if it gives one. */
function post(body: BodyInit | null, type: string | null = form): Request {
  const headers = type === null ? {} : { "content-type": type }
  const init: RequestInit & { duplex: "half" } = { method: "POST", body, headers, duplex: "half" }
  return new Request("https://app.test/auth/signout", init)
}

/** Cut at these offsets in bytes. */
function inParts(text: string, ...cuts: readonly number[]): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  return new ReadableStream({
    start(controller) {
      for (const [at, cut] of [...cuts, bytes.length].entries()) controller.enqueue(bytes.slice(cuts[at - 1] ?? 0, cut))
      controller.close()
    },
  })
}

const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`
const wide = (fields: number) => Object.fromEntries(Array.from({ length: fields }, (_, at) => [`f${at}`, at]))
const fieldsOf = (count: number) => Array.from({ length: count }, (_, at) => `f${at}=1`).join("&")

describe("a body that is read", () => {
  test.each<[string, Request, Record<string, unknown>]>([
    ["arrives in one part", post("a=1&b=2"), { a: "1", b: "2" }],
    ["arrives in parts, cut inside a character", post(inParts("a=1&b=ü&c=2", 1, 1, 7)), { a: "1", b: "ü", c: "2" }],
    ["has the greatest depth", post(nested(32), json), JSON.parse(nested(32))],
    ["has the most fields, as JSON", post(JSON.stringify(wide(1000)), json), wide(1000)],
    ["is empty, of no type", post("", "text/plain"), {}],
    ["is none", post(null), {}],
    ["names one address twice", post("email=a@b.test&email=a@b.test"), { email: "a@b.test" }],
    [
      "names two addresses as JSON",
      post('{"email":"a@b.test","x":{"email":1},"\\u0065mail":"c@b.test"}', json),
      { email: ["c@b.test"], x: { email: 1 } },
    ],
    ["names two addresses", post("email=a@b.test&x=1&email=c@b.test"), { email: ["a@b.test", "c@b.test"], x: "1" }],
    [
      "has keys that reach a prototype",
      post('{"a":{"constructor":{"prototype":{"x":1},"y":1}},"b":1}', json),
      { a: {}, b: 1 },
    ],
    [
      "has a harmless key `constructor`",
      post('{"a":{"constructor":"x"},"b":{"constructor":null},"c":{"constructor":{"y":1}},"prototype":{}}', json),
      { a: { constructor: "x" }, b: { constructor: null }, c: { constructor: { y: 1 } }, prototype: {} },
    ],
  ])("%s", async (_, request, expected) => {
    const body = await readBody(request)
    expect(Object.getPrototypeOf(body)).toBeNull()
    expect({ ...body }).toEqual(expected)
  })

  test("a form may have a thousand fields", async () => {
    expect(Object.keys(await readBody(post(fieldsOf(1000))))).toHaveLength(1000)
  })
})

const levels = "it has too many levels or fields"

describe("a body that is refused", () => {
  test.each<[string, Request, number, string]>([
    ["of another type", post("x", "text/plain"), 415, "neither a form nor JSON"],
    ["without a type", post(new TextEncoder().encode("x"), null), 415, "neither a form nor JSON"],
    ["one byte too long", post(`a=${"x".repeat(65_535)}`), 413, "too large"],
    ["one byte too long, in parts", post(inParts(`a=${"x".repeat(65_535)}`, 9)), 413, "too large"],
    ["with one field too many", post(fieldsOf(1001)), 413, "too many fields"],
    ["one level too deep", post(nested(33), json), 400, levels],
    ["with one member too many", post(JSON.stringify(wide(1001)), json), 400, levels],
    ["with one member too many inside", post(JSON.stringify({ a: wide(1001) }), json), 400, levels],
    ["that is a list", post("[]", json), 400, levels],
    ["that is a text", post('"x"', json), 400, levels],
    ["that is null", post("null", json), 400, levels],
    ["that is broken", post("{", json), 400, levels],
    ["with a form that is none", post("x", "multipart/form-data; boundary=a"), 400, "form can't be read"],
  ])("%s", async (_, request, status, message) => {
    const refusal = await readBody(request).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(UnreadableBody)
    expect(refusal).toMatchObject({ status, message: expect.stringContaining(message) })
  })

  test("that breaks off is a bad request, also when it was too long before", async () => {
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error("reset")) })
    await expect(readBody(post(broken))).rejects.toMatchObject({ status: 400, message: "The body ended early" })
    const stubborn = new ReadableStream({
      start: (controller) => controller.enqueue(new Uint8Array(70_000)),
      cancel: () => Promise.reject(new Error("reset")),
    })
    await expect(readBody(post(stubborn))).rejects.toMatchObject({ status: 413 })
  })

  test("that is too long is not read to the end", async () => {
    let canceled = false
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(16_384)),
      cancel: () => {
        canceled = true
      },
    })
    await expect(readBody(post(endless))).rejects.toMatchObject({ status: 413 })
    expect(canceled).toBe(true)
  })
})

test("files of a form are left out", async () => {
  const data = new FormData()
  data.set("name", "ada")
  data.set("file", new Blob(["x"]), "x.txt")
  expect({ ...(await readBody(post(data, null))) }).toEqual({ name: "ada" })
})
