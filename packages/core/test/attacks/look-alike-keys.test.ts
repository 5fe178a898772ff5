import type { Browser } from "@latchkey/testing"
import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { emailOf, hasSession } from "../flows/signin/setup.js"
import { appOf, world } from "../modes/setup.js"
import { site, victim } from "./email-setup.js"
import { foldingAdapter } from "./look-alike-keys-setup.js"
import { adaAt } from "./session-setup.js"

/** Other spellings of a text that a collation treats as equal. */
function spellings(text: string): readonly string[] {
  return [text.toUpperCase(), text.replace(/[aeiou]/u, (vowel) => `${vowel}\u0301`), `${text} `]
}

/** A browser that has the cookies of another one, with another value of the session cookie. */
function withSession(browser: Browser, value: string): Browser {
  const thief = browser.fresh()
  for (const cookie of browser.cookies) {
    thief.jar.put(cookie.name.endsWith("session-token") ? { ...cookie, value: encodeURIComponent(value) } : cookie)
  }
  return thief
}

attack("T3-03", "no spelling of a stored session token is a session, or ends one", async (mode) => {
  const { adapter, store } = foldingAdapter()
  const session = { strategy: "database" } as const
  const { browser, its } = await adaAt(mode, { adapter, session }, { ...world(), adapter: store })
  const sessionToken = store.rows().sessions[0]?.sessionToken ?? ""
  for (const value of [...spellings(sessionToken), ...(mode === "strict" ? [sessionToken] : [])]) {
    const thief = withSession(browser, value)
    expect(await thief.session(), value).toBeNull()
    await withSession(browser, value).signOut()
    expect(store.rows().sessions, value).toHaveLength(1)
  }
  expect(await emailOf(browser)).toBe("ada@example.test")
  if (mode === "compatible") return
  // After a switch back, the hashes are still in the table.
  const back = await appOf(its, { adapter, session, security: { mode, hashSessionTokens: false } })
  const thief = withSession(browser, sessionToken)
  for (const cookie of thief.cookies) back.jar.put(cookie)
  expect(await back.session()).toBeNull()
})

attack("T3-03", "an account whose id only looks like a linked one doesn't sign in as its user", async (mode) => {
  const { adapter, store } = foldingAdapter()
  const { browser, its } = await adaAt(mode, { adapter }, { ...world(), adapter: store })
  for (const sub of spellings("ada")) {
    its.op.people[sub] = { email: "eve@example.test", email_verified: true, name: "Eve" }
    const eve = browser.fresh()
    await eve.signInWith(its.op, { as: sub })
    expect(await emailOf(eve), sub).not.toBe("ada@example.test")
  }
})

attack("T3-03", "an email link with another spelling of the email is refused, and isn't used up", async (mode) => {
  const { adapter, store } = foldingAdapter()
  const its = await site(mode, { adapter: () => adapter })
  await its.browser.signIn("email", { email: victim })
  const link = new URL(its.mail.link())
  for (const email of spellings(victim)) {
    const other = new URL(link)
    other.searchParams.set("email", email)
    const tab = its.browser.fresh()
    for (const cookie of its.browser.cookies) tab.jar.put(cookie)
    await tab.get(other.href)
    if (tab.text.includes('name="token"')) await tab.submitForm(0)
    expect(hasSession(tab), email).toBe(false)
    expect(store.rows().verificationTokens, email).toHaveLength(1)
  }
  await its.browser.get(link.href)
  expect(hasSession(its.browser)).toBe(true)
})
