import { customFetch } from "@latchkey/core"
import type { Fetch } from "@latchkey/core/types"
import { createProvider, frozenClock, hang, faults } from "@latchkey/testing"
import { describe, expect, test, vi } from "vitest"
import { begin, open, outcome } from "./app.js"

function setUp() {
  const clock = frozenClock()
  const op = createProvider({ clock })
  return { clock, op, ready: open([op.provider()], { clock }) }
}

describe("the discovery document", () => {
  test("is fetched once an hour for all sign-ins", async () => {
    const { clock, op, ready } = setUp()
    const { browser } = await ready
    await browser.signInWith(op, { as: "ada" })
    clock.advance({ minutes: 59 })
    await browser.fresh().signInWith(op, { as: "grace" })
    expect(op.requestsTo("discovery")).toHaveLength(1)
    clock.advance({ minutes: 2 })
    await browser.fresh().signInWith(op, { as: "linus" })
    expect(op.requestsTo("discovery")).toHaveLength(2)
  })

  test("is fetched once for parallel sign-ins", async () => {
    const slow = hang("discovery")
    const op = createProvider({ faults: slow.fault })
    const { browser } = await open([op.provider()])
    const all = Promise.all([1, 2, 3, 4].map(() => begin(browser.fresh())))
    await slow.reached
    slow.release()
    expect((await all).map(({ pathname }) => pathname)).toEqual([
      "/authorize",
      "/authorize",
      "/authorize",
      "/authorize",
    ])
    expect(op.requestsTo("discovery")).toHaveLength(1)
  })

  test("isn't cached if it fails", async () => {
    const op = createProvider()
    const { browser } = await open([op.provider()])
    const undo = op.inject(faults.discoveryServerError)
    await begin(browser)
    expect(outcome(browser)).toBe("Configuration")
    undo()
    await browser.signInWith(op, { as: "ada" })
    expect(outcome(browser)).toBe("home")
  })

  test("is used for a day while it can't be renewed", async () => {
    const { clock, op, ready } = setUp()
    const { browser } = await ready
    await browser.signInWith(op, { as: "ada" })
    op.inject(faults.discoveryUnreachable)
    clock.advance({ hours: 2 })
    await browser.fresh().signInWith(op, { as: "ada" })
    expect(op.requestsTo("token")).toHaveLength(2)
    clock.advance({ hours: 25 })
    const late = browser.fresh()
    await begin(late)
    expect(outcome(late)).toBe("Configuration")
  })

  test("is cached per fetch function", async () => {
    const [one, two] = [createProvider(), createProvider()]
    for (const op of [one, two]) {
      const { browser } = await open([op.provider()])
      await browser.signInWith(op, { as: "ada" })
      expect(op.requestsTo("discovery")).toHaveLength(1)
    }
  })
})

describe("the published keys", () => {
  test("are fetched once in ten minutes", async () => {
    const { clock, op, ready } = setUp()
    const { browser } = await ready
    await browser.signInWith(op, { as: "ada" })
    await browser.fresh().signInWith(op, { as: "ada" })
    expect(op.requestsTo("jwks")).toHaveLength(1)
    clock.advance({ minutes: 11 })
    await browser.fresh().signInWith(op, { as: "ada" })
    expect(op.requestsTo("jwks")).toHaveLength(2)
  })

  test("are fetched again at once for a new key ID", async () => {
    const { op, ready } = setUp()
    const { browser } = await ready
    await browser.signInWith(op, { as: "ada" })
    op.rotateKeys()
    const next = browser.fresh()
    await next.signInWith(op, { as: "ada" })
    expect(outcome(next)).toBe("home")
    expect(op.requestsTo("jwks")).toHaveLength(2)
  })

  test("are fetched at most twice a minute for forged tokens", async () => {
    const { clock, op, ready } = setUp()
    const { browser, log } = await ready
    op.inject(faults.unknownKid)
    for (let count = 0; count < 6; count += 1) await browser.fresh().signInWith(op, { as: "ada" })
    expect(op.requestsTo("jwks")).toHaveLength(2)
    clock.advance({ seconds: 31 })
    await browser.fresh().signInWith(op, { as: "ada" })
    expect(op.requestsTo("jwks")).toHaveLength(3)
    const reasons = log.entries.filter(({ level }) => level === "error").map(({ message }) => message)
    expect([reasons.length, new Set(reasons).size]).toEqual([7, 1])
  })

  test("may be among invalid members", async () => {
    const op = createProvider({ faults: { jwks: ({ keys }) => Response.json({ keys: [null, "key", ...keys] }) } })
    const { browser } = await open([op.provider()])
    await browser.signInWith(op, { as: "ada" })
    expect(outcome(browser)).toBe("home")
  })

  test("that are withdrawn are dropped after ten minutes", async () => {
    const { clock, op, ready } = setUp()
    const { browser } = await ready
    await browser.signInWith(op, { as: "ada" })
    op.inject(faults.jwksEmpty)
    clock.advance({ minutes: 11 })
    const next = browser.fresh()
    await next.signInWith(op, { as: "ada" })
    expect(outcome(next)).toBe("Configuration")
  })
})

describe("a provider that doesn't respond", () => {
  const places = [
    ["discovery", "Configuration"],
    ["token", "Configuration"],
    ["jwks", "Configuration"],
    ["userinfo", "Configuration"],
  ] as const
  test.each(places)("at %s times out after ten seconds: %s", async (endpoint, fate) => {
    const stalled = hang(endpoint)
    const op = createProvider({ faults: stalled.fault })
    const alarm = new AbortController()
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(alarm.signal)
    const { browser } = await open([op.provider({ idToken: false })])
    const done = browser.signInWith(op, { as: "ada" })
    await stalled.reached
    alarm.abort()
    await done
    expect(outcome(browser)).toBe(fate)
    expect(timeout).toHaveBeenCalledWith(10_000)
    stalled.release()
  })
})

test("at most 1 MB of a response is read", async () => {
  const read: number[] = []
  const long = () => {
    let sent = 0
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1
        if (sent > 64) controller.close()
        else controller.enqueue(new Uint8Array(64 * 1024).fill(32))
      },
      cancel: () => void read.push(sent),
    })
    return new Response(body, { headers: { "content-type": "application/json", "content-length": "10" } })
  }
  const op = createProvider({ faults: { discovery: long } })
  const { browser } = await open([op.provider()])
  await begin(browser)
  expect(outcome(browser)).toBe("Configuration")
  expect(read[0] ?? Number.POSITIVE_INFINITY).toBeLessThan(20)
})

test.each([
  ["token_endpoint", 'The provider "op" has no token endpoint. Set `token`'],
  ["userinfo_endpoint", 'The provider "op" has no userinfo endpoint. Set `userinfo`'],
])("a document without %s is a configuration error that the log explains", async (endpoint, message) => {
  const op = createProvider({
    faults: { discovery: (answer) => ({ ...answer, body: { ...answer.body, [endpoint]: undefined } }) },
  })
  const { browser, log } = await open([op.provider({ idToken: false })])
  await browser.signInWith(op, { as: "ada" })
  expect(outcome(browser)).toBe("Configuration")
  expect(log.entries.map(({ text }) => text).join()).toContain(message)
})

test("a provider that signs with the client secret needs no published keys", async () => {
  const op = createProvider({ algorithm: "HS256", faults: faults.noJwksUri })
  const { browser } = await open([op.provider()], { security: "strict" })
  await browser.signInWith(op, { as: "ada" })
  expect(outcome(browser)).toBe("home")
})

test("without published keys TLS is enough for an ID token, whatever its algorithm", async () => {
  const op = createProvider({ faults: faults.noJwksUri })
  const { browser } = await open([op.provider({ client: { id_token_signed_response_alg: "RS256" } })])
  await browser.signInWith(op, { as: "ada" })
  expect(outcome(browser)).toBe("home")
})

test("the documents of two providers with one fetch function are cached separately", async () => {
  const [one, two] = [createProvider(), createProvider({ id: "other", issuer: "https://other.test" })]
  const transport: Fetch = (input, init) =>
    (String(input).startsWith("https://other.test") ? two : one).fetch(input, init)
  const providers = [one, two].map((op) => ({ ...op.provider(), [customFetch]: undefined }))
  const { browser } = await open(providers, { runtime: { fetch: transport } })
  await browser.signInWith(one, { as: "ada" })
  const other = browser.fresh()
  await other.signInWith(two, { as: "grace" })
  expect([outcome(browser), outcome(other)]).toEqual(["home", "home"])
  expect([one.requestsTo("token").length, two.requestsTo("token").length]).toEqual([1, 1])
})
