import { describe, expect, test } from "vitest"
import { createProvider } from "@latchkey/testing"
import { origin } from "../http/app.js"
import { proxied, site, tally } from "./setup.js"

const ada = { from: "203.0.113.7" }

describe("wrong passwords", () => {
  test("for one account from one address: ten are checked, the eleventh is not, and after the window ten more", async () => {
    const its = site(proxied)
    expect(await tally(12, () => its.tryPassword("ada", "wrong", ada))).toEqual({ 302: 10, 429: 2 })
    expect(its.checked).toHaveLength(10)
    its.clock.advance({ minutes: 15 })
    expect(await tally(12, () => its.tryPassword("ada", "wrong", ada))).toEqual({ 302: 10, 429: 2 })
  })

  test("even the right password is not checked before the window is over", async () => {
    const its = site(proxied)
    await tally(10, () => its.tryPassword("ada", "wrong", ada))
    expect((await its.tryPassword("ada", "open", ada)).status).toBe(429)
    its.clock.advance({ minutes: 15 })
    expect((await its.tryPassword("ada", "open", ada)).status).toBe(302)
  })

  test("for one account from all addresses: thirty", async () => {
    const its = site(proxied)
    const from = (at: number) => ({ from: `203.0.113.${at}` })
    expect(await tally(40, (at) => its.tryPassword("ada", "wrong", from(at)))).toEqual({ 302: 30, 429: 10 })
    expect(await tally(1, () => its.tryPassword("bob", "wrong", ada))).toEqual({ 302: 1 })
  })

  test("for any account from one address: fifty", async () => {
    const its = site(proxied)
    expect(await tally(60, (at) => its.tryPassword(`user ${at}`, "wrong", ada))).toEqual({ 302: 50, 429: 10 })
    expect(await tally(1, () => its.tryPassword("user 1", "wrong", { from: "203.0.113.8" }))).toEqual({ 302: 1 })
  })

  test("refused attempts of one address do not count for others", async () => {
    const its = site(proxied)
    await tally(100, () => its.tryPassword("ada", "wrong", ada))
    expect(await tally(20, (at) => its.tryPassword("ada", "wrong", { from: `198.51.100.${at}` }))).toEqual({ 302: 20 })
    expect(await tally(40, (at) => its.tryPassword(`user ${at}`, "wrong", ada))).toEqual({ 302: 40 })
  })

  test("a refusal caused by another client does not count against the user's IP address", async () => {
    const its = site(proxied)
    await tally(30, (at) => its.tryPassword("ada", "wrong", { from: `198.51.100.${at}` }))
    expect(await tally(60, () => its.tryPassword("ada", "open", ada))).toEqual({ 429: 60 })
    expect(await tally(51, (at) => its.tryPassword(`user ${at}`, "wrong", ada))).toEqual({ 302: 50, 429: 1 })
  })

  test("requests without a known address do not share a counter", async () => {
    const its = site(proxied)
    expect(await tally(120, (at) => its.tryPassword(`user ${at}`))).toEqual({ 302: 120 })
    expect(await tally(31, () => its.tryPassword("ada"))).toEqual({ 302: 30, 429: 1 })
  })
})

test("without a trusted proxy the forwarded address is not used", async () => {
  const its = site({ trustHost: undefined, url: `${origin}/auth` })
  expect(await tally(60, (at) => its.tryPassword(`user ${at}`, "wrong", ada))).toEqual({ 302: 60 })
})

test("correct passwords are not counted", async () => {
  const its = site(proxied)
  expect(await tally(60, () => its.tryPassword("ada", "open", ada))).toEqual({ 302: 60 })
  expect(await tally(11, () => its.tryPassword("ada", "wrong", ada))).toEqual({ 302: 10, 429: 1 })
})

test("ten messages are sent to one mailbox, in any spelling, and thirty for one address", async () => {
  const its = site(proxied)
  const spellings = ["ada@app.test", "ADA@app.test", " Ada@App.Test "]
  expect(await tally(15, (at) => its.askForLink(spellings[at % 3] ?? ""))).toEqual({ 302: 10, 429: 5 })
  expect(its.mailed).toEqual(Array.from({ length: 10 }, () => "ada@app.test"))
  expect(await tally(40, (at) => its.askForLink(`user${at}@app.test`, ada))).toEqual({ 302: 30, 429: 10 })
})

test("wrong links are counted by address, valid ones are not", async () => {
  const its = site(proxied)
  await its.askForLink("ada@app.test")
  const wrong = { token: "0".repeat(64), email: "ada@app.test" }
  const headers = { "x-forwarded-for": ada.from }
  expect(await tally(49, () => its.post("/auth/callback/mail", wrong, headers))).toEqual({ 302: 49 })
  const right = Object.fromEntries(new URL(its.links[0] ?? "").searchParams)
  expect((await its.post("/auth/callback/mail", right, headers)).headers.get("location")).toBe("https://app.test")
  expect(await tally(2, () => its.post("/auth/callback/mail", wrong, headers))).toEqual({ 302: 1, 429: 1 })
  const elsewhere = { "x-forwarded-for": "198.51.100.1" }
  expect(
    await tally(60, (at) => its.post("/auth/callback/mail", wrong, { "x-forwarded-for": `198.51.100.${at}` })),
  ).toEqual({ 302: 60 })
  expect((await its.post("/auth/callback/mail", wrong, elsewhere)).status).toBe(302)
})

test("wrong codes of `generateVerificationToken` are also counted by mailbox", async () => {
  const mail = {
    id: "mail",
    name: "Mail",
    type: "email",
    generateVerificationToken: () => "a-token-of-mine",
    sendVerificationRequest: () => undefined,
  } as const
  const its = site({ ...proxied, providers: [mail] })
  const guess = async (at: number) =>
    its.post(
      "/auth/callback/mail",
      { token: `some-guess-${at}`, email: "ada@app.test" },
      { "x-forwarded-for": `203.0.113.${at}` },
    )
  expect(await tally(15, guess)).toEqual({ 302: 10, 429: 5 })
})

test("invalid callbacks of a provider are counted, and never stop a valid one", async () => {
  const its = site(proxied)
  const headers = { "x-forwarded-for": ada.from }
  const bad = async () => its.get(`/auth/callback/${createProvider().id}?code=x&state=made-up`, headers)
  expect(await tally(60, bad)).toEqual({ 302: 50, 429: 10 })
  expect(await tally(60, async () => its.get(`/auth/callback/${createProvider().id}?code=x&state=y`))).toEqual({
    302: 60,
  })
  const started = await its.post(`/auth/signin/${createProvider().id}`, {}, headers)
  expect(started.status).toBe(302)
})

describe("configured limits", () => {
  test("replace the defaults one by one, and `false` removes one", async () => {
    const limits = {
      credentials: { both: { points: 2, seconds: 60 }, identifier: false, address: false },
      email: false,
    } as const
    const its = site({ rateLimit: { trustedProxies: 1, limits } })
    expect(await tally(4, () => its.tryPassword("ada", "wrong", ada))).toEqual({ 302: 2, 429: 2 })
    expect(await tally(80, () => its.tryPassword("ada"))).toEqual({ 302: 80 })
    expect(await tally(20, () => its.askForLink("ada@app.test"))).toEqual({ 302: 20 })
    expect(its.log.entries.filter(({ text }) => text.includes("store of the rate limits"))).toEqual([])
    its.clock.advance({ seconds: 60 })
    expect(await tally(4, () => its.tryPassword("ada", "wrong", ada))).toEqual({ 302: 2, 429: 2 })
  })

  test("that are `undefined` keep their default", async () => {
    const limits = { credentials: { identifier: undefined }, email: undefined } as const
    const its = site({ rateLimit: { limits } })
    expect(await tally(31, () => its.tryPassword("ada"))).toEqual({ 302: 30, 429: 1 })
    expect(await tally(11, () => its.askForLink("ada@app.test"))).toEqual({ 302: 10, 429: 1 })
  })

  test("for a mailbox or an account do not count requests that name none", async () => {
    const limits = { callback: { identifier: { points: 1, seconds: 60 }, address: false } } as const
    const its = site({ rateLimit: { limits } })
    const bad = async () => its.get(`/auth/callback/${createProvider().id}?code=x&state=made-up`)
    expect(await tally(5, bad)).toEqual({ 302: 5 })
  })

  test("`rateLimit: false` counts nothing", async () => {
    const its = site({ rateLimit: false })
    expect(await tally(60, () => its.tryPassword("ada", "wrong", ada))).toEqual({ 302: 60 })
    expect(await tally(60, () => its.askForLink("ada@app.test", ada))).toEqual({ 302: 60 })
  })

  test("a configuration created per request shares the counts of its adapter", async () => {
    const { adapter, clock } = site()
    const anew = () => site({ adapter, runtime: clock.runtime })
    expect(await tally(12, () => anew().askForLink("ada@app.test"))).toEqual({ 302: 10, 429: 2 })
  })
})
