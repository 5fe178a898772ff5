import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import type { Browser, CapturedLog } from "@latchkey/testing"
import { expect, test } from "vitest"
import { attack, type Mode } from "../../../../tests/attack.js"
import { equipped } from "./behaviors.js"
import { type SiteOptions, site } from "./setup.js"

const options: Readonly<Record<Mode, SiteOptions>> = {
  compatible: {},
  strict: { security: "strict", trustHost: ["https://app.test"] },
}

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

attack("T3-12", "an unknown action is a bad request, and no error in the log", async (mode) => {
  const { browser, log } = await equipped(memoryAdapter(), options[mode])
  for (const action of ["", "sign-me-out", "__proto__", "constructor", ["revoke-sessions"], { a: 1 }, null, 7]) {
    expect((await post(browser, { action })).status).toBe(400)
    const step = await post(browser, { action }, "application/json")
    expect([step.status, await step.json()]).toMatchObject([400, { error: { code: "InvalidRequest" } }])
  }
  expect(errorsIn(log)).toEqual([])
})

for (const action of actions) {
  attack("T3-12", `values of the wrong type for ${action} are no error in the log`, async (mode) => {
    const { browser, log, first } = await equipped(memoryAdapter(), options[mode])
    for (const accept of ["text/html", "application/json"]) {
      for (const value of wrong) {
        if ((await browser.session()) === null) await browser.signInWith(first, { as: "ada" })
        const fields = Object.fromEntries(names.map((name) => [name, value]))
        const { status } = await post(browser, { ...fields, action }, accept)
        expect(status, `${action} ${JSON.stringify(value)?.slice(0, 40)}`).toBeLessThan(500)
      }
    }
    expect(errorsIn(log)).toEqual([])
  })

  attack("T3-12", `${action} without a session, or without what it needs, is no error in the log`, async (mode) => {
    const signedOut = await site(memoryAdapter(), options[mode])
    expect((await post(signedOut.browser, { action }, "application/json")).status).toBe(401)
    expect((await post(signedOut.browser, { action })).status).toBeLessThan(500)
    expect(errorsIn(signedOut.log)).toEqual([])
    const { listSessions: _list, describeAuthenticator: _describe, deleteUser: _delete, ...few } = memoryAdapter()
    const its = await site(few, options[mode])
    await its.browser.signInWith(its.first, { as: "ada" })
    for (const accept of ["text/html", "application/json"])
      expect((await post(its.browser, { action, id: "x" }, accept)).status).toBeLessThan(500)
    expect(errorsIn(its.log)).toEqual([])
  })
}

test.each(["compatible", "strict"] as const)(
  "a form for something that's gone doesn't say that it's done (%s)",
  async (mode) => {
    const { browser, grace } = await withGrace(options[mode])
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
  },
)

async function withGrace(given: SiteOptions) {
  const its = await equipped(memoryAdapter(), given)
  const other = await its.phone()
  await other.signInWith(its.first, { as: "grace" })
  const account = its.account(other)
  return { ...its, other, grace: { session: (await account.sessions())[0]?.id ?? "", passkey: "AQID" } }
}

const changed = /open the link that we sent/

attack("T3-10", "what a form did shows only in its browser, and only to its user", async (mode) => {
  const { browser, other, first, phone } = await withGrace(options[mode])
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

attack("T3-10", "no other visitor reads that their account is deleted", async (mode) => {
  const { browser, other } = await withGrace(options[mode])
  const response = await post(browser, { action: "delete-account", confirm: "ada@example.test" })
  const url = target(response)
  await browser.get(url)
  expect(browser.text).toContain("Your account is deleted.")
  for (const visitor of [other, browser.fresh()]) {
    await visitor.get(url)
    expect(visitor.text).not.toContain("Your account is deleted.")
  }
})
