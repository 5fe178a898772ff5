import { createServer } from "@latchkey/core/server"
import { describe, expect, test } from "vitest"
import { appOf, compatible, configOf, hardened, redeployed, sessionCookie, whoIs, world } from "./setup.js"

describe.each(compatible("hashSessionTokens", false))("session tokens under %s", (_, security) => {
  test("the stored token is the one in the cookie", async () => {
    const its = world()
    const browser = await appOf(its, { security })
    await browser.signInWith(its.op, { as: "ada" })
    expect(its.adapter.rows().sessions.map(({ sessionToken }) => sessionToken)).toEqual([sessionCookie(browser)])
  })
})

describe.each(hardened("hashSessionTokens", true))("session tokens under %s", (_, security) => {
  test("the stored token is a hash, which is not accepted as a cookie", async () => {
    const its = world()
    const browser = await appOf(its, { security })
    await browser.signInWith(its.op, { as: "ada" })
    const stolen = its.adapter.rows().sessions[0]?.sessionToken ?? ""
    expect(stolen).toMatch(/^sha256:[0-9a-f]{64}$/)
    const thief = browser.fresh()
    for (const cookie of browser.cookies) thief.jar.put({ ...cookie, value: stolen })
    expect(await thief.session()).toBeNull()
    expect(await whoIs(browser)).toBe("ada@example.test")
  })

  test("a row stored before the change is read once and replaced", async () => {
    const its = world()
    const before = await appOf(its, {})
    await before.signInWith(its.op, { as: "ada" })
    const former = sessionCookie(before)
    const after = await redeployed(before, its, { security })
    expect(await whoIs(after)).toBe("ada@example.test")
    expect(its.adapter.rows().sessions).toHaveLength(2)
    expect(its.adapter.rows().sessions[1]?.sessionToken).toMatch(/^sha256:/)
    its.clock.advance({ seconds: 30 })
    expect(after.cookies.map(({ value }) => value)).not.toContain(former)
    expect(await whoIs(after)).toBe("ada@example.test")
    const thief = await redeployed(before, its, { security })
    expect(await thief.session()).toBeNull()
    expect(its.adapter.rows().sessions).toHaveLength(1)
  })

  test("requests that a page sends in parallel after the change get one new session", async () => {
    const its = world()
    const before = await appOf(its, {})
    await before.signInWith(its.op, { as: "ada" })
    const browsers = await Promise.all([1, 2, 3].map(() => redeployed(before, its, { security })))
    await Promise.all(browsers.map((browser) => browser.session()))
    expect(its.adapter.rows().sessions).toHaveLength(2)
    expect(new Set(browsers.map((browser) => sessionCookie(browser))).size).toBe(1)
  })

  test("sign-out a moment after the change also ends the session from before", async () => {
    const its = world()
    const before = await appOf(its, {})
    await before.signInWith(its.op, { as: "ada" })
    const after = await redeployed(before, its, { security })
    await after.session()
    await after.signOut()
    expect(its.adapter.rows().sessions).toEqual([])
  })

  test("sign-out with the cookie from before also ends the session that replaced it", async () => {
    const its = world()
    const before = await appOf(its, {})
    await before.signInWith(its.op, { as: "ada" })
    const late = await redeployed(before, its, { security })
    const { csrfToken } = await (await late.fetch("/auth/csrf")).json()
    await (await redeployed(before, its, { security })).session()
    await late.post("/auth/signout", { csrfToken })
    expect(its.adapter.rows().sessions).toEqual([])
  })

  test("sign-out deletes the row found by the hash", async () => {
    const its = world()
    const browser = await appOf(its, { security })
    await browser.signInWith(its.op, { as: "ada" })
    await browser.signOut()
    expect(its.adapter.rows().sessions).toEqual([])
  })

  test("a session in use is extended in the row found by the hash", async () => {
    const its = world()
    const browser = await appOf(its, { security, session: { absoluteMaxAge: 90 * 86_400 } })
    await browser.signInWith(its.op, { as: "ada" })
    its.clock.advance({ days: 3 })
    await browser.session()
    expect(its.adapter.rows().sessions).toHaveLength(1)
    expect(its.adapter.rows().sessions[0]?.expires).toEqual(new Date(its.clock.now() + 30 * 86_400_000))
  })
})

const secretNames = ["access_token", "refresh_token", "id_token"] as const

async function accountUnder(rest: Parameters<typeof appOf>[1]) {
  const its = world()
  const browser = await appOf(its, rest)
  await browser.signInWith(its.op, { as: "ada" })
  const account = its.adapter.rows().accounts[0]
  if (account === undefined) throw new Error("no account was stored")
  return { its, account, browser }
}

test.each(compatible("providerTokens", "plain"))(
  "under %s the store has the provider's tokens",
  async (_, security) => {
    const { account } = await accountUnder({ security })
    expect(account.id_token).toMatch(/^ey/)
    expect(account.access_token).toEqual(expect.any(String))
  },
)

test.each(hardened("providerTokens", "none"))(
  "under %s the store has no token of the provider",
  async (_, security) => {
    const { account } = await accountUnder({ security })
    for (const name of secretNames) expect(account).not.toHaveProperty(name)
    expect(account).toMatchObject({ provider: "op", scope: expect.any(String), expires_at: expect.any(Number) })
  },
)

describe.each([
  ["strict", { mode: "strict", providerTokens: "sealed" }],
  ["compatible", { providerTokens: "sealed" }],
] as const)("encrypted provider tokens (%s)", (_, security) => {
  test("only `providerTokens()` decrypts them, also after a rotation of the secret", async () => {
    const plain = await accountUnder({ security: { providerTokens: "plain" } })
    const { its, account } = await accountUnder({ security })
    const shape = ({ account: { access_token, refresh_token, id_token } }: typeof plain) =>
      [access_token, refresh_token, id_token].map((token) =>
        token?.replace(/^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/, "sealed"),
      )
    const expected = shape(plain).map((token) => (token === undefined ? undefined : "sealed"))
    expect(expected).toContain("sealed")
    expect(shape({ ...plain, account })).toEqual(expected)
    its.clock.advance({ days: 4000 })
    const former = configOf(its, {}).secret
    const secret = [`1${String(former).slice(1)}`, String(former)]
    const server = createServer(configOf(its, { security, secret, runtime: its.clock.runtime }))
    const opened = await server.providerTokens({ headers: new Headers() }, account)
    expect(opened.id_token).toMatch(/^ey/)
    expect(opened.scope).toBe(account.scope)
  })

  test("the next sign-in replaces them", async () => {
    const { its, account, browser } = await accountUnder({ security })
    await browser.signInWith(its.op, { as: "ada" })
    const [again] = its.adapter.rows().accounts
    expect(again?.id_token).toMatch(/^[\w-]+\.\./)
    expect(again?.id_token).not.toBe(account.id_token)
  })

  test("tokens stored before the change are returned as they are", async () => {
    const { its, account } = await accountUnder({})
    const server = createServer(configOf(its, { security, runtime: its.clock.runtime }))
    const opened = await server.providerTokens({ headers: new Headers() }, account)
    expect(opened.access_token).toBe(account.access_token)
  })
})

test("the `jwt` callback gets the provider's tokens unencrypted", async () => {
  const its = world()
  const seen: unknown[] = []
  const callbacks = {
    jwt: ({ token, account }: { token: object; account?: { access_token?: string } | null }) => {
      if (account) seen.push(account.access_token)
      return { ...token }
    },
  }
  const browser = await appOf(its, { security: "strict", session: { strategy: "jwt" }, callbacks })
  await browser.signInWith(its.op, { as: "ada" })
  expect(seen).toEqual([expect.any(String)])
})
