import { addCookies } from "@latchkey/core/node-http"
import { preventCaching } from "@latchkey/core/server"
import fc from "fast-check"
import { createServer, request, type ServerResponse } from "node:http"
import { expect, onTestFinished, test } from "vitest"
import { holds, patience } from "../fuzz/holds.js"

const directives = [
  "public",
  "s-maxage=60",
  "max-age=600",
  "stale-while-revalidate",
  "immutable",
  "private",
  "no-cache",
]
const cacheControl = fc.subarray(directives).map((some) => some.join(", "))
const header = fc.oneof(
  fc.tuple(fc.constantFrom("cache-control", "Cache-Control"), cacheControl),
  fc.tuple(
    fc.constantFrom("surrogate-control", "CDN-Cache-Control", "vercel-cdn-cache-control", "netlify-cdn-cache-control"),
    cacheControl,
  ),
  fc.tuple(fc.constantFrom("expires"), fc.constant("Wed, 21 Oct 2099 07:28:00 GMT")),
  fc.tuple(fc.constantFrom("vary", "Vary"), fc.constantFrom("Accept", "accept-encoding, cookie", "*", "X-Cookie")),
  fc.tuple(fc.constantFrom("x-own"), fc.constantFrom("1")),
)
const headers = fc.array(header, { maxLength: 5 })

function expectUncacheable(given: Headers, what: unknown): void {
  const text = JSON.stringify(what)
  expect(given.get("cache-control"), text).toBe("private, no-store")
  expect((given.get("vary") ?? "").toLowerCase().split(/, */), text).toSatisfy(
    (fields: string[]) => fields.includes("cookie") || fields.includes("*"),
  )
  expect(
    [...given.keys()].filter((name) => /cdn|surrogate|expires|pragma/.test(name)),
    text,
  ).toEqual([])
}

test(
  "no cache stores a response that sets a cookie, whatever its headers were",
  async () => {
    await holds(
      fc.property(headers, (set) => {
        const given = new Headers(set)
        preventCaching(given)
        expectUncacheable(given, set)
        expect(given.get("x-own")).toBe(new Headers(set).get("x-own"))
      }),
    )
  },
  patience,
)

type Way = "setHeader" | "an object for writeHead" | "a list for writeHead"

function send(res: ServerResponse, way: Way, later: readonly (readonly [string, string])[]): void {
  if (way === "setHeader") {
    for (const [name, value] of later) res.setHeader(name, value)
    res.end("page")
  } else if (way === "an object for writeHead") res.writeHead(200, "OK", Object.fromEntries(later)).end("page")
  else res.writeHead(200, later.flat()).end("page")
}

test(
  "no cache stores a response of Node that sets a cookie, whatever its headers were or become",
  async () => {
    let respond: (res: ServerResponse) => void = () => {}
    const server = createServer((_, res) => respond(res))
    onTestFinished(() => void server.close())
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const get = async () =>
      new Promise<Headers>((resolve, reject) => {
        const sent = request({ port, host: "127.0.0.1" }, (answer) => {
          answer.resume()
          answer.on("end", () => resolve(new Headers(Object.entries(answer.headers).map(([k, v]) => [k, String(v)]))))
        })
        sent.on("error", reject)
        sent.end()
      })
    const way = fc.constantFrom<Way>("setHeader", "an object for writeHead", "a list for writeHead")
    await holds(
      fc.asyncProperty(headers, headers, way, async (before, later, how) => {
        respond = (res) => {
          for (const [name, value] of before) res.setHeader(name, value)
          addCookies(res, [{ name: "session", value: "1", options: {} }])
          send(res, how, later)
        }
        expectUncacheable(await get(), { before, later, how })
      }),
      0.1,
    )
  },
  patience,
)

test("a response that ends without writeHead is kept out of caches too", () => {
  const headers = new Map<string, number | string | readonly string[]>()
  const response = {
    headersSent: false,
    getHeader: (name: string) => headers.get(name),
    setHeader: (name: string, value: string | readonly string[]) => headers.set(name, value),
    writeHead: () => response,
    end: () => response,
  }
  addCookies(response, [{ name: "session", value: "1", options: { path: "/" } }])
  response.setHeader("cache-control", "public, max-age=60")
  response.end()
  expect(headers.get("cache-control")).toBe("private, no-store")
})
