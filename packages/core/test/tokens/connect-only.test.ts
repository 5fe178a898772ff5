import { vault } from "@latchkey/core/tokens"
import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { createServer } from "@latchkey/core/server"
import type { AuthConfig } from "@latchkey/core/types"
import { captureLog, createProvider, frozenClock, visit } from "@latchkey/testing"
import { expect, test } from "vitest"
import { secret, visitorOf } from "../account/setup.js"

async function application(more: Partial<AuthConfig> = {}) {
  const clock = frozenClock()
  const main = createProvider({ clock })
  const files = createProvider({ clock, id: "files", issuer: "https://files.test" })
  const adapter = memoryAdapter()
  const providers = [main.provider(), files.provider({ connectOnly: true })]
  const log = captureLog()
  const config: AuthConfig = { secret, trustHost: true, adapter, providers, tokens: vault, logger: log.logger, ...more }
  const runtime = clock.runtime
  const browser = await visit({ ...config, runtime }, { clock })
  const server = createServer({ ...config, runtime })
  const startAtFiles = async () => browser.post("/auth/signin/files", { csrfToken: (await browser.csrf()) ?? "" })
  return { adapter, browser, files, main, server, startAtFiles }
}

test("the sign-in page doesn't have a provider that only connects accounts", async () => {
  const { browser } = await application()
  await browser.get("/auth/signin")
  expect(browser.text).toContain("signin/op")
  expect(browser.text).not.toContain("signin/files")
})

test.each<Partial<AuthConfig>>([{}, { security: { linking: "explicit" } }, { adapter: undefined }])(
  "it signs no user in (%#)",
  async (more) => {
    const records = memoryAdapter().records
    const { adapter, browser, files, startAtFiles } = await application({
      ...more,
      ...("adapter" in more && { records }),
    })
    await startAtFiles()
    await browser.consentAt(files, { as: "grace" })
    expect(browser.location).toContain("error=OAuthAccountNotLinked")
    expect(await browser.session()).toBeNull()
    expect(adapter.rows().users).toEqual([])
  },
)

test("a signed-in user connects it on the account page, and it still signs no user in", async () => {
  const { adapter, browser, files, main, server } = await application()
  await browser.signInWith(main, { as: "ada" })
  await browser.get("/auth/account")
  await browser.submitForm("signin/files")
  await browser.consentAt(files, { as: "grace" })
  expect(adapter.rows().accounts).toHaveLength(2)
  expect(await server.token("files", { visitor: visitorOf(browser) })).toMatchObject({ account: "grace" })
  const other = browser.fresh()
  await other.post("/auth/signin/files", { csrfToken: (await other.csrf()) ?? "" })
  await other.consentAt(files, { as: "grace" })
  expect(await other.session()).toBeNull()
  expect(adapter.rows().users).toHaveLength(1)
})

test("it isn't a way to sign in, so the other account can't be disconnected", async () => {
  const { browser, files, main, server } = await application()
  await browser.signInWith(main, { as: "ada" })
  await browser.get("/auth/account")
  await browser.submitForm("signin/files")
  await browser.consentAt(files, { as: "grace" })
  const account = server.account(visitorOf(browser))
  const last = account.unlinkAccount({ provider: "op", providerAccountId: "ada" })
  await expect(last).rejects.toMatchObject({ type: "LastSignInMethod" })
  expect(await account.unlinkAccount({ provider: "files", providerAccountId: "grace" })).toBe(true)
})
