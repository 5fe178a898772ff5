import { headersOf, toRequest, urlOf } from "@latchkey/core/node-http"
import { once } from "node:events"
import { createServer, type IncomingMessage, request } from "node:http"
import { expect, onTestFinished, test } from "vitest"

type Parse = (req: IncomingMessage) => Promise<object>

async function textOf(req: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of req) parts.push(Buffer.from(part))
  return Buffer.concat(parts).toString()
}

const parsers: readonly [string, Parse][] = [
  ["no parser", async () => ({})],
  ["a parser that leaves text", async (req) => ({ body: await textOf(req) })],
  ["a parser that leaves bytes", async (req) => ({ body: Buffer.from(await textOf(req)) })],
]

/** What the engine reads. */
async function describe(req: IncomingMessage, parse: Parse): Promise<unknown> {
  Object.assign(req, await parse(req))
  const request = toRequest(req, new URL(req.url ?? "/", "http://app.test"), headersOf(req.headers))
  if (request === undefined) return null
  const text = await new Response(request.body).text()
  return { text, fields: [...new URLSearchParams(text)], length: request.headers.get("content-length") }
}

/** Sends a request to a server, and returns what the engine reads. */
async function received(method: string, type: string, body: string, parse: Parse): Promise<unknown> {
  const server = createServer((req, res) => void describe(req, parse).then((seen) => res.end(JSON.stringify(seen))))
  onTestFinished(() => void server.close())
  await once(server.listen(0, "127.0.0.1"), "listening")
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("The server has no port.")
  const sent = request({ port: address.port, method, path: "/auth/signin", headers: { "content-type": type } })
  sent.end(body)
  const [response]: IncomingMessage[] = await once(sent, "response")
  if (response === undefined) throw new Error("The server didn't respond.")
  return JSON.parse(await textOf(response))
}

const form = "application/x-www-form-urlencoded"

test.each(parsers)("the body arrives after %s", async (_, parse) => {
  expect(await received("POST", form, "a=1&a=2&b=%26", parse)).toMatchObject({ text: "a=1&a=2&b=%26" })
})

test("a parsed form is encoded again", async () => {
  const parse: Parse = async (req) => (await textOf(req), { body: { a: ["1", "2"], b: { c: "&" }, d: 3, e: null } })
  const fields = [
    ["a", "1"],
    ["a", "2"],
    ["b[c]", "&"],
    ["d", "3"],
  ]
  expect(await received("POST", form, "a=1", parse)).toMatchObject({ fields, length: null })
})

test("a parsed JSON body is encoded again", async () => {
  const parse: Parse = async (req) => (await textOf(req), { body: { a: 1 } })
  expect(await received("POST", "application/json", "{}", parse)).toMatchObject({ text: '{"a":1}' })
})

test("a parsed JSON body that can't be encoded again gives no request", async () => {
  const deep = JSON.parse(`${"[".repeat(50_000)}${"]".repeat(50_000)}`)
  const parse: Parse = async (req) => (await textOf(req), { body: deep })
  expect(await received("POST", "application/json", "{}", parse)).toBeNull()
})

test("the body arrives as text if the application has set an encoding", async () => {
  const body = `a=${"é".repeat(100_000)}`
  const parse: Parse = async (req) => (req.setEncoding("utf8"), {})
  expect(await received("POST", form, body, parse)).toMatchObject({ text: body })
})

test("a method that a web request can't have gives no request", async () => {
  expect(await received("TRACE", "", "", async () => ({}))).toBeNull()
})

test("an invalid host gives no request", () => {
  const request = { method: "GET", readableDidRead: false, iterator: () => (async function* () {})(), resume() {} }
  expect(toRequest(request, urlOf("http", "app.test@evil.test", "/auth/signin"), new Headers())).toBeUndefined()
  expect(toRequest(request, urlOf("http", "app.test", "/auth/signin"), new Headers())?.url).toContain("app.test")
})

test.each([
  ["app.test:81", "/auth/session?a=%2F", "http://app.test:81/auth/session?a=%2F"],
  ["[::1]:80", "/", "http://[::1]/"],
  ["app.test", "http://evil.test/auth", "http://app.test/auth"],
  ["app.test", "//evil.test/auth", "http://app.test//evil.test/auth"],
  ["app.test@evil.test", "/", "http://host.invalid/"],
  ["evil.test/x?", "/", "http://host.invalid/"],
  ["app.test:port", "/", "http://host.invalid/"],
  [undefined, "*", "http://host.invalid/*"],
])("the host %j and the target %j give the URL %s", (host, target, url) => {
  expect(urlOf("http", host, target).href).toBe(url)
})

test("pseudo-headers of HTTP/2 are left out", () => {
  expect([...headersOf({ ":path": "/", accept: ["a", "b"] })]).toEqual([["accept", "a, b"]])
})
