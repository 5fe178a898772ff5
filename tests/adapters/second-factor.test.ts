import type { Adapter } from "@latchkey/core/adapters"
import credentials from "@latchkey/core/providers/credentials"
import { createServer } from "@latchkey/core/server"
import type { AuthConfig, EmailConfig, VerificationRequest } from "@latchkey/core/types"
import { type Browser, createProvider, frozenClock, type FrozenClock, visit } from "@latchkey/testing"
import { afterEach, describe, expect, inject, test } from "vitest"
import { codeAt, stepAt } from "../../examples/module-totp/src/codes.js"
import { totp } from "../../examples/module-totp/src/totp.js"
import { ours } from "./ours.js"
import type { Opened } from "./published/published.js"

const databases = ["SQLite", "PostgreSQL", "MariaDB", "Redis"]
const stores = ours.filter(
  ({ name, database }) => databases.includes(database) && /sql\/(?:sqlite|postgres|mysql)$|\/redis$/.test(name),
)

const ada = "ada@example.test"

interface Site {
  readonly config: AuthConfig
  readonly clock: FrozenClock
  readonly browser: Browser
  readonly op: ReturnType<typeof createProvider>
  readonly sent: readonly VerificationRequest[]
  /** Another process with the same database. */
  another(): Promise<Browser>
}

const opened: Opened[] = []
afterEach(async () => {
  for (const { close } of opened.splice(0)) await close()
})

async function site(adapter: Adapter): Promise<Site> {
  const clock = frozenClock(Date.now())
  const op = createProvider({ clock })
  const sent: VerificationRequest[] = []
  const email: EmailConfig = {
    id: "email",
    name: "Email",
    type: "email",
    sendVerificationRequest: (message) => void sent.push(message),
  }
  const password = credentials({
    credentials: { name: {} },
    authorize: async ({ name }) => (name === "ada" ? ((await adapter.getUserByEmail?.(ada)) ?? null) : null),
  })
  const make = (): AuthConfig => ({
    adapter,
    secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGqR8eJ2aV5pLw",
    providers: [op.provider({ allowDangerousEmailAccountLinking: true }), email, password],
    session: { strategy: "jwt" },
    rateLimit: false,
    modules: [totp()],
  })
  const config = make()
  return { config, clock, op, sent, browser: await visit(config, { clock }), another: () => visit(make(), { clock }) }
}

const ways: Readonly<Record<string, (site: Site, browser: Browser) => Promise<unknown>>> = {
  "an email link": async ({ sent }, browser) => {
    await browser.signIn("email", { email: ada, callbackUrl: "/auth/account" })
    return browser.get(sent.at(-1)?.url ?? "")
  },
  "an OpenID provider": ({ op }, browser) => browser.signInWith(op, { as: "ada" }),
  "a password": (_, browser) => browser.signIn("credentials", { name: "ada" }),
}

async function idOf({ config: { adapter } }: Site): Promise<string> {
  return String((await adapter?.getUserByEmail?.(ada))?.id)
}

/** What is stored about the app of a user, as text. */
async function storedOf({ config: { adapter } }: Site, id: string): Promise<string> {
  return JSON.stringify(await adapter?.records?.get("totp.secret", id))
}

async function withPassword(its: Site): Promise<Browser> {
  const browser = await its.another()
  await ways["a password"]?.(its, browser)
  return browser
}

const signUp = async (its: Site) => ways["an email link"]?.(its, its.browser)

/** Sets the app up on the account page. */
async function enroll({ browser, clock }: Site): Promise<{ seed: string; recovery: readonly string[] }> {
  await browser.get("/auth/account")
  await browser.submitForm("totp/enroll")
  const [seed = ""] = codesIn(browser)
  expect(browser.text).toContain("data:image/svg+xml")
  await browser.submitForm("totp/confirm", { code: "000000" })
  expect(browser.response.status).toBe(400)
  await browser.submitForm("totp/confirm", { code: codeAt(seed, stepAt(clock.now())) })
  const recovery = codesIn(browser)
  expect(recovery).toHaveLength(10)
  return { seed, recovery }
}

function codesIn({ text }: Browser): readonly string[] {
  return [...text.matchAll(/<li>([A-Z2-7]{16,})<\/li>/g)].map(([, code = ""]) => code)
}

const available = stores.filter(({ needs }) => needs === undefined || inject(needs) !== undefined)

describe.each(available)("an authenticator app as a second factor on $database", ({ open }) => {
  async function enrolled() {
    const store = await open((url) => url)
    opened.push(store)
    const its = await site(store.adapter)
    await signUp(its)
    const factor = await enroll(its)
    await its.browser.signOut()
    its.clock.advance({ seconds: 60 })
    return { its, ...factor }
  }

  test("holds every way to sign in, in any process", async () => {
    const { its, seed } = await enrolled()
    for (const [name, signIn] of Object.entries(ways)) {
      const browser = await its.another()
      await signIn(its, browser)
      expect(await browser.session(), name).toBeNull()
      await browser.submitForm("auth/factor", { code: codeAt(seed, stepAt(its.clock.now())) })
      expect(await browser.session(), name).toMatchObject({ user: { email: ada } })
      its.clock.advance({ seconds: 30 })
    }
  })

  test("accepts a code once, also of two processes at the same time", async () => {
    const { its, seed } = await enrolled()
    const browsers = await Promise.all([its.another(), its.another(), its.another()])
    for (const browser of browsers) await ways["a password"]?.(its, browser)
    const code = codeAt(seed, stepAt(its.clock.now()))
    await Promise.all(browsers.map((browser) => browser.submitForm("auth/factor", { code })))
    const sessions = await Promise.all(browsers.map((browser) => browser.session()))
    expect(sessions.filter((session) => session !== null)).toHaveLength(1)
  })

  test("accepts each recovery code once, and `revoke` for a lost factor ends it", async () => {
    const { its, recovery } = await enrolled()
    const [code = ""] = recovery
    for (const isAccepted of [true, false]) {
      const browser = await withPassword(its)
      await browser.submitForm("auth/factor", { code: code.toLowerCase() })
      expect((await browser.session()) !== null).toBe(isAccepted)
    }
    const id = await idOf(its)
    const { members, revoke } = createServer(its.config)
    const isEnrolled = async () => members["totp"]?.["isEnrolled"]?.(id)
    await revoke(id, "suspicious")
    expect(await isEnrolled()).toBe(true)
    await revoke(id, "lost-factor")
    expect(await isEnrolled()).toBe(false)
    expect(await (await withPassword(its)).session()).toMatchObject({ user: { email: ada } })
  })

  test("is removed on the account page, and with the user", async () => {
    const { its, seed } = await enrolled()
    const { browser, clock, config } = its
    await ways["an email link"]?.(its, browser)
    await browser.submitForm("auth/factor", { code: codeAt(seed, stepAt(clock.now())) })
    const id = await idOf(its)
    expect(await storedOf(its, id)).toContain("lastStep")
    expect(await storedOf(its, id)).not.toContain(seed)
    await config.adapter?.deleteUser?.(id)
    expect(await storedOf(its, id)).toBe("null")
  })
})
