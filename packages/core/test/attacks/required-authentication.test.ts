import { frozenClock } from "@latchkey/testing"
import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { begin, outcome } from "../flows/oauth/app.js"
import { type Claims, claiming, storedRows, type Setting, world } from "./openid-setup.js"

const url = "https://op.test/authorize"
const phr = { acr_values: "phr", max_age: 60 }
const good = (now: number): Claims => ({ acr: "phr", auth_time: now })

type At = Exclude<Setting["provider"], undefined>["authorization"]

/** The same requirement in each place where a configuration can have it. */
const places: readonly (readonly [string, At])[] = [
  ["the parameters", { params: phr }],
  ["the parameters as text", { params: { acr_values: "phr", max_age: "60" } }],
  ["the query of the URL", `${url}?acr_values=phr&max_age=60`],
  ["the query of the URL in an object", { url: `${url}?acr_values=phr&max_age=60` }],
  ["the query of the placeholder for discovery", "https://authjs.dev?acr_values=phr&max_age=60"],
  ["both", { url: `${url}?max_age=60`, params: { acr_values: "phr" } }],
]

/** What a visitor sends to replace it. */
const wishes: readonly Record<string, string>[] = [
  {},
  { acr_values: "pwd", max_age: "9999999999" },
  { acr_values: "phr pwd", max_age: "" },
  { ACR_VALUES: "pwd", Max_Age: "9999999999" },
  { "acr_values[]": "pwd", "max_age[0]": "9999999999" },
  { "acr.values": "pwd", "max age": "9999999999" },
  { "acr%5Fvalues": "pwd", "max%5fage": "9999999999" },
  { ａcr_values: "pwd", ｍax_age: "9999999999" },
  { claims: JSON.stringify({ id_token: { acr: { value: "pwd" }, auth_time: null } }) },
  { request: "e30.e30.", request_uri: "https://evil.test/request" },
]

async function signIn(mode: "strict" | "compatible", authorization: At, asked: Record<string, string>, claims: Claims) {
  const clock = frozenClock()
  const its = await world(mode, {
    app: { clock },
    ...(authorization === undefined ? {} : { provider: { authorization } }),
  })
  its.op.inject(claiming(claims))
  const at = await begin(its.browser, "op", asked)
  await its.browser.consentAt(its.op, { as: "ada" })
  return { ...its, at }
}

async function expectSignInAgain({ browser, adapter, log }: Awaited<ReturnType<typeof signIn>>): Promise<void> {
  expect([new URL(browser.location).pathname, outcome(browser)]).toEqual(["/auth/signin", "OAuthCallbackError"])
  expect(await browser.session()).toBeNull()
  expect(storedRows(adapter)).toEqual({ users: [], accounts: [], sessions: [] })
  expect(log.entries.filter(({ level, text }) => level === "error" && text.includes("sign in again"))).toHaveLength(1)
}

attack("OIDX-04", "a visitor does not replace what the configuration asks of the authentication", async (mode) => {
  const now = frozenClock().now() / 1000
  for (const [place, authorization] of places) {
    for (const asked of wishes) {
      const weak = await signIn(mode, authorization, asked, { acr: "pwd", auth_time: 1 })
      const sent = ["acr_values", "max_age"].map((name) => weak.at.searchParams.getAll(name))
      expect([place, asked, sent]).toEqual([place, asked, [["phr"], ["60"]]])
      // Random values can contain any text.
      const chosen = [...weak.at.searchParams].filter(([name]) => !/^(?:state|nonce|code_challenge)$/.test(name))
      expect(chosen.map(([, value]) => value).join(" ")).not.toMatch(/pwd|9999/)
      await expectSignInAgain(weak)
    }
    const strong = await signIn(mode, authorization, wishes[1] ?? {}, good(now))
    expect([place, outcome(strong.browser)]).toEqual([place, "home"])
  }
})

attack("OIDX-04", "an ID token without auth_time, or with an old or impossible one, is refused", async (mode) => {
  const now = frozenClock().now() / 1000
  for (const auth_time of [
    undefined,
    1,
    0,
    -1,
    now - 121,
    now + 61,
    now * 1000,
    String(now),
    null,
    "now",
    [now],
    true,
  ]) {
    const { browser, adapter } = await signIn(mode, { params: { max_age: 60 } }, {}, { auth_time })
    expect([auth_time, outcome(browser)]).not.toEqual([auth_time, "home"])
    expect([await browser.session(), adapter.rows().users]).toEqual([null, []])
  }
  for (const auth_time of [now, now - 60, now + 10]) {
    const { browser } = await signIn(mode, { params: { max_age: 60 } }, {}, { auth_time })
    expect([auth_time, outcome(browser)]).toEqual([auth_time, "home"])
  }
})

attack("OIDX-04", "an ID token with another acr, or none, is refused", async (mode) => {
  for (const acr of [undefined, "pwd", "PHR", "phr pwd", "", " phr", null, 1, ["phr"], { phr: true }]) {
    await expectSignInAgain(await signIn(mode, { params: { acr_values: "phr phrh" } }, {}, { acr }))
  }
  for (const acr of ["phr", "phrh"]) {
    expect(outcome((await signIn(mode, { params: { acr_values: "phr phrh" } }, {}, { acr })).browser)).toBe("home")
  }
})

attack("OIDX-04", "an essential acr or auth_time of the `claims` parameter is checked", async (mode) => {
  const claims = (members: object) => ({ params: { claims: { id_token: members } } })
  const refused: readonly (readonly [object, Claims])[] = [
    [{ acr: { essential: true, values: ["phr"] } }, { acr: "pwd" }],
    [{ acr: { essential: true, value: "phr" } }, {}],
    [{ acr: { values: ["phr", "phrh"] } }, { acr: "pwd" }],
    [{ acr: { essential: true } }, {}],
    [{ auth_time: { essential: true } }, {}],
  ]
  for (const [members, given] of refused) await expectSignInAgain(await signIn(mode, claims(members), {}, given))
  const accepted: readonly (readonly [object, Claims])[] = [
    [{ acr: { essential: true, values: ["phr"] } }, { acr: "phr" }],
    [{ acr: { essential: true } }, { acr: "any" }],
    [{ acr: null, auth_time: null, email: { essential: true } }, {}],
    [{ acr: { essential: false }, auth_time: {} }, {}],
  ]
  for (const [members, given] of accepted) {
    expect(outcome((await signIn(mode, claims(members), {}, given)).browser)).toBe("home")
  }
})

attack("OIDX-04", "hints of IdentityServer are no levels, and a level beside them is required", async (mode) => {
  const hints = { params: { acr_values: "idp:google tenant:acme" } }
  expect(outcome((await signIn(mode, hints, {}, {})).browser)).toBe("home")
  const both = { params: { acr_values: "idp:google phr" } }
  await expectSignInAgain(await signIn(mode, both, {}, {}))
  await expectSignInAgain(await signIn(mode, both, {}, { acr: "idp:google" }))
  expect(outcome((await signIn(mode, both, {}, { acr: "phr" })).browser)).toBe("home")
})

attack("OIDX-04", "`verifyAuthentication: false` sends the parameters and compares nothing", async (mode) => {
  const its = await world(mode, { provider: { verifyAuthentication: false, authorization: { params: phr } } })
  its.op.inject(claiming({ acr: "pwd", auth_time: 1 }))
  const { searchParams } = await begin(its.browser, "op", { acr_values: "pwd", max_age: "9999999999" })
  expect([searchParams.get("acr_values"), searchParams.get("max_age")]).toEqual(["phr", "60"])
  await its.browser.consentAt(its.op, { as: "ada" })
  expect(outcome(its.browser)).toBe("home")
})

attack("OIDX-04", "time that passes at the provider does not count against max_age", async (mode) => {
  const clock = frozenClock()
  const its = await world(mode, { app: { clock }, provider: { authorization: { params: { max_age: 0 } } } })
  const at = await begin(its.browser)
  its.op.inject(claiming({ auth_time: clock.now() / 1000 + 30 }))
  clock.advance({ minutes: 10 })
  expect(at.searchParams.get("max_age")).toBe("0")
  await its.browser.consentAt(its.op, { as: "ada" })
  expect(outcome(its.browser)).toBe("home")
})

attack("OIDX-04", "a default of the registered client is not replaced by a visitor", async (mode) => {
  const client = { default_max_age: 60, default_acr_values: ["phr"] }
  const its = await world(mode, { provider: { client } })
  const { searchParams } = await begin(its.browser, "op", { max_age: "9999999999", acr_values: "pwd" })
  expect([searchParams.get("max_age"), searchParams.get("acr_values")]).toEqual([null, null])
  its.op.inject(claiming({ acr: "pwd", auth_time: Math.floor(Date.now() / 1000) }))
  await its.browser.consentAt(its.op, { as: "ada" })
  expect(outcome(its.browser)).toBe("OAuthCallbackError")
})

attack("OIDX-04", "the level and the time of the authentication reach the callbacks", async (mode) => {
  const clock = frozenClock()
  const seen: unknown[] = []
  const auth_time = Math.floor(clock.now() / 1000)
  for (const idToken of [true, false]) {
    const its = await world(mode, {
      provider: { idToken, authorization: { params: phr } },
      app: {
        clock,
        session: { strategy: "jwt" },
        callbacks: {
          signIn: ({ profile }) => (seen.push([profile?.["acr"], profile?.["auth_time"]]), true),
          jwt: ({ token, profile }) => (seen.push([profile?.["acr"] ?? "later", profile?.["auth_time"]]), token),
        },
      },
    })
    its.op.inject(claiming({ acr: "phr", auth_time }))
    await its.browser.signInWith(its.op, { as: "ada" })
    expect(outcome(its.browser)).toBe("home")
    expect(seen.splice(0).slice(0, 2)).toEqual([
      ["phr", auth_time],
      ["phr", auth_time],
    ])
  }
})
