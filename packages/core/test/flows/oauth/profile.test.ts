import { createProvider, visit } from "@latchkey/testing"
import type { FakeProvider } from "@latchkey/testing"
import type { OAuth2Config, OIDCConfig } from "@latchkey/core/types"
import { describe, expect, test } from "vitest"
import { open, outcome, secret } from "./app.js"

async function signIn(op: FakeProvider, given: OIDCConfig | OAuth2Config, as = "ada") {
  const { browser, adapter, log } = await open([given])
  await browser.signInWith(op, { as })
  const { users, accounts } = adapter.rows()
  return { fate: outcome(browser), at: browser.location, users, user: users[0], account: accounts[0], log }
}

describe("the profile", () => {
  test("is the claims of the ID token, without a userinfo request", async () => {
    const op = createProvider()
    expect((await signIn(op, op.provider())).user).toMatchObject({ name: "Ada Lovelace", email: "ada@example.test" })
    expect(op.requestsTo("userinfo")).toEqual([])
  })

  test("is the userinfo response with idToken: false, and the ID token is still checked", async () => {
    const op = createProvider()
    op.inject({ userinfo: (answer) => ({ ...answer, body: { ...answer.body, name: "From Userinfo" } }) })
    expect((await signIn(op, op.provider({ idToken: false }))).user?.name).toBe("From Userinfo")
    op.inject({ idToken: (token) => ({ ...token, claims: { ...token.claims, aud: "other" } }) })
    expect((await signIn(op, op.provider({ idToken: false }))).fate).toBe("Configuration")
  })

  const claims: readonly (readonly [object, object])[] = [
    [{ name: "A", nickname: "B", preferred_username: "C" }, { name: "A" }],
    [{ name: undefined, nickname: "B", preferred_username: "C" }, { name: "B" }],
    [{ name: undefined, nickname: undefined, preferred_username: "C" }, { name: "C" }],
    [{ picture: "https://img.test/a.png" }, { image: "https://img.test/a.png" }],
    [{ email: "ADA@Example.TEST" }, { email: "ada@example.test" }],
    [{ email: null }, { email: undefined }],
  ]
  test.each(claims)("%o is mapped by default to the user %o", async (given, expected) => {
    const op = createProvider()
    op.inject({ idToken: (token) => ({ ...token, claims: { ...token.claims, ...given } }) })
    const { user } = await signIn(op, op.provider())
    for (const [key, value] of Object.entries(expected))
      expect(user?.[key as keyof typeof user] ?? undefined).toBe(value)
  })

  test("callback gets the raw profile and tokens, and its result is stored", async () => {
    const op = createProvider()
    const given = op.oauthProvider({
      profile: async ({ sub }, tokens) => ({ id: `p-${String(sub)}`, name: typeof tokens.access_token, email: null }),
    })
    const { user, account } = await signIn(op, given)
    expect([user?.name, account?.providerAccountId]).toEqual(["string", "p-ada"])
  })

  const displayed: readonly (readonly [unknown, unknown])[] = [
    ["Ada 😀", "Ada 😀"],
    ["", ""],
    ["Ada \uD83D", "Ada \uFFFD"],
    ["\uDE00 Ada \uD83D", "\uFFFD Ada \uFFFD"],
    ["A\0da", "Ada"],
    [7, "7"],
    [{ first: "Ada" }, null],
    [["Ada"], null],
    [true, null],
    [null, null],
    [undefined, undefined],
  ]
  describe.each(["name", "image"] as const)("has a value that a database stores: the %s", (field) => {
    test.each(displayed)("%j becomes %j", async (given, expected) => {
      const op = createProvider()
      // JavaScript allows any return value, and the provider determines it.
      const profile = () => ({ id: "ada", plan: { level: 1 }, [field]: given as string })
      const { fate, user } = await signIn(op, op.provider({ profile }))
      expect(fate).toBe("home")
      expect(user?.[field]).toBe(expected)
      expect(user).toMatchObject({ plan: { level: 1 } })
    })
  })

  test.each([
    ["between two characters", `${"n".repeat(1022)}😀😀`, `${"n".repeat(1022)}😀`],
    ["before a character that would be cut in half", `${"n".repeat(1023)}😀`, "n".repeat(1023)],
  ])("has a name that is cut off %s", async (_, name, expected) => {
    const op = createProvider()
    expect((await signIn(op, op.provider({ profile: () => ({ id: "ada", name }) }))).user?.name).toBe(expected)
  })

  test("keeps a name that isn't a text if there's no adapter", async () => {
    const op = createProvider()
    const profile = () => ({ id: "ada", name: { first: "Ada" } as never, image: "a\uD83D" })
    const browser = await visit({ secret, trustHost: ["app.test"], providers: [op.provider({ profile })] })
    await browser.signInWith(op, { as: "ada" })
    expect(await browser.session()).toMatchObject({ user: { name: { first: "Ada" }, image: "a\uD83D" } })
  })

  const bad: readonly (readonly [string, () => unknown])[] = [
    ["throws", () => JSON.parse("{")],
    ["rejects", () => Promise.reject(new Error("boom"))],
    ["returns null", () => null],
    ["returns nothing", () => undefined],
    ["returns the text undefined as id", () => ({ id: "undefined" })],
    ["returns an object as id", () => ({ id: {} })],
    ["returns NaN as id", () => ({ id: Number.NaN })],
    ["returns an id with a line break", () => ({ id: "a\nb" })],
    ["returns an id with NUL", () => ({ id: "a\0" })],
    ["returns an id with half a character", () => ({ id: "a\uD83D" })],
    ["returns an endless id", () => ({ id: "a".repeat(1025) })],
  ]
  test.each(bad)("callback that %s redirects to the sign-in page without code or state", async (_, profile) => {
    const op = createProvider()
    // JavaScript allows any return value.
    const given = op.provider({ profile: profile as NonNullable<OIDCConfig["profile"]> })
    const { fate, at, users, log } = await signIn(op, given)
    expect([fate, users]).toEqual(["OAuthCallbackError", []])
    expect(new URL(at).pathname).toBe("/auth/signin")
    expect(at).not.toMatch(/[?&](?:code|state)=\S*op/)
    expect(log.entries.filter(({ level }) => level === "error").map(({ detail }) => Object(detail)["type"])).toEqual([
      "OAuthProfileParseError",
    ])
  })

  test.each([
    [42, 42],
    [0, 0],
    [9007199254740993n, "9007199254740993"],
  ])("callback's id %o is stored as %o", async (id, expected) => {
    const op = createProvider()
    const given = op.oauthProvider({ profile: () => Object({ id }) })
    expect((await signIn(op, given)).account?.providerAccountId).toBe(expected)
  })

  test.each([
    [true, true],
    ["true", false],
    [false, false],
    [undefined, false],
  ])("with email_verified %o has a verified email: %o", async (email_verified, vouched) => {
    const op = createProvider({ people: { p: { sub: "p", email: "p@example.test" } } })
    op.inject({ idToken: (token) => ({ ...token, claims: { ...token.claims, email_verified } }) })
    const { user } = await signIn(op, op.provider(), "p")
    expect(user?.emailVerified instanceof Date).toBe(vouched)
  })
})

describe("the stored account", () => {
  test("has by default the standard token fields", async () => {
    const op = createProvider()
    op.inject({ token: (answer) => ({ ...answer, body: { ...answer.body, session_state: "s1", extra: "x" } }) })
    const { account, user } = await signIn(op, op.provider())
    expect(account).toEqual({
      ...(account?.["id"] === undefined ? {} : { id: account["id"] }),
      userId: user?.id,
      provider: "op",
      type: "oidc",
      providerAccountId: "ada",
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      id_token: expect.any(String),
      expires_at: expect.any(Number),
      token_type: "bearer",
      scope: "openid profile email",
      session_state: "s1",
    })
  })

  test("is the result of account(), with the engine's keys", async () => {
    const op = createProvider()
    const account: OIDCConfig["account"] = ({ access_token }) =>
      Object({ access_token, provider: "evil", providerAccountId: "grace", userId: "7", type: "email" })
    const { account: row, user } = await signIn(op, op.provider({ account }))
    expect(row).toMatchObject({ provider: "op", type: "oidc", providerAccountId: "ada", userId: user?.id })
    expect(row?.access_token).toEqual(expect.any(String))
    expect(row?.refresh_token).toBeUndefined()
  })

  test("has no tokens if account() returns nothing", async () => {
    const op = createProvider()
    const { account } = await signIn(op, op.provider({ account: () => undefined }))
    expect(account?.providerAccountId).toBe("ada")
    expect([account?.access_token, account?.id_token, account?.refresh_token]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
})

const linking: readonly (readonly [string, Partial<OIDCConfig>, boolean, string])[] = [
  ["no flag", {}, true, "OAuthAccountNotLinked"],
  ["allowDangerousEmailAccountLinking", { allowDangerousEmailAccountLinking: true }, true, "home"],
  [
    "the dangerous flag, email not verified",
    { allowDangerousEmailAccountLinking: true },
    false,
    "OAuthAccountNotLinked",
  ],
  ["verified, both sides verified", { allowEmailAccountLinking: "verified" }, true, "home"],
  ["verified, provider silent", { allowEmailAccountLinking: "verified" }, false, "OAuthAccountNotLinked"],
  [
    "both flags, provider silent",
    { allowEmailAccountLinking: "verified", allowDangerousEmailAccountLinking: true },
    false,
    "OAuthAccountNotLinked",
  ],
]
test.each(linking)(
  "an email that a user already has, with %s (%o, verified %o): %s",
  async (_, flags, vouched, fate) => {
    const op = createProvider({ people: { p: { sub: "p", email: "p@example.test", email_verified: vouched } } })
    const { browser, adapter } = await open([op.provider(flags)])
    await adapter.createUser({ id: "u1", email: "p@example.test", emailVerified: new Date(0) })
    await browser.signInWith(op, { as: "p" })
    expect(outcome(browser)).toBe(fate)
    expect(adapter.rows().accounts.map(({ userId }) => userId)).toEqual(fate === "home" ? ["u1"] : [])
    expect(adapter.rows().users).toHaveLength(1)
  },
)
