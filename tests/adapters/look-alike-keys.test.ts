import { Auth, type AuthConfig } from "@latchkey/core"
import { createProvider, openBrowser } from "@latchkey/testing"
import { describe, expect, onTestFinished, test } from "vitest"
import { secret, sessionToken } from "../interop/applications.js"
import { canRun } from "./measure.js"
import { overMariadb } from "./published/mariadb.js"

async function hashOf(token: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token))
  return `sha256:${Buffer.from(hash).toString("hex")}`
}

async function site(entry: (typeof overMariadb)[number], security: "strict" | "compatible") {
  const { adapter, close } = await entry.open((url) => url)
  onTestFinished(close)
  const email = (name: string) => `${name}.${crypto.randomUUID()}@example.test`
  const op = createProvider({ people: { ada: { email: email("ada") }, Ada: { email: email("eve") } } })
  const config: AuthConfig = {
    adapter,
    secret,
    security: { mode: security, sessionCookiePrefix: "__Secure-", listedOriginsOnly: false, providerTokens: "none" },
    trustHost: true,
    logger: { error: () => {}, warn: () => {}, debug: () => {} },
    session: { strategy: "database" },
    providers: [op.provider()],
    callbacks: { session: ({ session, user }) => ({ ...session, id: user.id }) },
  }
  const browser = openBrowser({ origin: "https://app.test", handle: async (request) => Auth(request, config) })
  return { adapter, op, browser }
}

describe.each(overMariadb)("$name over MariaDB, which ignores case by default", (entry) => {
  test.skipIf(!canRun(entry))("finds and ends no session by a spelling of its stored hash", async () => {
    const { adapter, op, browser } = await site(entry, "strict")
    await browser.signInWith(op, { as: "ada" })
    const stored = await hashOf(sessionToken(browser) ?? "")
    for (const value of [stored, stored.toUpperCase(), `${stored} `, stored.replace("a", "á")]) {
      expect(await adapter.getSessionAndUser?.(value), value).not.toBeNull()
      const thief = browser.fresh()
      for (const cookie of browser.cookies) {
        const isToken = cookie.name.includes("session-token")
        thief.jar.put(isToken ? { ...cookie, value: encodeURIComponent(value) } : cookie)
      }
      expect(await thief.session(), value).toBeNull()
      await thief.signOut()
    }
    expect(await browser.session()).toMatchObject({ user: { email: op.people["ada"]?.email } })
  })
})

const [drizzle] = overMariadb.filter(({ name }) => name === "@auth/drizzle-adapter")

// Without `getAccount`, as in @auth/kysely-adapter, nothing says which account was found.
test.skipIf(drizzle === undefined || !canRun(drizzle))(
  "over MariaDB, another spelling of an account id signs in no user",
  async () => {
    if (drizzle === undefined) return
    const { op, browser } = await site(drizzle, "compatible")
    await browser.signInWith(op, { as: "ada" })
    const eve = browser.fresh()
    await eve.signInWith(op, { as: "Ada" })
    expect(await eve.session()).toBeNull()
  },
)
