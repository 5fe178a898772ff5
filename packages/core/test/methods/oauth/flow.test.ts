import { InvalidCheck } from "@latchkey/core/errors"
import type { OIDCConfig } from "@latchkey/core/types"
import { frozenClock } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { findFlow, type Flow, writeFlowCookie, consumedCookies } from "../../../src/features/oauth/flow.js"
import type { SetCookie } from "../../../src/model/cookie.js"
import { type Arriving, type Unit, unit } from "./unit.js"

const redirectUri = "https://app.test/auth/callback/op"
const stateOf = (end: string) => `${"s".repeat(33)}${end.padStart(10, "-")}`
const attempt = { state: stateOf("a"), redirectUri, verifier: "v", nonce: "n" }

/** The flow cookies as the browser gets them. */
async function kept(its: Unit, flow: Partial<Flow> = {}, arriving: Arriving = {}, crossSite = false) {
  return writeFlowCookie(
    its.incoming(arriving),
    its.provider,
    { ...attempt, ...flow, state: flow.state ?? attempt.state },
    crossSite,
  )
}

function ends(cookies: readonly SetCookie[]): readonly string[] {
  return cookies.map(({ name, options }) => `${name.slice(-1)}${options.maxAge === 0 ? " gone" : ""}`)
}

describe("the flow cookie", () => {
  test.each([
    [false, { sameSite: "lax", secure: true }],
    [true, { sameSite: "none", secure: true }],
  ])("expires after 15 minutes; cross-site: %s", async (crossSite, flags) => {
    const [cookie, ...others] = await kept(unit(), {}, {}, crossSite)
    expect(others).toEqual([])
    expect(cookie?.name).toBe("__Host-authjs.state.---------a")
    expect(cookie?.options).toEqual({ httpOnly: true, path: "/", maxAge: 900, ...flags })
  })

  test("returns what was stored in it, and refuses anything else", async () => {
    const its = unit()
    const whole = { callbackUrl: "/a", userId: "u1", link: true, requires: { maxAge: 60, acr: [["gold"]] } }
    const params = { state: attempt.state }
    const [bare, rich] = [await kept(its), await kept(its, whole)]
    const empty = { callbackUrl: undefined, userId: undefined, link: false, passed: undefined, requires: undefined }
    const startedAt = expect.any(Number) as unknown
    expect(await findFlow(its.auth, its.provider, its.incoming({ cookies: bare }), params)).toStrictEqual({
      ...attempt,
      ...empty,
      startedAt,
    })
    expect(await findFlow(its.auth, its.provider, its.incoming({ cookies: rich }), params)).toStrictEqual({
      ...attempt,
      ...whole,
      passed: undefined,
      startedAt,
    })
  })

  test("is limited to five: unreadable ones are deleted first, then the oldest", async () => {
    const its = unit()
    const cookies: SetCookie[] = []
    for (const end of ["c", "a", "e", "b", "d"]) {
      cookies.unshift(...(await kept(its, { state: stateOf(end) })))
      its.clock.advance({ seconds: 1 })
    }
    const foreign = ["__Host-authjs.state.short", "__Host-authjs.state.---------a.p", "x---------a"]
    const strange = foreign.map((name) => ({ name, value: "x" }))
    const next = { state: stateOf("f") }
    expect(ends(await kept(its, next, { cookies: [...strange, ...cookies.slice(0, 4)] }))).toEqual(["f"])
    expect(ends(await kept(its, next, { cookies: [...strange, ...cookies] }))).toEqual(["c gone", "f"])
    const unreadable = { name: "__Host-authjs.state.---------u", value: "x" }
    const many = [...cookies, unreadable]
    expect(ends(await kept(its, next, { cookies: many }))).toEqual(["u gone", "c gone", "f"])
  })
})

const unasked = "this browser has no attempt, or several, that it could belong to"

describe("a callback", () => {
  test.each<[string, Partial<OIDCConfig>]>([
    ["another provider", { id: "op2" }],
    ["another client", { clientId: "other" }],
    ["another server", { issuer: "https://other.test" }],
    ["another server", { wellKnown: "https://op.test/meta" }],
    ["another server", { authorization: "https://op.test/authorize" }],
    ["another server", { token: "https://op.test/token" }],
    ["another server", { userinfo: "https://op.test/userinfo" }],
    ["another server", { jwks_endpoint: "https://op.test/jwks" }],
  ])("is refused for a sign-in with %s (%j)", async (what, given) => {
    const its = unit()
    const found = findFlow(its.auth, its.but(given), its.incoming({ cookies: await kept(its) }), {
      state: attempt.state,
    })
    await expect(found).rejects.toThrow(InvalidCheck)
    await expect(found).rejects.toThrow(`the attempt was started with ${what}`)
  })

  test.each<[string, Partial<OIDCConfig>, Partial<Flow>, Record<string, string>]>([
    ["the response has no state", {}, {}, {}],
    ["the state belongs to another attempt", {}, {}, { state: `x${attempt.state}` }],
    ["the attempt has another redirect URI", {}, { redirectUri: "https://app.test/x" }, { state: attempt.state }],
    [unasked, {}, {}, { state: stateOf("b") }],
    ["only its state could prove it", { checks: ["pkce"] }, { verifier: undefined, nonce: undefined }, {}],
  ])("is refused because %s", async (reason, given, flow, params) => {
    const its = unit(given)
    const found = findFlow(its.auth, its.provider, its.incoming({ cookies: await kept(its, flow) }), params)
    await expect(found).rejects.toThrow(InvalidCheck)
    await expect(found).rejects.toThrow(reason)
    await expect(found).rejects.toMatchObject({ cause: { providerId: "op" } })
  })

  test("without state finds the only sign-in at its provider if another check can verify it", async () => {
    const its = unit({ checks: ["pkce"] })
    const other = unit({ id: "op2" })
    const elsewhere = await writeFlowCookie(
      other.incoming(),
      other.provider,
      { ...attempt, state: stateOf("b") },
      false,
    )
    const unreadable = { name: "__Host-authjs.state.---------u", value: "x" }
    const own = await kept(its, { nonce: undefined })
    const cookies = [unreadable, ...elsewhere, ...own]
    expect(await findFlow(its.auth, its.provider, its.incoming({ cookies }), {})).toMatchObject({
      state: attempt.state,
    })
    const nonced = await kept(its, { verifier: undefined })
    expect(await findFlow(its.auth, its.provider, its.incoming({ cookies: nonced }), {})).toMatchObject({ nonce: "n" })
    const second = await kept(its, { state: stateOf("c") })
    await expect(
      findFlow(its.auth, its.provider, its.incoming({ cookies: [...cookies, ...second] }), {}),
    ).rejects.toThrow(unasked)
    await expect(findFlow(its.auth, its.provider, its.incoming({ cookies: elsewhere }), {})).rejects.toThrow(unasked)
  })

  test("finds its sign-in without a check if all are disabled", async () => {
    const its = unit({ checks: ["none"] })
    const cookies = await kept(its, { verifier: undefined, nonce: undefined, callbackUrl: "/a" })
    expect(await findFlow(its.auth, its.provider, its.incoming({ cookies }), {})).toMatchObject({ callbackUrl: "/a" })
  })

  test("needs no flow cookie if all checks are disabled", async () => {
    const its = unit({ checks: ["none"] })
    const nothing = { state: undefined, redirectUri, requires: undefined }
    expect(await findFlow(its.auth, its.provider, its.incoming(), { state: stateOf("b") })).toStrictEqual(nothing)
    expect(await findFlow(its.auth, its.provider, its.incoming(), {})).toStrictEqual(nothing)
  })
})

describe("a callback deletes", () => {
  const name = (end: string) => `__Host-authjs.state.${end.padStart(10, "-")}`
  const cookies = ["a", "b"].map((end) => ({ name: name(end), value: "x" }))
  const withKept = [...cookies, { name: `${name("a")}.p`, value: "x" }]
  const odd = { name: "__Host-authjs.state.abcde fghi", value: "x" }
  const [all, none] = [["pkce"] as const, ["pkce", "state"] as const]

  test.each<[string, OIDCConfig["checks"], Arriving, readonly string[]]>([
    ["the flow cookie of its sign-in", none, { cookies, params: { state: stateOf("a") } }, [name("a")]],
    [
      "its stored response too",
      none,
      { cookies: withKept, params: { state: stateOf("a") } },
      [name("a"), `${name("a")}.p`],
    ],
    ["the same when posted", none, { method: "POST", cookies, params: { state: stateOf("b") } }, [name("b")]],
    ["nothing that is not there", none, { cookies, params: { state: stateOf("c") } }, []],
    ["nothing for a state of another browser", all, { cookies, params: { state: "a state;" } }, []],
    ["nothing that could not be named", none, { cookies: [odd], params: { state: "abcde fghi" } }, []],
    ["nothing without state", none, { cookies }, []],
    ["all where the state may be missing", all, { cookies }, [name("a"), name("b")]],
    ["only its own where it is not", all, { cookies, params: { state: stateOf("b") } }, [name("b")]],
  ])("%s", (_, checks, arriving, names) => {
    const { provider, incoming } = unit({ checks })
    const cleared = consumedCookies(provider, incoming(arriving))
    expect(cleared.map((cookie) => cookie.name)).toEqual(names)
    for (const { value, options } of cleared) expect([value, options.maxAge, options.path]).toEqual(["", 0, "/"])
  })
})

test("flow cookies are refused after 15 minutes or with another secret", async () => {
  const its = unit({}, frozenClock())
  const cookies = await kept(its)
  const params = { state: attempt.state }
  its.clock.advance({ seconds: 899 })
  expect(await findFlow(its.auth, its.provider, its.incoming({ cookies }), params)).toMatchObject({ nonce: "n" })
  its.clock.advance({ seconds: 60 })
  await expect(findFlow(its.auth, its.provider, its.incoming({ cookies }), params)).rejects.toThrow(unasked)
})
