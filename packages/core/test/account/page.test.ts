import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { isAuthRoute } from "@latchkey/core/integration"
import type { Browser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { hasSession } from "../flows/signin/setup.js"
import { equipped } from "./behaviors.js"
import { site } from "./setup.js"

/** Submits the n-th form with this `action`, as a user without JavaScript does. */
async function submit(browser: Browser, action: string, values: Record<string, string> = {}, at = 0): Promise<void> {
  const forms = browser.forms.flatMap((form, index) => (form.fields["action"] === action ? [index] : []))
  const index = forms[at]
  if (index === undefined) throw new Error(`The page has no form ${action}`)
  await browser.submitForm(index, values)
}

/** The text of the page, without tags, scripts and styles. */
function textOf({ text }: Browser): string {
  return text
    .replace(/<(script|style)[^>]*>.*?<\/\1>/gs, " ")
    .replace(/<[^>]*>/g, " ")
    .replace(/&#39;/g, "'")
    .replace(/\s+/g, " ")
}

test("a visitor is sent to the sign-in page, and from there back", async () => {
  const { browser, first } = await site(memoryAdapter())
  await browser.get("/auth/account")
  expect(browser.location).toBe("https://app.test/auth/signin?callbackUrl=https%3A%2F%2Fapp.test%2Fauth%2Faccount")
  await browser.signInWith(first, { as: "ada", fields: { callbackUrl: "https://app.test/auth/account" } })
  expect(browser.location).toBe("https://app.test/auth/account")
  expect(textOf(browser)).toContain("You're signed in as ada@example.test")
})

test("an application keeps its own route at the path of the account page", async () => {
  const pages = { account: "/auth/account" }
  expect(isAuthRoute({ providers: [], basePath: "/auth" }, "/auth/account")).toBe(true)
  expect(isAuthRoute({ providers: [], basePath: "/auth", pages }, "/auth/account")).toBe(false)
  const { browser } = await equipped(memoryAdapter(), { pages })
  expect((await browser.get("/auth/account")).status).toBe(405)
})

test("a provider can have the id account", async () => {
  const { clock, first } = await site(memoryAdapter())
  const provider = first.provider({ id: "account" })
  const { browser } = await site(memoryAdapter(), { providers: [provider], runtime: clock.runtime })
  await browser.get("/auth/signin")
  expect(browser.text).toContain("/auth/signin/account")
  await browser.post("/auth/signin/account", { csrfToken: (await browser.csrf()) ?? "" })
  expect(new URL(browser.location).origin).toBe(first.issuer)
})

test("a page of the application gets the parameters of the link and the code of an error", async () => {
  const { account, accountMail, browser } = await equipped(memoryAdapter(), { pages: { account: "/settings" } })
  await account().changeEmail("ada@new.test")
  await browser.get(accountMail[0]?.url ?? "")
  const { pathname, searchParams } = new URL(browser.location)
  expect([pathname, searchParams.get("email")]).toEqual(["/settings", "ada@new.test"])
  const csrfToken = (await browser.csrf()) ?? ""
  await browser.post("/auth/account", { csrfToken, action: "delete-account", confirm: "no" })
  expect(browser.location).toBe("https://app.test/settings?error=NotConfirmed")
  await browser.post("/auth/account", { csrfToken, action: "revoke-other-sessions" })
  expect(browser.location).toBe("https://app.test/settings?done=others-ended")
})

test("a flow gets the account and the result of a form as JSON", async () => {
  const { browser } = await equipped(memoryAdapter())
  const headers = { accept: "application/json" }
  const shown = await (await browser.fetch("/auth/account", { headers })).json()
  expect(shown).toMatchObject({
    status: "account",
    url: "https://app.test/auth/account",
    overview: { user: { email: "ada@example.test" }, passkeys: { isAvailable: true }, isRecent: true },
  })
  const post = async (fields: Record<string, string>) => {
    const body = new URLSearchParams({ csrfToken: (await browser.csrf()) ?? "", ...fields })
    return browser.fetch("/auth/account", { method: "POST", headers, body })
  }
  expect(await (await post({ action: "revoke-other-sessions" })).json()).toEqual({
    status: "account-changed",
    done: "others-ended",
  })
  const refused = await post({ action: "delete-account", confirm: "no" })
  expect(await refused.json()).toMatchObject({ status: "error", error: { code: "NotConfirmed" } })
  const visitor = await browser.fresh().fetch("/auth/account", { headers })
  expect([visitor.status, await visitor.json()]).toMatchObject([401, { error: { code: "SessionRequired" } }])
})

describe("without JavaScript", () => {
  test("a user renames and removes a passkey", async () => {
    const { browser } = await equipped(memoryAdapter())
    await browser.get("/auth/account")
    await submit(browser, "rename-passkey", { name: "Laptop <b>" })
    expect(textOf(browser)).toContain("Your changes are saved.")
    expect(browser.text).toContain("<strong>Laptop &lt;b&gt;</strong>")
    await submit(browser, "remove-passkey")
    expect(textOf(browser)).toContain("The passkey is removed.")
    expect(textOf(browser)).toContain("You have no passkeys yet.")
  })

  test("a user connects and disconnects an account", async () => {
    const { account, browser, second } = await equipped(memoryAdapter(), { withoutEmail: true })
    await browser.get("/auth/account")
    await submit(browser, "unlink-account", {}, 1)
    expect(textOf(browser)).toContain("The account is disconnected.")
    await browser.submitForm(browser.forms.findIndex(({ fields }) => fields["link"] === "true"))
    await browser.consentAt(second, { as: "ada" })
    expect(browser.location).toBe("https://app.test/auth/account")
    expect(await account().accounts()).toHaveLength(2)
  })

  test("a user ends sessions", async () => {
    const { browser, first, phone } = await equipped(memoryAdapter())
    const mobile = await phone()
    await mobile.signInWith(first, { as: "ada" })
    await browser.get("/auth/account")
    expect(textOf(browser)).toContain("Safari on iPhone")
    await submit(browser, "revoke-session")
    expect(textOf(browser)).toContain("The session is signed out.")
    expect(await mobile.session()).toBeNull()
    await submit(browser, "revoke-sessions")
    expect(new URL(browser.location).pathname).toBe("/auth/signin")
    expect(hasSession(browser)).toBe(false)
  })

  test("a user changes the email", async () => {
    const { browser, accountMail } = await equipped(memoryAdapter())
    await browser.get("/auth/account")
    await submit(browser, "change-email", { email: "ada@new.test" })
    expect(textOf(browser)).toContain("open the link that we sent to ada@new.test")
    await browser.get(accountMail[0]?.url ?? "")
    expect(textOf(browser)).toContain("ada@new.test becomes the email of your account.")
    await submit(browser, "confirm-email")
    expect(textOf(browser)).toContain("Your email is changed.")
    expect(textOf(browser)).toContain("You're signed in as ada@new.test")
    await browser.get(accountMail[0]?.url ?? "")
    expect(textOf(browser)).toContain("This link is no longer valid.")
  })

  test("a user deletes the account after typing the email", async () => {
    const { adapter, browser } = await equipped(memoryAdapter())
    await browser.get("/auth/account")
    await submit(browser, "delete-account", { confirm: "grace@example.test" })
    expect(textOf(browser)).toContain("This isn't the email of your account.")
    await submit(browser, "delete-account", { confirm: " Ada@example.test" })
    expect(textOf(browser)).toContain("Your account is deleted.")
    expect(adapter.rows()).toMatchObject({ users: [], accounts: [], sessions: [], authenticators: [] })
    await browser.get("/auth/account")
    expect(new URL(browser.location).pathname).toBe("/auth/signin")
  })
})
