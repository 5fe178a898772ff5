import { createServer, type Server } from "node:net"
import { gzipSync } from "node:zlib"
import { customFetch } from "@latchkey/core"
import { createProvider } from "@latchkey/testing"
import type { EndpointName, FakeProvider, RecordedRequest } from "@latchkey/testing"
import { afterEach, expect, vi } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { begin, open } from "../flows/oauth/app.js"
import { expectRefused } from "./oauth-setup.js"

afterEach(() => void vi.restoreAllMocks())

const endpoints = ["discovery", "token", "jwks", "userinfo"] as const
const kilobyte = 1024
const limits = { discovery: 1024, token: 1024, jwks: 256, userinfo: 1024 } as const

/** A sign-in requests every endpoint of this provider. One of them responds as the attacker wants. */
function lyingAt(endpoint: EndpointName, answer: (request: RecordedRequest) => Promise<Response> | Response) {
  const op = createProvider()
  op.inject({ answer: (request) => (request.endpoint === endpoint ? answer(request) : undefined) })
  return { op, given: op.provider({ idToken: false }) }
}

async function expectGivenUp(op: FakeProvider, app: Awaited<ReturnType<typeof open>>, endpoint: EndpointName) {
  await expectRefused(app, "Configuration")
  expect(await app.browser.session()).toBeNull()
  expect(app.adapter.rows().users).toEqual([])
  // Only a safe request may be repeated, and only once.
  expect(op.requestsTo(endpoint).length).toBeLessThanOrEqual(endpoint === "token" ? 1 : 2)
}

/** A body of 100 MB that counts the bytes that were read. */
function endless() {
  const state = { sent: 0, canceled: false }
  const piece = new TextEncoder().encode(" ".repeat(64 * kilobyte))
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        state.sent += piece.length
        if (state.sent > 100 * kilobyte * kilobyte) controller.close()
        else controller.enqueue(piece)
      },
      cancel() {
        state.canceled = true
      },
    },
    { highWaterMark: 0 },
  )
  return {
    state,
    response: new Response(body, { headers: { "content-type": "application/json", "content-length": "2" } }),
  }
}

attack("SSRF-01", "an endless response is read up to the limit, whatever its Content-Length", async (mode) => {
  for (const endpoint of endpoints) {
    const flood = endless()
    const { op, given } = lyingAt(endpoint, () => flood.response)
    const app = await open([given], { security: mode })
    await app.browser.signInWith(op, { as: "ada" })
    await expectGivenUp(op, app, endpoint)
    expect([endpoint, flood.state.canceled]).toEqual([endpoint, true])
    expect(flood.state.sent).toBeLessThanOrEqual((limits[endpoint] + 64) * kilobyte)
  }
})

attack("SSRF-01", "no redirect of an endpoint is followed", async (mode) => {
  for (const endpoint of endpoints) {
    for (const status of [301, 302, 303, 307, 308]) {
      const headers = { location: "https://evil.test/collect" }
      const { op, given } = lyingAt(endpoint, () => new Response(null, { status, headers }))
      const app = await open([given], { security: mode })
      await app.browser.signInWith(op, { as: "ada" })
      await expectGivenUp(op, app, endpoint)
      expect(op.requestsTo("elsewhere")).toEqual([])
    }
  }
})

attack(
  "SSRF-01",
  "a host that is not found or closes the connection ends the sign-in, not the application",
  async (mode) => {
    const faults = [
      new TypeError("fetch failed", {
        cause: Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND" }),
      }),
      new TypeError("fetch failed", { cause: Object.assign(new Error("reset"), { code: "ECONNRESET" }) }),
      "no error at all",
    ]
    for (const endpoint of endpoints) {
      for (const fault of faults) {
        const { op, given } = lyingAt(endpoint, () => Promise.reject(fault))
        const app = await open([given], { security: mode })
        await app.browser.signInWith(op, { as: "ada" })
        await expectGivenUp(op, app, endpoint)
      }
    }
  },
)

/** Replaces `AbortSignal.timeout`: records the time limits, and `runOut` reaches all of them. */
function patience() {
  const asked: number[] = []
  const clocks: AbortController[] = []
  vi.spyOn(AbortSignal, "timeout").mockImplementation((milliseconds) => {
    asked.push(milliseconds)
    const clock = new AbortController()
    clocks.push(clock)
    return clock.signal
  })
  return { asked, runOut: () => clocks.forEach((clock) => clock.abort(new DOMException("too late", "TimeoutError"))) }
}

/** Responses that never end: without headers, or with headers and a single byte. */
const slow = {
  headers: () => new Promise<Response>(() => undefined),
  body: () => {
    const body = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(new Uint8Array([0x7b])) })
    return new Response(body, { headers: { "content-type": "application/json" } })
  },
} as const

attack("SSRF-01", "a response that takes longer than ten seconds is aborted, at every endpoint", async (mode) => {
  for (const endpoint of endpoints) {
    for (const part of ["headers", "body"] as const) {
      for (const deaf of [false, true]) {
        const { asked, runOut } = patience()
        let tell = () => {}
        const reached = new Promise<void>((resolve) => {
          tell = resolve
        })
        const { op, given } = lyingAt(endpoint, () => {
          tell()
          return slow[part]()
        })
        // A `customFetch` that ignores the signal must not delay the user.
        const transport = deaf
          ? {
              [customFetch]: (input: string | URL | Request, init?: RequestInit) =>
                op.fetch(input, { ...init, signal: null }),
            }
          : {}
        const app = await open([{ ...given, ...transport }], { security: mode })
        const done = app.browser.signInWith(op, { as: "ada" })
        await reached
        runOut()
        await done
        await expectGivenUp(op, app, endpoint)
        expect(new Set(asked)).toEqual(new Set([10_000]))
        vi.restoreAllMocks()
      }
    }
  }
})

/** A TCP server that sends these bytes on every connection. */
async function speaking(
  answer: Buffer,
): Promise<{ readonly origin: string; readonly server: Server; readonly asked: () => number }> {
  let count = 0
  const server = createServer((socket) => {
    socket.on("error", () => undefined)
    socket.once("data", () => {
      count += 1
      socket.end(answer)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("The server has no port")
  return { origin: `http://127.0.0.1:${address.port}`, server, asked: () => count }
}

const bomb = gzipSync(Buffer.alloc(100 * kilobyte * kilobyte, " "))
const raw: readonly (readonly [string, Buffer])[] = [
  [
    "a gzip bomb",
    Buffer.concat([
      Buffer.from(
        `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`,
      ),
      bomb,
    ]),
  ],
  [
    "half a response of HTTP/1.0",
    Buffer.from('HTTP/1.0 200 OK\r\ncontent-type: application/json\r\n\r\n{"access_token":"a'),
  ],
  ["less than its length", Buffer.from("HTTP/1.1 200 OK\r\ncontent-length: 500\r\nconnection: close\r\n\r\n{}")],
  ["a redirect to itself", Buffer.from("HTTP/1.1 307 Temporary\r\nlocation: /token\r\ncontent-length: 0\r\n\r\n")],
  ["no HTTP", Buffer.from("-ERR unknown command\r\n")],
  ["nothing", Buffer.alloc(0)],
  ["a wrong encoding", Buffer.from("HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 2\r\n\r\n{}")],
]

attack(
  "SSRF-01",
  "over a real connection a decompression bomb, a truncated or an invalid response is refused without a retry",
  async (mode) => {
    for (const [name, answer] of raw) {
      const { origin, server, asked } = await speaking(answer)
      try {
        const op = createProvider()
        const { [customFetch]: _, ...given } = op.oauthProvider({ token: `${origin}/token` })
        const app = await open([given], { security: mode, environment: "development" })
        await begin(app.browser)
        await app.browser.consentAt(op, { as: "ada" })
        await expectRefused(app, "Configuration")
        expect([name, asked()]).toEqual([name, 1])
      } finally {
        await new Promise((resolve) => server.close(resolve))
      }
    }
  },
)
