import type { Adapter } from "@latchkey/core/adapters"
import credentials from "@latchkey/core/providers/credentials"
import { createServer } from "@latchkey/core/server"
import type { AuthConfig, SecurityEvent } from "@latchkey/core/types"
import { mfa } from "@latchkey/mfa"
import { type Browser, frozenClock, oneTimeCode, visit } from "@latchkey/testing"
import { afterEach, describe, expect, inject, test } from "vitest"
import { attack, type Mode } from "../attack.js"
import { ours } from "./ours.js"
import type { Opened } from "./published/published.js"

const databases = ["SQLite", "PostgreSQL", "MariaDB", "Redis", "dynalite", "a stand-in for MongoDB"]
const stores = ours.filter(
  ({ name, database }) =>
    databases.includes(database) && /sql\/(?:sqlite|postgres|mysql)$|\/(?:redis|dynamodb|mongodb)$/.test(name),
)
const available = stores.filter(({ needs }) => needs === undefined || inject(needs) !== undefined)

const ada = "ada@example.test"

const opened: Opened[] = []
afterEach(async () => {
  for (const { close } of opened.splice(0)) await close()
})

async function site(adapter: Adapter, security: Mode) {
  const clock = frozenClock(Date.now())
  const events: SecurityEvent[] = []
  const user = await adapter.createUser?.({ id: crypto.randomUUID(), name: null, email: ada, emailVerified: null })
  // Each process has a configuration of its own.
  const make = (): AuthConfig => ({
    adapter,
    secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGqR8eJ2aV5pLw",
    providers: [
      credentials({ credentials: { name: {} }, authorize: async () => (await adapter.getUserByEmail?.(ada)) ?? null }),
    ],
    session: { strategy: "jwt" },
    security,
    url: "https://app.test/auth",
    rateLimit: false,
    events: { security: (event) => void events.push(event) },
    modules: [mfa()],
  })
  const signIn = async (): Promise<Browser> => {
    const browser = await visit(make(), { clock })
    await browser.signIn("credentials", { name: "ada", callbackUrl: "/auth/account" })
    return browser
  }
  return { clock, events, signIn, config: make(), id: String(user?.id) }
}

const codesOn = ({ text }: Browser) => [...text.matchAll(/<li>([A-Z2-7-]{16,})<\/li>/g)].map(([, code = ""]) => code)

async function enroll(browser: Browser, now: number) {
  await browser.submitForm("mfa/enroll")
  const [key = ""] = codesOn(browser)
  await browser.submitForm("mfa/confirm", { code: oneTimeCode(key, now) })
  return { key, recovery: codesOn(browser) }
}

describe.each(available)("second factors on $database", ({ open }) => {
  async function enrolled(security: Mode = "compatible") {
    const store = await open((url) => url)
    opened.push(store)
    const its = await site(store.adapter, security)
    const factor = await enroll(await its.signIn(), its.clock.now())
    its.clock.advance({ minutes: 1 })
    return { ...its, ...factor }
  }

  for (const kind of ["app", "recovery"])
    attack("MFA-07", `of 20 uses of one code (${kind}) in several processes, one wins`, async (mode) => {
      const { key, recovery, signIn, clock } = await enrolled(mode)
      const browsers = await Promise.all(Array.from({ length: 20 }, signIn))
      const code = kind === "app" ? oneTimeCode(key, clock.now()) : (recovery[0] ?? "")
      await Promise.all(browsers.map(async (browser) => browser.submitForm("auth/factor", { code })))
      const sessions = await Promise.all(browsers.map(async (browser) => browser.session()))
      expect(sessions.filter((session) => session !== null)).toHaveLength(1)
    })

  test("a device is trusted until `revoke`, a reset ends the factor, and nothing is left of a deleted user", async () => {
    const { key, signIn, clock, config, id } = await enrolled()
    const device = await signIn()
    await device.submitForm("auth/factor", { code: oneTimeCode(key, clock.now()), trust: "yes" })
    const again = async () => {
      await device.signOut()
      await device.signIn("credentials", { name: "ada" })
      return device.session()
    }
    expect(await again()).not.toBeNull()
    const { revoke, members, export: exportUser } = createServer(config)
    await revoke(id)
    expect(await again()).toBeNull()
    await members["mfa"]?.["startReset"]?.({ id })
    clock.advance({ days: 3 })
    expect(await again()).not.toBeNull()
    expect(await members["mfa"]?.["isEnrolled"]?.(id)).toBe(false)
    await config.adapter?.deleteUser?.(id)
    expect((await exportUser(id)).modules).toMatchObject({ mfa: { methods: [], devices: [], resetAt: null } })
  })
})
