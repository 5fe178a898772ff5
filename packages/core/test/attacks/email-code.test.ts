import type { MemoryAdapter } from "@latchkey/adapter-kit/memory"
import type { Adapter } from "@latchkey/core/adapters"
import type { Browser } from "@latchkey/testing"
import { expect } from "vitest"
import { attack, type Mode } from "../../../../tests/attack.js"
import { emailOf, errorAt, hasSession, intercept } from "../flows/signin/setup.js"
import { attacker, confirm, type Site, site, victim } from "./email-setup.js"

const page = "/auth/verify-request?provider=email&type=email"
const wrong = `https://app.test${page}&error=Verification`

async function asked(mode: Mode, choices: Parameters<typeof site>[1] = {}): Promise<Site & { readonly code: string }> {
  const its = await site(mode, choices)
  await its.browser.signIn("email", { email: victim })
  const code = newest(its)
  its.log.forbid(code)
  return { ...its, code }
}

/** The code in the newest message. */
function newest({ mail }: Pick<Site, "mail">): string {
  return mail.sent.at(-1)?.code ?? "none"
}

/** Every code except this one. */
function* codes(but: string): Generator<string> {
  for (let number = 0; number < 1_000_000; number++) {
    const guess = String(number).padStart(6, "0")
    if (guess !== but) yield guess
  }
}

/** Posts a code in its own tab, so parallel guesses don't share a location. */
async function guess(browser: Browser, code: string): Promise<Browser> {
  const tab = browser.clone()
  await confirm(tab, { code })
  return tab
}

attack("MAIL-06", "a browser may try five codes; after that the right one is refused too", async (mode) => {
  const { browser, code, store, mail, calls } = await asked(mode)
  calls.length = 0
  const guesses = codes(code)
  for (let round = 0; round < 5; round++) expect((await guess(browser, guesses.next().value)).location).toBe(wrong)
  const late = await guess(browser, code)
  expect([late.location, hasSession(late)]).toEqual([wrong, false])
  // Each try is counted in the row of the link, which stays valid. The late one isn't looked up.
  expect(calls).toEqual(Array.from({ length: 5 }, () => ["useVerificationToken", "createVerificationToken"]).flat())
  expect(store.rows().verificationTokens).toHaveLength(1)
  await browser.get(mail.link())
  expect(await emailOf(browser)).toBe(victim)
})

attack("MAIL-06", "the right code is accepted at the fifth try", async (mode) => {
  const { browser, code } = await asked(mode)
  const guesses = codes(code)
  for (let round = 0; round < 4; round++) await guess(browser, guesses.next().value)
  await guess(browser, code)
  expect(await emailOf(browser)).toBe(victim)
})

attack("MAIL-06", "only five of fifty parallel guesses are checked", async (mode) => {
  const { browser, code } = await asked(mode, { rest: { rateLimit: false } })
  const guesses = codes(code)
  const tries = Array.from({ length: 50 }, () => guess(browser, guesses.next().value))
  await Promise.all([...tries, guess(browser, code)])
  expect(hasSession(browser)).toBe(false)
  await guess(browser, code)
  expect(hasSession(browser)).toBe(false)
})

attack(
  "MAIL-06",
  "new codes do not reset the limit: after ten guesses for an email, requests get 429",
  async (mode) => {
    const { browser, mail, clock } = await asked(mode)
    const outcomes: (string | number)[] = []
    for (let round = 0; round < 4; round++) {
      const thief = browser.fresh()
      await thief.signIn("email", { email: victim })
      const guesses = codes(newest({ mail }))
      for (let at = 0; at < 5; at++) {
        const tab = await guess(thief, guesses.next().value)
        outcomes.push(tab.response.status === 429 ? 429 : tab.location)
      }
      // The limit is reached, so even the right code is refused.
      if (round === 3) expect((await guess(thief, newest({ mail }))).response.status).toBe(429)
      expect(hasSession(thief)).toBe(false)
    }
    expect(outcomes.filter((outcome) => outcome === wrong)).toHaveLength(10)
    expect(outcomes.filter((outcome) => outcome === 429)).toHaveLength(10)
    // The owner of the mailbox can still use the link, and a code once the window is over.
    await browser.signIn("email", { email: victim })
    await browser.get(mail.link())
    expect(await emailOf(browser)).toBe(victim)
    clock.advance({ minutes: 15 })
    const later = browser.fresh()
    await later.signIn("email", { email: victim })
    await guess(later, newest({ mail }))
    expect(await emailOf(later)).toBe(victim)
  },
)

attack(
  "MAIL-06",
  "a guess counts for every email that the browser requested a code for, and is checked for at most three",
  async (mode) => {
    const { browser, mail } = await site(mode, { rest: { rateLimit: false } })
    for (let at = 0; at < 5; at++) await browser.signIn("email", { email: `u${at}@example.test` })
    const right = mail.sent.map(({ code = "" }) => code)
    // Only the last three requests count. A code of the first two is a wrong guess for all three.
    for (const code of right.slice(0, 2)) expect((await guess(browser, code)).location).toBe(wrong)
    const others = Array.from({ length: 10 }, (_, at) => `00000${at}`).filter((code) => !right.includes(code))
    for (const code of others.slice(0, 3)) await guess(browser, code)
    for (const code of right) await guess(browser, code)
    expect(hasSession(browser)).toBe(false)
  },
)

attack("MAIL-06", "another browser cannot use the code, whatever it requests or sends", async (mode) => {
  const { browser, code, store } = await asked(mode)
  const thief = browser.fresh()
  await guess(thief, code)
  await thief.signIn("email", { email: attacker })
  for (const fields of [{}, { email: victim }, { email: victim, token: "" }, { identifier: victim }]) {
    const tab = thief.clone()
    await confirm(tab, { code, ...fields })
    expect(hasSession(tab)).toBe(false)
  }
  await thief.get(`/auth/callback/email?token=${code}&email=${encodeURIComponent(victim)}`)
  expect(errorAt(thief)).toBe("/auth/error Verification")
  expect(store.rows().users).toEqual([])
  await guess(browser, code)
  expect(await emailOf(browser)).toBe(victim)
})

attack("ADV-NA-01", "the code for one email does not sign in with another", async (mode) => {
  const { browser, mail } = await asked(mode)
  const thief = browser.fresh()
  await thief.signIn("email", { email: attacker })
  const own = newest({ mail })
  await confirm(thief, { code: own, email: victim, identifier: victim })
  expect(await emailOf(thief)).toBe(attacker)
})

attack("ADV-NA-01", "the code of one provider is not accepted by another", async (mode) => {
  const its = await site(mode)
  const { provider } = its.mail
  const both = await site(mode, { rest: { providers: [provider, { ...provider, id: "other" }] } })
  await both.browser.signIn("email", { email: victim })
  const code = newest(its)
  const csrfToken = (await both.browser.csrf()) ?? ""
  await both.browser.post("/auth/callback/other", { csrfToken, code })
  expect(hasSession(both.browser)).toBe(false)
  await both.browser.post("/auth/callback/email", { csrfToken, code })
  expect(await emailOf(both.browser)).toBe(victim)
})

attack("MAIL-06", "a cookie that was changed, or created for another purpose, is refused", async (mode) => {
  const { browser, code } = await asked(mode)
  const mark = browser.cookies.find(({ name }) => name.includes("nonce"))
  const csrf = browser.cookies.find(({ name }) => name.includes("csrf"))
  const token = (await browser.csrf()) ?? ""
  const value = mark?.value ?? ""
  const forged = [
    value.slice(0, -2),
    `${value}A`,
    value.toUpperCase(),
    value.replace(/^[^.]+/, "e30"),
    csrf?.value ?? "",
    "x",
  ]
  for (const sealed of forged) {
    const headers = { cookie: `${csrf?.name}=${csrf?.value}; ${mark?.name}=${sealed}` }
    const thief = browser.fresh()
    const body = new URLSearchParams({ csrfToken: token, code })
    const answer = await thief.fetch("/auth/callback/email", {
      method: "POST",
      body,
      headers: { ...headers, "x-auth-return-redirect": "1" },
    })
    expect(await answer.json()).toEqual({ url: wrong })
  }
})

attack("MAIL-06", "no cookie, page or stored row reveals the code", async (mode) => {
  const { browser, code, store } = await asked(mode)
  const visible = [browser.text, browser.location, ...browser.cookies.map(({ name, value }) => `${name}=${value}`)]
  for (const text of visible) {
    expect(text).not.toContain(code)
    for (const part of text.split(/[.=|%]/)) expect(Buffer.from(part, "base64url").toString()).not.toContain(code)
  }
  expect(JSON.stringify(store.rows())).not.toContain(`"${code}"`)
})

attack("MAIL-09", "an expired code is refused, even if the adapter returns its token", async (mode) => {
  const { browser, code, clock } = await asked(mode, {
    adapter: (good) =>
      intercept(good, async (method, run) => {
        const row = await run()
        return method === "useVerificationToken" && row !== null ? { ...Object(row), expires: new Date(9e15 / 2) } : row
      }),
  })
  clock.advance({ minutes: 10 })
  expect((await guess(browser, code)).location).toBe(wrong)
  expect(hasSession(browser)).toBe(false)
})

attack("MAIL-06", "a used code is refused, in the same browser and in a copy of it", async (mode) => {
  const { browser, code } = await asked(mode)
  const copy = browser.cookies.map(({ name, value }) => `${name}=${value}`).join("; ")
  const csrfToken = (await browser.csrf()) ?? ""
  await guess(browser, code)
  expect(hasSession(browser)).toBe(true)
  const body = new URLSearchParams({ csrfToken, code })
  const headers = { cookie: copy, "x-auth-return-redirect": "1" }
  const answer = await browser.fresh().fetch("/auth/callback/email", { method: "POST", body, headers })
  expect(await answer.json()).toEqual({ url: wrong })
})

attack(
  "RACE-01",
  "exactly one of twenty parallel uses of link and code signs in, even if the adapter deletes without atomicity",
  async (mode) => {
    // Reads the row first and deletes it later, as many published adapters do.
    const careless = (good: MemoryAdapter): Adapter => ({
      ...good,
      async useVerificationToken(asked) {
        const row = good.rows().verificationTokens.find(({ token }) => token === asked.token)
        await new Promise((resolve) => setImmediate(resolve))
        await good.useVerificationToken(asked)
        return row ?? null
      },
    })
    for (const adapter of [undefined, careless]) {
      const { browser, code, mail, store } = await asked(mode, {
        ...(adapter && { adapter }),
        rest: { rateLimit: false },
      })
      const csrfToken = (await browser.csrf()) ?? ""
      const phones = await Promise.all(
        Array.from({ length: 10 }, async () => {
          const phone = browser.fresh()
          await phone.get(mail.link())
          return phone
        }),
      )
      const cookie = browser.cookies.map(({ name, value }) => `${name}=${value}`).join("; ")
      const typed = Array.from({ length: 10 }, async () => {
        const body = new URLSearchParams({ csrfToken, code })
        const other = browser.fresh()
        await other.fetch("/auth/callback/email", { method: "POST", body, headers: { cookie } })
        return other
      })
      const clicked = phones.map(async (phone) => (await phone.submitForm(0), phone))
      const done = await Promise.all([...typed, ...clicked])
      expect(done.filter(hasSession)).toHaveLength(1)
      expect(store.rows().users).toHaveLength(1)
      expect(store.rows().verificationTokens).toEqual([])
    }
  },
)

attack("MAIL-06", "the response is the same whether an email is known or not", async (mode) => {
  const its = await site(mode)
  await its.store.createUser({ id: "u1", email: victim, emailVerified: new Date(0) })
  const seen = []
  for (const email of [victim, "unknown@example.test"]) {
    const browser = its.browser.fresh()
    await browser.signIn("email", { email })
    const tab = await guess(browser, codes(newest(its)).next().value)
    const cookies = browser.cookies.map(({ name, value }) => [name.replace(/\.[0-9a-f]{16}$/, ""), value.length > 200])
    // The page repeats what this browser typed.
    const text = tab.text.replaceAll(email, "").replace(/[0-9a-f]{64}|nonce="[^"]*"/g, "")
    seen.push([browser.location, tab.location, text, cookies])
  }
  expect(seen[0]).toEqual(seen[1])
})

attack("CSRF-01", "a code posted from another site is refused and not counted", async (mode) => {
  const { browser, code, store } = await asked(mode)
  const csrfToken = (await browser.csrf()) ?? ""
  for (let round = 0; round < 8; round++) {
    const tab = browser.clone()
    await tab.post(
      "/auth/callback/email",
      { code, csrfToken: round % 2 === 0 ? "" : "f".repeat(64) },
      { from: "https://evil.test" },
    )
    expect(errorAt(tab)).toBe("/auth/signin MissingCSRF")
    await tab.post(
      "/auth/callback/email",
      { code, csrfToken },
      { from: "https://evil.test", headers: { "sec-fetch-site": "cross-site" } },
    )
    expect(errorAt(tab)).toBe("/auth/signin MissingCSRF")
  }
  expect(store.rows().verificationTokens).toHaveLength(1)
  await guess(browser, code)
  expect(await emailOf(browser)).toBe(victim)
})

attack("MAIL-12", "the code never appears in the log", async (mode) => {
  const { browser, code, log } = await asked(mode, { rest: { debug: true } })
  await guess(browser.fresh(), code)
  await guess(browser, `${code}1`)
  await browser.get(`/auth/callback/email?code=${code}`)
  await guess(browser, code)
  expect(hasSession(browser)).toBe(true)
  await guess(browser, code)
  expect(log.entries.length).toBeGreaterThan(5)
  log.assertClean()
})
