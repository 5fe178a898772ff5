import type { AdapterUser } from "@latchkey/core/adapters"
import { type Browser, createAuthenticator } from "@latchkey/testing"
import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { emailOf, errorAt } from "../flows/signin/setup.js"
import { ask } from "../methods/webauthn/setup.js"
import { ada, adaWithPasskey, grace, passkeySite, signUpAllowed } from "./webauthn-setup.js"

/** Everything in the options that isn't random. */
async function optionsFor(browser: Browser, kind: string, query: Record<string, string>): Promise<string> {
  const { status, body } = await ask(browser.fresh(), query, kind)
  const isRandom = (name: string, value: unknown) =>
    name === "challenge" || (name === "user" && typeof value === "object") ? typeof value : value
  return JSON.stringify([status, body], (name, value: unknown) => isRandom(name, value))
}

attack("WAN-04", "the options don't reveal the spelling of a stored email", async (mode) => {
  const its = await passkeySite(mode, {
    security: signUpAllowed,
    adapter: (store) => ({
      ...store,
      // As a database without case does.
      getUserByEmail: (email): AdapterUser | null =>
        store.rows().users.find((user) => user.email.toLowerCase() === email.toLowerCase()) ?? null,
    }),
  })
  await its.store.createUser({ id: "zoe", email: "Zoe@Example.test", emailVerified: new Date(0) })
  const named = async (email: string) => {
    const { body } = await ask(its.browser.fresh(), { action: "register", email })
    return (body as { options: { user: { name: string } } }).options.user.name
  }
  for (const spelling of ["zoe@example.test", "ZOE@EXAMPLE.TEST", "Zoe@Example.test"]) {
    expect(await named(spelling)).toBe("zoe@example.test")
  }
  expect(await named("EVE@example.test")).toBe("eve@example.test")
})

attack("WAN-12", "a control character in the email reaches no database", async (mode) => {
  const asked: string[] = []
  const its = await passkeySite(mode, {
    kind: "webauthn",
    security: signUpAllowed,
    adapter: (store) => ({
      ...store,
      getUserByEmail: async (email) => {
        asked.push(email)
        return store.getUserByEmail(email)
      },
    }),
  })
  for (const email of ["\0", "ada\0@example.test", "ada@example.test\r\nx: y", "a\u0085b", "\u001b[31m"]) {
    const query = { action: "register", email }
    expect(await ask(its.browser, query, "webauthn")).toEqual({ status: 400, body: { error: "Invalid request" } })
    expect((await ask(its.browser, { ...query, action: "authenticate" }, "webauthn")).status).toBe(200)
  }
  expect(asked).toEqual([])
})

attack("WAN-12", "a long name and a large picture don't make the challenge too long for a cookie", async (mode) => {
  for (const strategy of ["jwt", "database"] as const) {
    const its = await passkeySite(mode, { rest: { session: { strategy } } })
    const { browser } = its
    await browser.signInWith(its.op, { as: "ada" })
    const [user] = its.store.rows().users
    const image = `data:image/png;base64,${"A".repeat(5000)}`
    await its.store.updateUser({ id: user?.id ?? "", name: "A".repeat(5000), image })
    const authenticator = createAuthenticator()
    for (let tab = 0; tab < 5; tab += 1) {
      const response = await browser.fetch("/auth/webauthn-options/passkey?action=register")
      expect(response.headers.getSetCookie().filter((line) => line.length > 4096)).toEqual([])
    }
    await browser.registerPasskey(authenticator)
    expect([errorAt(browser), its.store.rows().authenticators.length]).toEqual(["/ null", 1])
    expect(its.store.rows().users).toMatchObject([{ image, name: "A".repeat(5000) }])
  }
})

attack("ADV-BA-12", "the session cookie of a deleted user doesn't keep others from signing in or up", async (mode) => {
  for (const strategy of ["jwt", "database"] as const) {
    const its = await passkeySite(mode, { rest: { session: { strategy } }, security: signUpAllowed })
    const hers = await adaWithPasskey(its, createAuthenticator(), "grace")
    const signUp = its.browser.fresh()
    for (const browser of [its.browser, signUp]) {
      await browser.signInWith(its.op, { as: "ada" })
      await its.store.deleteUser(its.store.rows().users.find(({ email }) => email === ada)?.id ?? "")
    }
    await its.browser.signInWithPasskey(hers)
    expect([errorAt(its.browser), await emailOf(its.browser)]).toEqual(["/ null", grace])
    // The deleted user doesn't come back without typing the email, as any visitor would.
    expect(await ask(signUp, { action: "register" })).toMatchObject({ status: 400 })
    await signUp.registerPasskey(createAuthenticator(), { fields: { email: "eve@example.test" } })
    expect([errorAt(signUp), await emailOf(signUp)]).toEqual(["/ null", "eve@example.test"])
  }
})

attack("WAN-12", "an adapter or application that returns nothing counts as returning none", async (mode) => {
  for (const nothing of [null, undefined]) {
    const its = await passkeySite(mode, {
      kind: "webauthn",
      security: signUpAllowed,
      adapter: (store) => ({ ...store, listAuthenticatorsByUserId: async () => nothing as never }),
    })
    await its.browser.signInWith(its.op, { as: "ada" })
    expect(await ask(its.browser, { action: "register" }, "webauthn")).toMatchObject({ status: 200 })
    const query = { action: "authenticate", email: ada }
    expect(await optionsFor(its.browser, "webauthn", query)).toMatch(/^\[200,.*"allowCredentials":\[\{/)
    const without = await passkeySite(mode, {
      kind: "webauthn",
      provider: { getUserInfo: async () => nothing as never },
    })
    expect(await ask(without.browser, query, "webauthn")).toMatchObject({ status: 200 })
    expect(await ask(without.browser, { action: "register" }, "webauthn")).toMatchObject({ status: 400 })
  }
})

attack(
  "WAN-04",
  "the options take the same queries whether or not an email has an account or a passkey",
  async (mode) => {
    for (const kind of ["passkey", "webauthn"] as const) {
      let called: string[] = []
      const its = await passkeySite(mode, {
        kind,
        security: signUpAllowed,
        adapter: (store) => ({
          ...store,
          getUserByEmail: (email) => (called.push("getUserByEmail"), store.getUserByEmail(email)),
          getUser: (id) => (called.push("getUser"), store.getUser(id)),
          listAuthenticatorsByUserId: (id) => (called.push("list"), store.listAuthenticatorsByUserId(id)),
        }),
      })
      await adaWithPasskey(its)
      await its.store.createUser({ id: "zoe", email: "zoe@example.test", emailVerified: new Date(0) })
      for (const action of ["authenticate", "register"]) {
        const queries = []
        for (const email of [ada, "zoe@example.test", "unknown@example.test"]) {
          called = []
          await ask(its.browser.fresh(), { action, email }, kind)
          queries.push(called)
        }
        expect([kind, action, queries[1], queries[2]]).toEqual([kind, action, queries[0], queries[0]])
      }
    }
  },
)
