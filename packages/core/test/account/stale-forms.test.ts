import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import type { Browser, CapturedLog } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { equipped } from "./behaviors.js"
import { type SiteOptions, site } from "./setup.js"

const modes: readonly (readonly [string, SiteOptions])[] = [
  ["compatible", {}],
  ["strict", { security: "strict", trustHost: ["https://app.test"] }],
]

async function post(browser: Browser, fields: Readonly<Record<string, unknown>>, accept = "text/html") {
  const body = JSON.stringify({ csrfToken: await browser.csrf(), ...fields })
  const asked = accept === "text/html" ? { "x-auth-return-redirect": "1" } : {}
  const headers = { accept, "content-type": "application/json", ...asked }
  return browser.fetch("/auth/account", { method: "POST", headers, body })
}

function target({ headers }: Response): URL {
  return new URL(headers.get("location") ?? "", "https://app.test")
}

function errorsIn({ entries }: CapturedLog): readonly string[] {
  return entries.filter(({ level }) => level === "error").map(({ text }) => text)
}

const actions = [
  "rename-passkey",
  "remove-passkey",
  "unlink-account",
  "revoke-session",
  "revoke-other-sessions",
  "revoke-sessions",
  "change-email",
  "confirm-email",
  "delete-account",
]
const wrong = [undefined, null, 7, true, {}, [], ["a", "b"], { $ne: null }, "x".repeat(20_000), "\u0000"]
const names = ["id", "name", "provider", "providerAccountId", "email", "token", "confirm", "callbackUrl"]

describe.each(modes)("under %s", (_, options) => {
  test.each(["", "sign-me-out", "__proto__", "constructor", ["revoke-sessions"], { a: 1 }, null, 7])(
    "the unknown action %j is a bad request, which no error is logged for",
    async (action) => {
      const { browser, log } = await equipped(memoryAdapter(), options)
      expect((await post(browser, { action })).status).toBe(400)
      const step = await post(browser, { action }, "application/json")
      expect([step.status, await step.json()]).toMatchObject([400, { error: { code: "InvalidRequest" } }])
      expect(errorsIn(log)).toEqual([])
    },
  )

  test.each(actions)(
    "values of the wrong type for %s are refused without an error in the log",
    async (action) => {
      const { browser, log, first } = await equipped(memoryAdapter(), options)
      for (const accept of ["text/html", "application/json"]) {
        for (const value of wrong) {
          if ((await browser.session()) === null) await browser.signInWith(first, { as: "ada" })
          const fields = Object.fromEntries(names.map((name) => [name, value]))
          const { status } = await post(browser, { ...fields, action }, accept)
          expect(status, `${action} ${JSON.stringify(value)?.slice(0, 40)}`).toBeLessThan(500)
        }
      }
      expect(errorsIn(log)).toEqual([])
    },
    60_000,
  )

  test.each(actions)("the action %s without a session, or without what it needs, logs no error", async (action) => {
    const signedOut = await site(memoryAdapter(), options)
    expect((await post(signedOut.browser, { action }, "application/json")).status).toBe(401)
    expect((await post(signedOut.browser, { action })).status).toBeLessThan(500)
    expect(errorsIn(signedOut.log)).toEqual([])
    const { listSessions: _list, describeAuthenticator: _describe, deleteUser: _delete, ...few } = memoryAdapter()
    const its = await site(few, options)
    await its.browser.signInWith(its.first, { as: "ada" })
    for (const accept of ["text/html", "application/json"])
      expect((await post(its.browser, { action, id: "x" }, accept)).status).toBeLessThan(500)
    expect(errorsIn(its.log)).toEqual([])
  })

  test("a form for something that's gone doesn't say that it's done", async () => {
    const { browser, grace } = await withGrace(options)
    const gone = [
      { action: "revoke-session", id: "0123456789abcdef0123456789abcdef" },
      { action: "revoke-session", id: grace.session },
      { action: "rename-passkey", id: grace.passkey, name: "Mine" },
      { action: "remove-passkey", id: grace.passkey },
      { action: "unlink-account", provider: "op", providerAccountId: "grace" },
    ]
    for (const fields of gone) {
      const response = await post(browser, fields)
      expect(target(response).search).toBe("?error=Failed")
      const step = await post(browser, fields, "application/json")
      expect([step.status, await step.json()]).toMatchObject([400, { status: "error" }])
    }
  })
})

async function withGrace(options: SiteOptions) {
  const its = await equipped(memoryAdapter(), options)
  const other = await its.phone()
  await other.signInWith(its.first, { as: "grace" })
  const account = its.account(other)
  return { ...its, other, grace: { session: (await account.sessions())[0]?.id ?? "", passkey: "AQID" } }
}

describe.each(modes)("what a form did, in the URL of the page, under %s", (_, options) => {
  const changed = /The session is signed out|open the link that we sent/

  test("shows only in the browser and to the user of the form", async () => {
    const { browser, other, first, phone } = await withGrace(options)
    const response = await post(browser, { action: "change-email", email: "call-0900-123@evil.test" })
    const url = target(response)
    await browser.get(url)
    expect(browser.text).toMatch(changed)
    await other.get(url)
    expect([other.text.includes("Account"), changed.test(other.text)]).toEqual([true, false])
    const same = await phone()
    await same.signInWith(first, { as: "ada" })
    await same.get(url)
    expect([same.text.includes("Account"), changed.test(same.text)]).toEqual([true, false])
    await browser.signOut()
    await browser.signInWith(first, { as: "grace" })
    await browser.get(url)
    expect([browser.text.includes("Account"), changed.test(browser.text)]).toEqual([true, false])
  })

  test("doesn't tell other visitors that their account is deleted", async () => {
    const { browser, other } = await withGrace(options)
    const response = await post(browser, { action: "delete-account", confirm: "ada@example.test" })
    const url = target(response)
    await browser.get(url)
    expect(browser.text).toContain("Your account is deleted.")
    for (const visitor of [other, browser.fresh()]) {
      await visitor.get(url)
      expect(visitor.text).not.toContain("Your account is deleted.")
    }
  })
})
