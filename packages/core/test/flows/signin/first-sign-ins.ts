import type { Adapter } from "@latchkey/core/adapters"
import { type Browser, createProvider, visit } from "@latchkey/testing"
import { expect, test } from "vitest"
import { errorAt, hasSession, strict } from "./setup.js"

/**
 * What happens if one user signs in for the first time in 20 processes at once. `open` opens a new store, and returns a function that
 * returns an adapter for each process.
 */
export function testFirstSignIns(open: () => Promise<() => Adapter>): void {
  test("20 parallel first sign-ins in 20 processes make one user, who can sign in afterwards", async () => {
    const adapterOf = await open()
    const op = createProvider()
    const app = async () => visit({ providers: [op.provider()], adapter: adapterOf(), secret: strict.secret })
    const answers: { browser: Browser; answer: Awaited<ReturnType<typeof op.authorize>> }[] = []
    for (let process = 0; process < 20; process += 1) {
      const browser = await app()
      await browser.post(`/auth/signin/${op.id}`, { csrfToken: (await browser.csrf()) ?? "" })
      answers.push({ browser, answer: await op.authorize(browser.location, { as: "ada" }) })
    }
    await Promise.all(answers.map(({ browser, answer }) => browser.follow(answer, op.issuer)))
    const browsers = answers.map(({ browser }) => browser)
    const refused = browsers.filter((browser) => !hasSession(browser)).map(errorAt)
    expect(refused.filter((error) => !error.endsWith("OAuthAccountNotLinked"))).toEqual([])
    expect(refused.length).toBeLessThan(browsers.length)
    const again = await app()
    await again.signInWith(op, { as: "ada" })
    expect(await again.session()).toMatchObject({ user: { email: "ada@example.test" } })
    expect(await rowsOf(adapterOf())).toEqual({ accounts: 1, sessions: browsers.filter(hasSession).length + 1 })
  })
}

async function rowsOf(adapter: Adapter) {
  const user = await adapter.getUserByEmail?.("ada@example.test")
  const id = user?.id ?? ""
  const [accounts, sessions] = [await adapter.listAccounts?.(id), await adapter.listSessions?.(id)]
  return { accounts: accounts?.length, sessions: sessions?.length }
}
