import type { Adapter } from "@latchkey/core/adapters"
import { CredentialsSignin } from "@latchkey/core/errors"
import type { AuthConfig } from "@latchkey/core/types"
import { type Browser, captureLog, type Fault, faults } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { attack, type Mode } from "../../../../tests/attack.js"
import { appOf, mailer, strongSecret, type World, world } from "../modes/setup.js"
import { faultySite } from "./faults-setup.js"
import { secretsAt, site } from "./surface-setup.js"

/** What a user reads: the headings, the text and the buttons of the page. */
function wordsOf({ text }: Pick<Browser, "text">): string {
  const body = /<main[^]*<\/main>/.exec(text)?.[0] ?? ""
  return body
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&#39;", "'")
    .replace(/\s+/g, " ")
}

/** What the provider does, what the user reads, the status of the page, and whether it has an error ID. */
const endings: readonly (readonly [what: string, fault: Fault, words: RegExp, status: number, hasId: boolean])[] = [
  ["canceling at the provider", { authorize: refusal("access_denied") }, /You canceled the sign-in/, 200, false],
  ["a provider that refuses this client", { authorize: refusal("unauthorized_client") }, /doesn't accept/, 200, true],
  ["a provider that is out of order", { authorize: refusal("temporarily_unavailable") }, /out of order/, 200, false],
  ["a wrong client secret", wrongSecret(), /isn't set up correctly .* doesn't accept sign-ins/, 500, true],
  ["a token endpoint that fails", faults.tokenServerError, /isn't available right now/, 503, true],
  ["an unreachable token endpoint", faults.tokenUnreachable, /isn't available right now/, 503, true],
  ["an unreachable issuer", faults.discoveryUnreachable, /isn't available right now/, 503, true],
  ["an issuer that fails", faults.discoveryServerError, /isn't available right now/, 503, true],
]

type Authorize = NonNullable<Fault["authorize"]>

function refusal(error: string): Authorize {
  return ({ state }) => ({ error, ...(state === undefined ? {} : { state }) })
}

function wrongSecret(): Fault {
  const answer = Response.json({ error: "invalid_client", error_description: "secret sk-wrong" }, { status: 401 })
  return { answer: async ({ endpoint }) => (endpoint === "token" ? answer.clone() : undefined) }
}

/** No word of the provider, of the request, or of the code. */
function expectPlain(browser: Browser, its: World): void {
  for (const secret of [strongSecret, ...secretsAt(its.op)]) expect(browser.text).not.toContain(secret)
  for (const word of ["sk-wrong", "invalid_client", "unauthorized_client", "access_denied", "Error:", "    at "])
    expect(wordsOf(browser)).not.toContain(word)
}

describe("the page says what happened and what to do", () => {
  for (const [what, fault, words, status, hasId] of endings) {
    for (const mode of ["strict", "compatible"] as const) {
      test(`[${mode}] ${what}`, async () => {
        const { browser, its, log } = await site(mode)
        its.op.inject(fault)
        await browser.signInWith(its.op, { as: "ada" })
        expect(wordsOf(browser)).toMatch(words)
        expect(browser.response.status).toBe(status)
        expectPlain(browser, its)
        const id = /Error ID: ([0-9a-f]{8})/.exec(browser.text)?.[1]
        expect(id !== undefined).toBe(hasId)
        if (id !== undefined) expect(log.entries.filter(({ text }) => text.includes(id))).toHaveLength(1)
      })
    }
  }
})

test("a mailer that fails shows an error ID that is in the log", async () => {
  const { provider } = mailer({
    sendVerificationRequest: () => {
      throw new Error("450 mailbox busy")
    },
  })
  const { browser, log } = await site("compatible", { providers: [provider] })
  await browser.signIn("mail", { email: "ada@example.test" })
  const id = /Error ID: ([0-9a-f]{8})/.exec(browser.text)?.[1] ?? "none"
  expect(browser.location).toBe("https://app.test/auth/signin?error=EmailSignin")
  expect(log.entries.filter(({ text }) => text.includes(id))).toHaveLength(1)
})

test("every failed sign-in with credentials looks the same, without an error ID", async () => {
  const authorize = ({ name }: Partial<Record<string, unknown>>) => {
    if (name === "grace") throw new CredentialsSignin("locked", { cause: new Error("locked since Monday") })
    return null
  }
  const { browser } = await site("compatible", {
    providers: [{ id: "credentials", name: "c", type: "credentials", credentials: { name: {} }, authorize }],
  })
  const read = async (name: string) => {
    await browser.signIn("credentials", { name })
    return [browser.location, wordsOf(browser)]
  }
  expect(await read("grace")).toEqual(await read("ada"))
  expect(browser.text).not.toContain("Error ID")
})

const cookies = /Your browser didn't send the cookie of this sign-in/

attack("CHK-11", "a browser that drops cookies is told so, and the code isn't used", async (mode) => {
  const { browser: usual, its } = await site(mode)
  let started = ""
  its.op.inject({
    authorize: (params) => {
      started = new URLSearchParams(params).toString()
      return { error: "access_denied" }
    },
  })
  await usual.signInWith(its.op, { as: "ada" })
  const browser = usual.fresh()
  await browser.get(`/auth/callback/op?${started}`, { from: "https://op.test/" })
  expect(browser.location).toBe("https://app.test/auth/error?error=Configuration&code=InvalidCheck")
  expect([browser.response.status, its.op.requestsTo("token")]).toEqual([400, []])
  expect(wordsOf(browser)).toMatch(cookies)
  expect(wordsOf(browser)).toMatch(/Sign in again/)
})

/** The email link of an attacker's own account, opened by a victim. */
async function trap(mode: Mode, rest: Partial<AuthConfig> = {}) {
  const its = world()
  const { provider, links } = mailer()
  const given = { security: mode, providers: [its.op.provider(), provider], ...rest }
  const attacker = await appOf(its, given)
  const agent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0 <b>you won</b>"
  const fields = { email: "mallory@evil.test", csrfToken: (await attacker.csrf()) ?? "" }
  await attacker.post("/auth/signin/mail", fields, { headers: { "user-agent": agent } })
  return { its, victim: attacker.fresh(), link: links[0] ?? "" }
}

attack(
  "MAIL-05",
  "the page before a link signs in names the account and the browser that requested it",
  async (mode) => {
    const { victim, link } = await trap(mode)
    await victim.get(link)
    const words = wordsOf(victim)
    expect(words).toContain("You're about to sign in as m***@evil.test")
    expect(words).toMatch(/Firefox on Linux · 1 minute ago/)
    expect(words).not.toMatch(/mallory|you won/)
    expect(await victim.session()).toBeNull()
  },
)

attack(
  "MAIL-05",
  "the page before a link signs in names the user whom it replaces, and keeps the session",
  async (mode) => {
    const { its, victim, link } = await trap(mode)
    await victim.signInWith(its.op, { as: "ada" })
    await victim.get(link)
    expect(wordsOf(victim)).toContain("a***@example.test is signed in here")
    expect(await victim.session()).toMatchObject({ user: { email: "ada@example.test" } })
  },
)

attack("OUT-01", "a sign-out that the database refused can be tried again without the cookie", async (mode) => {
  const { browser, its, arm, store } = await faultySite(mode, "with transactions")
  await browser.signInWith(its.op, { as: "ada" })
  for (let time = 0; time < 2; time++) {
    arm("deleteSession", "rejects")
    if (time === 0) await browser.signOut()
    else await browser.submitForm("signout")
    expect([browser.response.status, store.rows().sessions.length]).toEqual([503, 1])
  }
  await browser.submitForm("signout")
  expect([browser.response.status, store.rows().sessions.length]).toEqual([200, 0])
  expect(browser.location).toBe("https://app.test/")
})

attack("OUT-01", "a second try ends the session since then too, and a third one those that are left", async (mode) => {
  for (const isFirstRefused of [true, false]) {
    let refuses: (token: string) => boolean = () => true
    const around = (adapter: Adapter): Adapter => ({
      ...adapter,
      deleteSession: async (token) => {
        if (refuses(token)) throw new Error("the database is away")
        return adapter.deleteSession?.(token)
      },
    })
    const { browser, its, store } = await faultySite(mode, "with transactions", {}, around)
    await browser.signInWith(its.op, { as: "ada" })
    await browser.signOut()
    const { ending = "" } = browser.forms.find(({ action }) => action.includes("signout"))?.fields ?? {}
    await browser.signInWith(its.op, { as: "ada" })
    const [first, second] = store.rows().sessions.map(({ sessionToken }) => sessionToken)
    expect([first, second]).not.toContain(undefined)
    refuses = (token) => token === (isFirstRefused ? first : second)
    await browser.signOut({ ending })
    expect([browser.response.status, store.rows().sessions.length]).toEqual([503, 1])
    refuses = () => false
    await browser.submitForm("signout")
    expect([browser.response.status, store.rows().sessions.length]).toEqual([200, 0])
  }
})

attack("OUT-01", "a sign-out that the database refuses says so with 503 and an error ID", async (mode) => {
  const { browser, its, arm, log } = await faultySite(mode, "with transactions")
  await browser.signInWith(its.op, { as: "ada" })
  arm("deleteSession", "rejects")
  await browser.signOut()
  expect(browser.response.status).toBe(503)
  expect(wordsOf(browser)).toMatch(/may still be active elsewhere/)
  expect(browser.cookies.some(({ name }) => name.includes("session-token"))).toBe(false)
  const id = /Error ID: ([0-9a-f]{8})/.exec(browser.text)?.[1] ?? "none"
  expect(log.entries.filter(({ text }) => text.includes(id))).toHaveLength(1)
})

test("another visitor doesn't see what happened to a user", async () => {
  const log = captureLog()
  const its = world()
  const given: Partial<AuthConfig> = { security: "strict", providers: [its.op.provider()], logger: log.logger }
  const browser = await appOf(its, given)
  its.op.inject(faults.tokenUnreachable)
  await browser.signInWith(its.op, { as: "ada" })
  const other = browser.fresh()
  await other.get("/auth/csrf")
  await other.get("/auth/error?error=Configuration")
  expect(wordsOf(other)).not.toMatch(/isn't available|Error ID/)
})
