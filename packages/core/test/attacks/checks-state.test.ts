import { createHash } from "node:crypto"
import { createProvider, faults } from "@latchkey/testing"
import type { Browser, FakeProvider } from "@latchkey/testing"
import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { answerOf, begin, flowCookies, open, outcome } from "../flows/oauth/app.js"
import { attackersCode, expectRefused, metadata } from "./oauth-setup.js"

/** States that an attacker can make up from the state of their own sign-in. */
function foreignStates(own: string, theirs: string): readonly string[] {
  const named = own.slice(-10)
  const changed = `${own.startsWith("A") ? "B" : "A"}${own.slice(1)}`
  return ["anything", theirs, "", named, `x${own}`, own.slice(0, -10), changed, `${"A".repeat(33)}${named}`]
}

/** Each type of provider, with and without PKCE. */
function providersOf(op: FakeProvider) {
  return [
    op.oauthProvider({ checks: ["state"] }),
    op.provider({ checks: ["state"] }),
    op.oauthProvider(),
    op.provider(),
  ]
}

async function inject(browser: Browser, op: FakeProvider, query: Record<string, string>) {
  await browser.get(`/auth/callback/op?${new URLSearchParams({ ...query, iss: op.issuer })}`, {
    from: "https://evil.test",
  })
}

attack("ADV-BA-10", "the state of the callback is compared with the one in the cookie", async (mode) => {
  for (const which of [0, 1, 2, 3]) {
    const op = createProvider({ faults: faults.pkceIgnored })
    const app = await open(providersOf(op).slice(which, which + 1), { security: mode })
    for (let at = 0; at < foreignStates("", "").length; at += 1) {
      const own = (await begin(app.browser)).searchParams.get("state") ?? ""
      const theirs = (await begin(app.browser.fresh())).searchParams.get("state") ?? ""
      const code = await attackersCode(app.browser, op)
      expect(flowCookies(app.browser).length).toBeGreaterThan(0)
      await inject(app.browser, op, { code, state: foreignStates(own, theirs)[at] ?? "" })
      await expectRefused(app, "InvalidCheck")
    }
    expect(op.requestsTo("token")).toEqual([])
  }
})

attack("ADV-BA-10", "a repeated `state` parameter does not bypass the comparison", async (mode) => {
  const op = createProvider({ faults: faults.pkceIgnored })
  const app = await open([op.oauthProvider({ checks: ["state"] })], { security: mode })
  const own = (await begin(app.browser)).searchParams.get("state") ?? ""
  const code = await attackersCode(app.browser, op)
  for (const query of [`state=${own}&state=wrong`, `state[]=${own}`, `State=${own}`]) {
    await app.browser.get(`/auth/callback/op?code=${code}&${query}`, { from: "https://evil.test" })
    await expectRefused(app, "InvalidCheck")
  }
  expect(op.requestsTo("token")).toEqual([])
})

attack("ADV-NA-09", "the code of an authorization request without its checks is not exchanged", async (mode) => {
  const op = createProvider()
  const app = await open([op.provider({ checks: ["state", "pkce"] })], { security: mode })
  const at = await begin(app.browser)
  for (const name of ["state", "code_challenge", "code_challenge_method", "nonce"]) at.searchParams.delete(name)
  const answer = await answerOf(op, at)
  expect(new URL(answer).searchParams.has("state")).toBe(false)

  for (const browser of [app.browser, app.browser.fresh(), app.browser]) {
    await browser.get(answer, { from: op.issuer })
    await expectRefused({ ...app, browser }, "InvalidCheck")
    expect(op.requestsTo("token")).toEqual([])
  }
})

attack("ADV-NA-09", "an authorization request without its challenge or nonce ends without a session", async (mode) => {
  for (const names of [["code_challenge", "code_challenge_method"], ["nonce"]]) {
    const op = createProvider()
    const app = await open([op.provider()], { security: mode })
    const at = await begin(app.browser)
    for (const name of names) at.searchParams.delete(name)
    await app.browser.get(await answerOf(op, at), { from: op.issuer })
    await expectRefused(app, "Configuration")
  }
})

attack(
  "CHK-03",
  "by default state is sent, with OpenID Connect also a nonce, and an injected code is not exchanged",
  async (mode) => {
    for (const openId of [true, false]) {
      for (const pending of [true, false]) {
        const op = createProvider({ faults: [faults.pkceIgnored, faults.noPkceSupport] })
        const app = await open([openId ? op.provider() : op.oauthProvider()], { security: mode })
        const { searchParams } = await begin(app.browser)
        expect(searchParams.get("state")).toMatch(/^[\w-]{43}$/)
        expect(searchParams.has("nonce")).toBe(openId)
        const code = await attackersCode(app.browser, op)
        const browser = pending ? app.browser : app.browser.fresh()
        await inject(browser, op, { code })
        await expectRefused({ ...app, browser }, "InvalidCheck")
        expect(op.requestsTo("token")).toEqual([])
      }
    }
  },
)

attack("CHK-03", "without its flow cookie, the cookies for Auth.js finish no sign-in", async (mode) => {
  for (const checks of [["pkce"], ["state"], ["nonce"], ["pkce", "state", "nonce"]] as const) {
    for (const hasState of [true, false]) {
      const op = createProvider({ faults: [faults.pkceIgnored, faults.codeReplay] })
      const app = await open([op.provider({ checks })], { security: mode })
      const state = (await begin(app.browser)).searchParams.get("state") ?? ""
      const flow = app.browser.cookies.map(({ name }) => name).filter((name) => name.endsWith(state.slice(-10)))
      expect(flow).toHaveLength(1)
      for (const name of flow) app.browser.jar.remove(name)
      const authjs = app.browser.cookies.filter(({ name }) => /authjs\.(?:pkce\.code_verifier|state|nonce)$/.test(name))
      expect(authjs).toHaveLength(mode === "strict" ? 0 : checks.length)
      const code = await attackersCode(app.browser, op)
      await inject(app.browser, op, hasState ? { code, state } : { code })
      await expectRefused(app, "InvalidCheck")
      expect(op.requestsTo("token")).toEqual([])
    }
  }
})

const without = [undefined, [], ["plain"], ["s256"], ["plain", "unknown"]]

attack(
  "CHK-04",
  "without S256 in the metadata, state and nonce protect the callback; `plain` is never used",
  async (mode) => {
    for (const methods of without) {
      for (const checks of [undefined, ["pkce"], ["pkce", "state"]] as const) {
        const op = createProvider({ faults: metadata({ code_challenge_methods_supported: methods }) })
        const { browser } = await open([op.provider(checks === undefined ? {} : { checks })], { security: mode })
        const { searchParams } = await begin(browser)
        expect([searchParams.has("state"), searchParams.has("nonce")]).toEqual([true, true])
        expect(searchParams.get("code_challenge_method")).not.toBe("plain")
        expect(searchParams.has("code_challenge")).toBe(searchParams.get("code_challenge_method") === "S256")
        await browser.consentAt(op, { as: "ada" })
        expect(outcome(browser)).toBe("home")
      }
    }
  },
)

attack("CHK-04", "without S256 in the metadata, an injected code is refused too", async (mode) => {
  for (const methods of without) {
    const op = createProvider({
      faults: [metadata({ code_challenge_methods_supported: methods }), faults.pkceIgnored],
    })
    const app = await open([op.provider({ checks: ["pkce"] })], { security: mode })
    await begin(app.browser)
    await inject(app.browser, op, { code: await attackersCode(app.browser, op) })
    await expectRefused(app, "Configuration")
  }
})

attack("CHK-05", "a nonce is sent by default, and no cookie contains it in plain text", async (mode) => {
  const op = createProvider()
  const { browser } = await open([op.provider()], { security: mode })
  const nonce = (await begin(browser)).searchParams.get("nonce") ?? ""
  expect(nonce).toMatch(/^[\w-]{43}$/)
  const [cookie] = browser.cookies.filter(({ name }) => name.includes("state."))
  expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: "lax" })
  const digest = createHash("sha256").update(nonce).digest("base64url")
  for (const { value } of browser.cookies) for (const text of [nonce, digest]) expect(value).not.toContain(text)
})

attack("CHK-05", "an ID token of another sign-in is refused, with its nonce or without", async (mode) => {
  for (const strip of [false, true]) {
    const op = createProvider({ faults: faults.pkceIgnored })
    const app = await open([op.provider()], { security: mode })
    const kept: Record<string, unknown>[] = []
    const stop = op.inject({
      idToken: (token) => {
        kept.push(token.claims)
        return "unusable"
      },
    })
    const victim = app.browser.fresh()
    await victim.signInWith(op, { as: "grace" })
    stop()
    expect(kept).toHaveLength(1)
    const { nonce, ...others } = kept[0] ?? {}
    op.inject({ idToken: (token) => ({ ...token, claims: strip ? others : { ...others, nonce } }) })
    await app.browser.signInWith(op, { as: "ada" })
    await expectRefused(app, "Configuration")
  }
})
