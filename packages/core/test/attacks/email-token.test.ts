import { conformance } from "@latchkey/adapter-kit"
import { createHash } from "node:crypto"
import { expect } from "vitest"
import { attack, type Mode, strictAttack } from "../../../../tests/attack.js"
import { emailOf, errorAt, hasSession, intercept } from "../flows/signin/setup.js"
import { confirm, linkWith, type Site, site, tokenOf, victim } from "./email-setup.js"

attack("MAIL-06", "a token has 256 random bits, and only a keyed hash is stored", async (mode) => {
  const { browser, mail, store } = await site(mode)
  for (let round = 0; round < 20; round++) await browser.fresh().signIn("email", { email: `u${round}@example.test` })
  const tokens = mail.sent.map(({ token }) => token)
  expect(new Set(tokens).size).toBe(20)
  for (const token of tokens) expect(token).toMatch(/^[0-9a-f]{64}$/)
  const stored = JSON.stringify(store.rows())
  for (const token of tokens) {
    expect(stored).not.toContain(token)
    expect(stored).not.toContain(createHash("sha256").update(token).digest("hex"))
  }
  // The stored hash is not accepted as a token, so a stolen table is useless.
  for (const { identifier, token } of store.rows().verificationTokens) {
    const thief = browser.fresh()
    await confirm(thief, { token, email: identifier })
    expect(errorAt(thief)).toBe("/auth/error Verification")
  }
})

const code = "493817"

async function coded(mode: Mode): Promise<Site> {
  const its = await site(mode, { email: { generateVerificationToken: () => code } })
  await its.browser.signIn("email", { email: victim })
  return its
}

async function guess(browser: Site["browser"], token: string): Promise<void> {
  await browser.get(`/auth/callback/email?token=${token}&email=${encodeURIComponent(victim)}`)
}

attack("MAIL-06", "a short code works in the requesting browser only", async (mode) => {
  const { browser, store } = await coded(mode)
  const elsewhere = browser.fresh()
  await guess(elsewhere, code)
  expect(errorAt(elsewhere)).toBe("/auth/error Verification")
  await confirm(elsewhere, { token: code, email: victim })
  expect(errorAt(elsewhere)).toBe("/auth/error Verification")
  expect(hasSession(elsewhere)).toBe(false)
  expect(store.rows().verificationTokens).toHaveLength(1)
  await guess(browser, code)
  expect(await emailOf(browser)).toBe(victim)
  // An application may post the typed code with `fetch`.
  const typed = (await coded(mode)).browser
  const body = new URLSearchParams({ csrfToken: (await typed.csrf()) ?? "", token: code, email: victim })
  await typed.fetch("/auth/callback/email", { method: "POST", body })
  expect(await emailOf(typed)).toBe(victim)
})

attack("MAIL-06", "only the first five of ten thousand codes are checked", async (mode) => {
  for (const [wrong, signedIn] of [
    [4, true],
    [5, false],
  ] as const) {
    const { browser, calls } = await coded(mode)
    calls.length = 0
    for (let round = 0; round < wrong; round++) {
      const tab = browser.clone()
      await (round % 2 === 0
        ? guess(tab, `${100_000 + round}`)
        : confirm(tab, { token: `${100_000 + round}`, email: victim }))
      expect(errorAt(tab)).toBe("/auth/error Verification")
    }
    expect(calls.filter((method) => method === "useVerificationToken")).toHaveLength(wrong)
    await guess(browser, code)
    expect(hasSession(browser)).toBe(signedIn)
  }
})

attack("MAIL-06", "parallel guesses are counted too, and cookies of other browsers do not help", async (mode) => {
  const { browser } = await coded(mode)
  await Promise.all(Array.from({ length: 50 }, (_, round) => guess(browser.clone(), `${200_000 + round}`)))
  await guess(browser, code)
  expect(hasSession(browser)).toBe(false)
})

attack("MAIL-06", "the cookie of a short code does not reveal it", async (mode) => {
  const { browser } = await coded(mode)
  const visible = browser.cookies.map(({ name, value }) => `${name}=${value}`).join(" ")
  for (const text of [code, `link ${code}`, `${victim}${code}`, `${code}${victim}`]) {
    const [hex, base64] = (["hex", "base64url"] as const).map((form) => createHash("sha256").update(text).digest(form))
    for (const part of [hex?.slice(0, 8), hex?.slice(-8), base64?.slice(0, 8)]) {
      expect(visible).not.toContain(part)
    }
  }
})

attack("MAIL-06", "a short code expires after ten minutes at most, whatever `maxAge` is", async (mode) => {
  for (const [maxAge, lives] of [
    [86_400, 600],
    [120, 120],
  ] as const) {
    const { browser, mail, clock } = await site(mode, { email: { maxAge, generateVerificationToken: () => code } })
    await browser.signIn("email", { email: victim })
    expect(mail.sent[0]?.expires).toEqual(new Date(clock.now() + lives * 1000))
    clock.advance({ seconds: lives })
    await guess(browser, code)
    expect(hasSession(browser)).toBe(false)
  }
})

strictAttack(
  "MAIL-07",
  "email link",
  "a link expires after 15 minutes unless the provider sets `maxAge`",
  async (mode) => {
    const { browser, mail, clock, store } = await site(mode)
    await browser.signIn("email", { email: victim })
    expect(mail.sent[0]?.expires).toEqual(new Date(clock.now() + 900_000))
    expect(store.rows().verificationTokens[0]?.expires).toEqual(new Date(clock.now() + 900_000))
    expect(browser.text).toContain("15 minutes")
    clock.advance({ minutes: 15 })
    await browser.get(mail.link())
    if (browser.forms.length > 0) await browser.submitForm(0)
    expect(errorAt(browser)).toBe("/auth/error Verification")
  },
)

attack("MAIL-07", "the lifetime is configurable, and the verify-request page shows it", async (mode) => {
  for (const [maxAge, told] of [
    [600, "10 minutes"],
    [60, "1 minute"],
    [7200, "2 hours"],
    [86_400, "24 hours"],
  ] as const) {
    const { browser, mail, clock } = await site(mode, { email: { maxAge } })
    await browser.signIn("email", { email: victim })
    expect(mail.sent[0]?.expires).toEqual(new Date(clock.now() + maxAge * 1000))
    expect(browser.text).toContain(told)
    clock.advance({ seconds: maxAge })
    await browser.get(mail.link())
    expect(errorAt(browser)).toBe("/auth/error Verification")
  }
})

const kinds: readonly ((expires: Date) => unknown)[] = [
  (expires) => expires,
  (expires) => expires.toISOString(),
  (expires) => expires.getTime(),
  (expires) => String(expires.getTime()),
  () => "soon",
  () => null,
  () => undefined,
  () => "",
  () => Number.NaN,
]

attack("MAIL-09", "an expired link is refused, whatever type of date the adapter returns", async (mode) => {
  for (const asType of kinds) {
    const { browser, mail, clock } = await site(mode, {
      adapter: (good) =>
        intercept(good, async (method, run) => {
          const row = await run()
          if (method !== "useVerificationToken" || typeof row !== "object" || row === null) return row
          return { ...row, expires: "expires" in row && row.expires instanceof Date ? asType(row.expires) : undefined }
        }),
    })
    await browser.signIn("email", { email: victim })
    const elsewhere = browser.fresh()
    await elsewhere.get(mail.link())
    clock.advance({ days: 1 })
    await elsewhere.submitForm(0)
    expect(errorAt(elsewhere), String(asType)).toBe("/auth/error Verification")
    expect(hasSession(elsewhere)).toBe(false)
  }
})

attack("MAIL-09", "the conformance suite has a case for the expiry of a token", (mode) => {
  expect(mode).toBeDefined()
  expect(conformance.map(({ id }) => id)).toEqual(expect.arrayContaining(["tokens.expired", "tokens.token"]))
})

attack("MAIL-08", "wrong tokens do not invalidate a link that the browser requested", async (mode) => {
  const { browser, mail } = await site(mode)
  await browser.signIn("email", { email: victim })
  for (let round = 0; round < 100; round++) {
    await browser.clone().get(linkWith(mail.link(), { token: `${round}`.padStart(round % 2 === 0 ? 6 : 64, "0") }))
  }
  await browser.get(mail.link())
  expect(await emailOf(browser)).toBe(victim)
  expect(tokenOf(mail.link())).toHaveLength(64)
})
