import { createServer } from "@latchkey/core/server"
import { getToken } from "@latchkey/core/jwt"
import type { AuthConfig } from "@latchkey/core/types"
import { captureLog } from "@latchkey/testing"
import { expect, vi } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { expectLinear } from "../cost.js"
import { cookieNames, location, op, origin, secret, sessionCookie, typed } from "../http/app.js"
import { address, bare, form, remembering } from "./surface-setup.js"

const malformed = [
  "%00",
  "http://[::1",
  "https://%",
  "//[",
  "http://a b",
  "\u0000//evil.test",
  "https://app.test:99999/",
  "http://\uFFFF",
  "javascript:alert(1)",
  "x".repeat(5000),
  `https://${"a.".repeat(2500)}test`,
]

attack("ADV-NA-04", "a malformed callbackUrl leads to the sign-in page with the default callback URL", async (mode) => {
  const { get, log } = bare(mode)
  for (const url of malformed) {
    const inQuery = await get(`/auth/signin?callbackUrl=${encodeURIComponent(url)}`)
    const raw = await get(`/auth/signin?callbackUrl=${url.startsWith("%") ? url : "%"}`)
    const inCookie = await get("/auth/signin", { cookie: remembering(url) })
    for (const response of [inQuery, raw, inCookie]) {
      const target = /name="callbackUrl" value="([^"]*)"/.exec(await response.text())?.[1]
      expect([response.status, new URL(target ?? "").origin]).toEqual([200, origin])
    }
  }
  expect(log.entries.filter(({ level }) => level === "error")).toEqual([])
})

attack("ADV-NA-04", "a malformed callbackUrl in a form or its cookie is ignored without an error", async (mode) => {
  const { post, log } = bare(mode)
  for (const url of malformed) {
    const out = await post("/auth/signout", { callbackUrl: url })
    const remembered = await post("/auth/signout", {}, { cookie: remembering(url) })
    for (const response of [out, remembered])
      expect([response.status, new URL(location(response) ?? "").origin]).toEqual([302, origin])
    const started = await post(`/auth/signin/${op.id}`, { callbackUrl: url })
    expect(new URL(location(started) ?? "").origin).toBe(op.issuer)
  }
  expect(log.entries.filter(({ level }) => level === "error")).toEqual([])
})

attack("ADV-NA-04", "a `redirect` callback that throws leads to the error page and is called once", async (mode) => {
  const redirect = vi.fn(({ url, baseUrl }: { url: string; baseUrl: string }) =>
    new URL(url).origin === baseUrl ? url : baseUrl,
  )
  const { get, log } = bare(mode, { callbacks: { redirect } })
  const response = await get("/auth/signin?callbackUrl=http://[::1")
  expect([response.status, location(response)]).toEqual([302, `${address}/error?error=Configuration`])
  expect(redirect).toHaveBeenCalledTimes(1)
  expect((await get("/auth/error?error=Configuration&callbackUrl=http://[::1")).status).toBe(500)
  expect(log.entries.every(({ text }) => text.length < 5000)).toBe(true)
})

const long: readonly ((size: number) => string)[] = [
  (size) => `Bearer ${"a".repeat(size)}`,
  (size) => `Bearer ${"%41".repeat(size / 4)}`,
  (size) => `Bearer ${"a.".repeat(size / 2)}`,
  (size) => `Bearer ${btoa("[".repeat(size / 2)).replaceAll("=", "")}..AA.AA.AA`,
]

const authorizations = [
  "Bearer %",
  "Bearer %ZZ",
  "Bearer",
  "Bearer  ",
  "bearer x",
  "Bearer x, Bearer y",
  "Bearer null",
  "Bearer a.b.c.d.e",
  `Bearer ${btoa('{"alg":"dir","enc":"A256GCM"}')}..AAAAAAAAAAAAAAAA.AAAA.AAAAAAAAAAAAAAAAAAAAAA`,
  ...long.map((headerOf) => headerOf(65_536)),
]

attack("ADV-NA-13", "a malformed Authorization header contains no token and does not throw", async () => {
  for (const authorization of authorizations) {
    const two = new Headers([
      ["authorization", authorization],
      ["authorization", authorization],
    ])
    for (const headers of [new Headers({ authorization }), { authorization }, { Authorization: authorization }, two]) {
      expect(await getToken({ req: { headers }, secret })).toBeNull()
    }
  }
})

attack("ADV-NA-13", "the cost of a malformed Authorization header grows with its length", async () => {
  for (const headerOf of long) {
    await expectLinear(
      (size) => {
        const authorization = headerOf(size)
        return () => getToken({ req: { headers: { authorization } }, secret })
      },
      [4096, 16_384, 65_536, 262_144],
    )
  }
})

attack("ADV-NA-13", "invalid characters in headers do not throw", async () => {
  const odd = { ":method": "GET", ":path": "/", "bad name": "x" }
  for (const authorization of ["Bearer \u0000", "Bearer \u2192", "Bearer x\r\ny: z"]) {
    expect(await getToken({ req: { headers: { ...odd, authorization } }, secret })).toBeNull()
    expect(await getToken({ req: { headers: { ...odd, cookie: authorization } }, secret })).toBeNull()
  }
})

attack("ADV-NA-13", "a request with a malformed Authorization header has no session", async (mode) => {
  const log = captureLog()
  const config: AuthConfig = { security: mode, url: address, secret, providers: [typed], logger: log.logger }
  const server = createServer(config)
  const { get } = bare(mode)
  for (const authorization of authorizations) {
    const headers = new Headers({ authorization })
    expect(await server.session({ headers })).toEqual({ session: null, cookies: [] })
    const response = await get("/auth/session", { authorization })
    expect([response.status, await response.json(), cookieNames(response)]).toEqual([200, null, []])
  }
  expect(log.entries).toEqual([])
})

/** A body of this size in chunks, without a `Content-Length`. `taken` counts the bytes that were read. */
function streamed(bytes: number, type = "application/x-www-form-urlencoded") {
  const taken = { bytes: 0 }
  const body = new ReadableStream({
    pull(controller) {
      if (taken.bytes >= bytes) return controller.close()
      const part = Math.min(16_384, bytes - taken.bytes)
      taken.bytes += part
      return controller.enqueue(new Uint8Array(part).fill(97))
    },
  })
  const init: RequestInit & { readonly duplex: "half" } = {
    method: "POST",
    body,
    duplex: "half",
    headers: { "content-type": type },
  }
  return { init, taken }
}

const types = ["application/x-www-form-urlencoded", "application/json", "multipart/form-data; boundary=x", "text/plain"]
const posted = ["signin", `signin/${op.id}`, `callback/${op.id}`, "callback/credentials", "signout", "session"]

attack("DOS-01", "a body beyond 64 kB is refused with 413 at the limit, whatever its Content-Length", async (mode) => {
  const { send, log } = bare(mode)
  for (const route of posted) {
    for (const type of types) {
      const { init, taken } = streamed(50_000_000, type)
      const response = await send(`/auth/${route}`, init)
      expect([response.status, cookieNames(response)]).toEqual([413, []])
      expect(taken.bytes).toBeLessThan(200_000)
    }
    const lying = {
      ...form("a=".padEnd(5_000_000, "b")),
      headers: { "content-type": types[0] ?? "", "content-length": "3" },
    }
    expect((await send(`/auth/${route}`, lying)).status).toBe(413)
  }
  expect((await send("/auth/signout", form("a=".padEnd(65_536, "b")))).status).toBe(302)
  expect((await send("/auth/signout", form("a=".padEnd(65_537, "b")))).status).toBe(413)
  expect(log.entries.filter(({ message }) => !message.includes("sent from this site"))).toEqual([])
})

attack("DOS-01", "a form of very many fields is refused with 413", async (mode) => {
  const { send } = bare(mode)
  const parts = "--x\r\ncontent-disposition: form-data; name=a\r\n\r\n\r\n".repeat(1001)
  for (const init of [form("a&".repeat(32_000)), form(`${parts}--x--`, types[2])])
    expect((await send("/auth/callback/credentials", init)).status).toBe(413)
  expect((await send("/auth/signout", form("a=1&".repeat(999)))).status).toBe(302)
})

attack("DOS-01", "JSON with deep nesting or very many keys gets 400 and reaches no callback", async (mode) => {
  const { send, log } = bare(mode)
  const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}`, 1]))
  const bodies = [33, 500, 5000, 10_000, 30_000].flatMap((depth) => [
    `{"data":${"[".repeat(depth)}${"]".repeat(depth)}}`,
    `{"data":${'{"a":'.repeat(Math.min(depth, 10_000))}1${"}".repeat(Math.min(depth, 10_000))}}`,
    `{"data":${"[".repeat(depth)}`,
  ])
  for (const body of [...bodies, JSON.stringify(wide), `{"data":[${"1,".repeat(2000)}1]}`])
    expect((await send("/auth/session", form(body, "application/json"))).status).toBe(400)
  expect(log.entries).toEqual([])
})

attack("DOS-01", "cookies of megabytes, or thousands of chunks, are refused and give no session", async (mode) => {
  const { get } = bare(mode)
  const name = sessionCookie.replace("__Secure-", mode === "strict" ? "__Host-" : "__Secure-")
  const parts = Array.from({ length: 3000 }, (_, index) => `${name}.${index}=${"a".repeat(300)}`).join("; ")
  for (const cookie of [parts, `${name}=${"a".repeat(1_000_000)}`]) {
    const response = await get("/auth/session", { cookie })
    expect([response.status, await response.json()]).toEqual([431, null])
  }
})
