import { memoryAdapter } from "@latchkey/adapter-kit"
import { visit } from "@latchkey/testing"
import { describe, expect, test, vi } from "vitest"
import { mailbox } from "../flows/signin/setup.js"

describe.each(["jwt", "database"] as const)("the sign-out page with a %s session", (strategy) => {
  async function signedIn() {
    const session = vi.fn(({ session }) => session)
    const [mail, adapter] = [mailbox(), memoryAdapter()]
    const config = { providers: [mail.provider], adapter, session: { strategy }, callbacks: { session } }
    const browser = await visit(config)
    await browser.signIn("email", { email: "ada@example.test", callbackUrl: "/inbox" })
    await browser.get(mail.link())
    session.mockClear()
    return { browser, session, adapter }
  }

  test("says who is signed in, without calling the callbacks of the application", async () => {
    const { browser, session } = await signedIn()
    await browser.get("/auth/signout")
    expect(browser.text).toContain("You&#39;re signed in as <strong><bdi>ada@example.test</bdi></strong>.")
    expect(session).not.toHaveBeenCalled()
  })

  test("says so after the sign-out, and to other visitors", async () => {
    const { browser } = await signedIn()
    await browser.get("/auth/signout")
    await browser.submitForm("signout")
    for (const visitor of [browser, browser.fresh()]) {
      await visitor.get("/auth/signout")
      expect(visitor.text).toContain("<h1>You aren&#39;t signed in</h1>")
      expect(visitor.text).not.toContain("ada@example.test")
    }
  })
})

test("the sign-out page knows that the session has ended elsewhere", async () => {
  const [mail, adapter] = [mailbox(), memoryAdapter()]
  const browser = await visit({ providers: [mail.provider], adapter })
  await browser.signIn("email", { email: "ada@example.test" })
  await browser.get(mail.link())
  for (const { sessionToken } of adapter.rows().sessions) await adapter.deleteSession(sessionToken)
  await browser.get("/auth/signout")
  expect(browser.text).toContain("<h1>You aren&#39;t signed in</h1>")
})

test("the sign-out page asks everyone if the database is down", async () => {
  const [mail, adapter] = [mailbox(), memoryAdapter()]
  let isDown = false
  const getSessionAndUser = async (token: string) => {
    if (isDown) throw new Error("The database is down")
    return adapter.getSessionAndUser(token)
  }
  const browser = await visit({ providers: [mail.provider], adapter: { ...adapter, getSessionAndUser } })
  await browser.signIn("email", { email: "ada@example.test" })
  await browser.get(mail.link())
  isDown = true
  await browser.get("/auth/signout")
  expect(browser.response.status).toBe(200)
  expect(browser.text).toContain("Are you sure you want to sign out?")
})
