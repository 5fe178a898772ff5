import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import type { Adapter } from "@latchkey/core/adapters"
import type { AuthConfig, EmailConfig, SecurityMode } from "@latchkey/core/types"
import { captureLog, createProvider, frozenClock, visit } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { secret } from "./oauth/app.js"
import { intercept, mailbox, signInByMail } from "./signin/setup.js"

interface Choices {
  readonly email?: unknown
  readonly mode?: SecurityMode
  readonly stored?: readonly string[]
  readonly more?: Partial<AuthConfig>
  readonly mail?: Partial<EmailConfig>
}

/** A site whose provider returns this email, with users who are stored already. */
async function site({ email, mode = "compatible", stored = [], more = {}, mail: options = {} }: Choices = {}) {
  const store = memoryAdapter()
  for (const [index, each] of stored.entries()) {
    await store.createUser({ id: `stored-${index}`, email: each, emailVerified: new Date(0) })
  }
  const clock = frozenClock()
  const op = createProvider({ clock })
  const mail = mailbox(options)
  const log = captureLog()
  const asked: unknown[] = []
  const lookedUp: unknown[] = []
  const adapter: Adapter = {
    ...intercept(store, (_, run) => run()),
    getUserByEmail: async (given) => (lookedUp.push(given), store.getUserByEmail(given)),
  }
  const config: AuthConfig = {
    secret,
    security: mode,
    url: "https://app.test/auth",
    adapter,
    logger: log.logger,
    callbacks: { signIn: ({ user }) => asked.push(user.email) > 0 },
    // JavaScript allows any return value, and the provider determines it.
    providers: [
      op.provider({ profile: ({ sub }) => ({ id: String(sub), name: "Ada", email: email as string }) }),
      mail.provider,
    ],
    ...more,
  }
  const browser = await visit(config, { clock })
  const dropped = () =>
    log.entries.filter(({ level, message }) => level === "warn" && message === "profile-field-dropped")
  return { browser, op, mail, store, log, asked, lookedUp, config, clock, dropped }
}

/** What Auth.js v5 stores for each of them. */
const kept: readonly (readonly [string, string])[] = [
  ["admin@localhost", "admin@localhost"],
  ["user@intranet", "user@intranet"],
  ["jörg@example.de", "jörg@example.de"],
  ["taro..yamada@docomo.ne.jp", "taro..yamada@docomo.ne.jp"],
  ["user@10.0.0.1", "user@10.0.0.1"],
  ["info@bücher.de", "info@bücher.de"],
  ["INFO@Bücher.de", "info@bücher.de"],
  ["info@xn--bcher-kva.de", "info@xn--bcher-kva.de"],
  ["用户@例子.测试", "用户@例子.测试"],
]

describe("under compatible, an email that Auth.js v5 keeps is kept", () => {
  test.each<readonly [string, string]>([
    ...kept,
    [" Ada@example.com ", " ada@example.com "],
    ["adalovelace", "adalovelace"],
    ['"ada lovelace"@example.com', '"ada lovelace"@example.com'],
    [`${"a".repeat(300)}@example.com`, `${"a".repeat(300)}@example.com`],
    ["", ""],
  ])("in the profile of a provider: %j", async (email, expected) => {
    const { browser, op, store, asked, lookedUp, dropped } = await site({
      email,
      more: { session: { strategy: "jwt" } },
    })
    await browser.signInWith(op, { as: "ada" })
    expect(asked).toEqual([expected])
    expect(lookedUp[0]).toBe(expected === "" ? undefined : expected)
    expect(store.rows().users.map((user) => user.email)).toEqual([expected])
    expect(await browser.session()).toMatchObject({ user: { email: expected } })
    expect(dropped()).toEqual([])
  })

  test.each(kept)("in a sign-in by email: %j", async (typed, expected) => {
    const { browser, mail, store, lookedUp } = await site()
    await signInByMail(browser, mail, typed)
    expect(mail.sent.map(({ identifier }) => identifier)).toEqual([expected])
    expect(lookedUp[0]).toBe(expected)
    expect(store.rows().users.map(({ email }) => email)).toEqual([expected])
    expect(await browser.session()).toMatchObject({ user: { email: expected } })
  })

  test.each(kept)("in a change of the email: %j", async (typed, expected) => {
    const { browser, mail, store } = await site()
    await signInByMail(browser, mail, "ada@example.com")
    const csrfToken = (await browser.csrf()) ?? ""
    await browser.post("/auth/account", { csrfToken, action: "change-email", email: typed })
    await browser.get(mail.link())
    expect(browser.text).toContain(expected)
    const { searchParams } = new URL(mail.link())
    const [token, email] = [searchParams.get("token") ?? "", searchParams.get("email") ?? ""]
    await browser.post("/auth/account", { csrfToken, action: "confirm-email", token, email })
    expect(store.rows().users.map((user) => user.email)).toEqual([expected])
  })

  test.each(kept)("in the page that confirms a link: %j", async (typed, expected) => {
    const { browser, mail } = await site()
    await browser.signIn("email", { email: typed })
    const elsewhere = browser.fresh()
    await elsewhere.get(mail.link())
    expect(elsewhere.text).toContain(`${[...expected][0]}***@`)
  })
})

const spellings = ["info@bücher.de", "info@xn--bcher-kva.de", "INFO@BÜCHER.DE"]
const pairs = spellings.slice(0, 2).flatMap((stored) => spellings.map((given): [string, string] => [stored, given]))

describe.each(["compatible", "strict"] as const)("under %s, the spellings of an email are one user", (mode) => {
  test.each(pairs)("who is stored as %s and types %s", async (stored, typed) => {
    const { browser, mail, store } = await site({ mode, stored: [stored] })
    await signInByMail(browser, mail, typed)
    expect(store.rows().users.map(({ email }) => email)).toEqual([stored])
    expect(mail.sent.map(({ identifier }) => identifier)).toEqual([stored])
  })

  test.each(pairs)("who is stored as %s and has %s at a provider", async (stored, email) => {
    const { browser, op, store } = await site({ mode, stored: [stored], email })
    await browser.signInWith(op, { as: "ada" })
    expect(browser.location).toContain(`error=OAuth${mode === "strict" ? "CallbackError" : "AccountNotLinked"}`)
    expect(store.rows().users.map((user) => user.email)).toEqual([stored])
  })

  test.each(pairs)("who has %s, when another user changes to %s", async (stored, typed) => {
    const { browser, mail, store } = await site({ mode, stored: [stored] })
    await signInByMail(browser, mail, "ada@example.com")
    const csrfToken = (await browser.csrf()) ?? ""
    await browser.post("/auth/account", { csrfToken, action: "change-email", email: typed })
    const { searchParams } = new URL(mail.link())
    const [token, email] = [searchParams.get("token") ?? "", searchParams.get("email") ?? ""]
    await browser.post("/auth/account", { csrfToken, action: "confirm-email", token, email })
    expect(browser.location).toContain("AccountNotLinked")
    expect(store.rows().users.map((user) => user.email)).toEqual([stored, "ada@example.com"])
  })

  test("who opens two links at the same time", async () => {
    const { browser, mail, store } = await site({ mode })
    const browsers = [browser, browser.fresh()]
    for (const [index, each] of browsers.entries()) await each.signIn("email", { email: spellings[index] ?? "" })
    await Promise.all(browsers.map((each, index) => each.get(mail.link(index))))
    expect(store.rows().users).toHaveLength(1)
  })

  test("with one rate limit", async () => {
    const { browser, mail } = await site({ mode, mail: { generateVerificationToken: () => crypto.randomUUID() } })
    for (let round = 0; round < 20; round++) {
      await browser.fresh().signIn("email", { email: spellings[round % 3] ?? "" })
    }
    const both = mail.sent.length
    const other = await site({ mode })
    for (let round = 0; round < 20; round++) await other.browser.fresh().signIn("email", { email: "ada@example.com" })
    expect(both).toBe(other.mail.sent.length)
    expect(both).toBeLessThan(20)
  })
})

test("a plain email is looked up once", async () => {
  const { browser, op, lookedUp } = await site({ email: "ada@example.com" })
  await browser.signInWith(op, { as: "ada" })
  expect(lookedUp).toEqual(["ada@example.com"])
})

describe("what is dropped from a profile is logged once, with its field and without its value", () => {
  const values: readonly (readonly [string, unknown, SecurityMode])[] = [
    ["a line break", "ada@example.com\r\nBcc: eve@evil.test", "compatible"],
    ["another line break", "ada@example.com\u2028eve", "compatible"],
    ["a NUL", "ada\0@example.com", "compatible"],
    ["several addresses", "ada@example.com, eve@evil.test", "compatible"],
    ["a display name", "Ada <ada@example.com>", "compatible"],
    ["a quoted address", '"ada@example.com"@evil.test', "compatible"],
    ["a zero-width space", "ada\u200b@example.com", "compatible"],
    ["a change of direction", "moc.elpmaxe@\u202eada", "compatible"],
    ["half of a character", "ada\ud83d@example.com", "compatible"],
    ["513 characters", "@example.com".padStart(513, "a"), "compatible"],
    ["a number", 7, "compatible"],
    ["an object", { value: "ada@example.com" }, "compatible"],
    ["one label", "admin@localhost", "strict"],
    ["a letter of another script", "jörg@example.de", "strict"],
    ["two dots", "taro..yamada@docomo.ne.jp", "strict"],
    ["an IP address", "user@10.0.0.1", "strict"],
    ["wide letters", "ａda@example.com", "strict"],
  ]
  test.each(values)("an email with %s: %j, %s", async (_, email, mode) => {
    const { browser, op, store, asked, dropped } = await site({ email, mode })
    for (const as of ["ada", "grace"]) await browser.fresh().signInWith(op, { as })
    expect(asked).toEqual([undefined, undefined])
    expect(store.rows().users.map((user) => user.email ?? null)).toEqual([null, null])
    expect(dropped()).toHaveLength(1)
    expect(String(dropped()[0]?.detail)).toMatch(/`email` of a user of the provider "op"/)
    expect(JSON.stringify(dropped())).not.toMatch(/ada@|jörg|taro|user@|evil|admin/)
  })

  test.each<[string, "name" | "image", unknown]>([
    ["that is too long", "name", "Ada ".repeat(300)],
    ["with NUL", "name", "Ada\0"],
    ["with half of a character", "name", "Ada \ud83d"],
    ["that is an object", "name", { first: "Ada" }],
    ["that is too long", "image", "data:".padEnd(262_145, "i")],
    ["that is an object", "image", { url: "https://img.test/ada.png" }],
  ])("a value %s: the %s", async (_, field, value) => {
    const { op, store, config, clock, dropped } = await site()
    const provider = op.provider({ profile: ({ sub }) => ({ id: String(sub), [field]: value as string }) })
    const changed = { ...config, providers: [provider] }
    const browser = await visit(changed, { clock })
    for (const as of ["ada", "grace"]) await browser.fresh().signInWith(op, { as })
    expect(store.rows().users).toHaveLength(2)
    expect(dropped()).toHaveLength(1)
    expect(String(dropped()[0]?.detail)).toContain(`\`${field}\` of a user of the provider "op"`)
    expect(JSON.stringify(dropped())).not.toMatch(/Ada|iiii|img/)
  })

  test("a photo that doesn't fit into the session", async () => {
    const { op, config, clock, log } = await site()
    const provider = op.provider({ profile: ({ sub }) => ({ id: String(sub), image: "data:".padEnd(9000, "i") }) })
    const changed: AuthConfig = { ...config, session: { strategy: "jwt" }, providers: [provider] }
    const browser = await visit(changed, { clock })
    for (const as of ["ada", "grace"]) await browser.fresh().signInWith(op, { as })
    const warnings = log.entries.filter(({ message }) => message === "image-too-long")
    expect(warnings).toHaveLength(1)
    expect(String(warnings[0]?.detail)).toContain('"op"')
  })

  test.each([undefined, null])("no email isn't dropped: %s", async (email) => {
    const { browser, op, dropped } = await site({ email })
    await browser.signInWith(op, { as: "ada" })
    expect(dropped()).toEqual([])
  })
})

test("a dot at the end of the domain, the root of DNS, is the same mailbox", async () => {
  const { browser, store, mail } = await site({ stored: ["ada@app.test"] })
  await signInByMail(browser, mail, "ada@app.test.")
  expect(store.rows().users).toHaveLength(1)
})

test.each(["compatible", "strict"] as const)("an email with invisible characters is dropped (%s)", async (mode) => {
  const { browser, op, store } = await site({ mode, email: "ada@app\uFE0F.test" })
  await browser.signInWith(op, { as: "ada" })
  expect(store.rows().users[0]?.email ?? null).toBeNull()
})
