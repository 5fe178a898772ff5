import { setImmediate } from "node:timers/promises"
import { memoryAdapter } from "@latchkey/adapter-kit"
import type { Adapter } from "@latchkey/core/adapters"
import { type Browser, visit } from "@latchkey/testing"
import { expect, test } from "vitest"
import { lastOf, mailer, secret } from "./applications.js"

/** Reads the token first and deletes it later, as published adapters for key-value stores and MySQL do. */
function readThenDelete(turns: number): Adapter {
  const { transaction: _, ...adapter } = memoryAdapter()
  const useVerificationToken: Adapter["useVerificationToken"] = async (wanted) => {
    const found = adapter.rows().verificationTokens.find(({ token }) => token === wanted.token)
    for (let turn = 0; turn < turns; turn++) await setImmediate()
    await adapter.useVerificationToken(wanted)
    return found ?? null
  }
  return { ...adapter, useVerificationToken }
}

async function withLink(adapter: Adapter, signingSecret: string | string[] = secret) {
  const { provider, links } = mailer()
  const browser = await visit({ adapter, secret: signingSecret, providers: [provider] })
  await browser.signIn("mail", { email: "ada@example.test" })
  return { browser, link: lastOf(links) }
}

function isSignedIn({ trail }: Browser): boolean {
  return trail.some(({ headers }) => headers.getSetCookie().some((line) => /session-token=[^;]/.test(line)))
}

test.each([
  ["at once", 0, secret],
  ["slowly", 25, secret],
  ["slowly, with secrets in rotation", 25, [secret, "Zk4nTq8WbY2vXc7RjLm5HsPd1fGa9UoE3iMw6rKx0eQ="]],
])("a store that reads first and deletes %s creates one session for 20 parallel uses", async (_how, turns, signing) => {
  const { browser, link } = await withLink(readThenDelete(turns), signing)
  const tabs = Array.from({ length: 20 }, () => browser.clone())
  await Promise.all(tabs.map((tab) => tab.get(link)))
  expect(tabs.filter(isSignedIn)).toHaveLength(1)
  expect(tabs.filter(({ location }) => location.includes("error=Verification"))).toHaveLength(19)
})

test("different links can be used in parallel", async () => {
  const adapter = readThenDelete(25)
  const { provider, links } = mailer()
  const browser = await visit({ adapter, secret, providers: [provider] })
  const visitors = Array.from({ length: 5 }, () => browser.fresh())
  for (const [index, visitor] of visitors.entries()) await visitor.signIn("mail", { email: `${index}@example.test` })
  await Promise.all(visitors.map((visitor, index) => visitor.get(links[index] ?? "")))
  expect(visitors.map(isSignedIn)).toEqual([true, true, true, true, true])
})

test("a link can be used again after the store failed", async () => {
  const stored = memoryAdapter()
  let isDown = true
  const adapter = {
    ...stored,
    useVerificationToken: (wanted: { identifier: string; token: string }) => {
      if (isDown) throw new Error("down")
      return stored.useVerificationToken(wanted)
    },
  }
  const { browser, link } = await withLink(adapter)
  await browser.get(link)
  expect(isSignedIn(browser)).toBe(false)
  isDown = false
  await browser.get(link)
  await browser.submitForm("callback/mail")
  expect(await browser.session()).toMatchObject({ user: { email: "ada@example.test" } })
})
