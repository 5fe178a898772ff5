import { fileURLToPath } from "node:url"
import type { AuthorizationAnswer, Browser } from "@latchkey/testing"
import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { browse } from "../applications/http.js"
import { inChromium } from "../browser/chromium.js"
import { application, packages, run } from "./application.js"

const app = application()
const { deploy } = app

const ada = { name: "ada", email: "ada@users.test" }
const linus = { name: "Linus Pauling", email: "linus@example.test" }

/** The same session from an API route that reads it, and from the session route. */
function everywhere(user: object): readonly unknown[] {
  const session = { user: expect.objectContaining(user), expires: expect.any(String) }
  return [session, session]
}

async function sessions(browser: Browser): Promise<readonly unknown[]> {
  const read: unknown = await (await browser.fetch("/session")).json()
  const given: unknown = await (await browser.fetch("/api/auth/session")).json()
  return [read, given]
}

/** The user that a query of the page finds. */
async function shown(browser: Browser): Promise<string | undefined> {
  await browser.get("/")
  return /<p[^>]*id="user"[^>]*>(.*?)<\/p>/s.exec(browser.text)?.[1]
}

async function signedIn(origin: string): Promise<Browser> {
  const browser = browse(origin)
  await browser.signIn("credentials", { name: "ada", password: "open sesame" })
  return browser
}

/** Starts the sign-in at the provider, and consents there. */
async function authorize(browser: Browser): Promise<AuthorizationAnswer> {
  await browser.get("/api/auth/signin")
  await browser.submitForm("signin/op")
  return app.op.authorize(browser.location, { as: "linus" })
}

describe.each([
  { from: packages[0], to: packages[1] },
  { from: packages[1], to: packages[0] },
])("an application of $from that is swapped to $to", ({ from, to }) => {
  test("keeps a session, also after rolling back, until the user signs out", async () => {
    const browser = await signedIn(await deploy(from))
    expect(await sessions(browser)).toEqual(everywhere(ada))
    await deploy(to)
    expect(await sessions(browser)).toEqual(everywhere(ada))
    expect(await shown(browser)).toBe(ada.email)
    await deploy(from)
    expect(await sessions(browser)).toEqual(everywhere(ada))
    expect(await shown(browser)).toBe(ada.email)
    await deploy(to)
    await browser.signOut()
    expect(await sessions(browser)).toEqual([null, null])
    await deploy(from)
    expect(await sessions(browser)).toEqual([null, null])
    expect(await shown(browser)).toBe("signed out")
  })

  test("accepts a form that was open before", async () => {
    const browser = browse(await deploy(from))
    await browser.get("/api/auth/signin")
    await deploy(to)
    await browser.submitForm("callback/credentials", { name: "ada", password: "open sesame" })
    expect(await sessions(browser)).toEqual(everywhere(ada))
  })
})

test("a sign-in at the provider that began with @auth/solid-start ends in a session", async () => {
  const browser = browse(await deploy("@auth/solid-start"))
  const answer = await authorize(browser)
  await deploy("@latchkey/solid-start")
  await browser.follow(answer, app.op.issuer)
  expect(await sessions(browser)).toEqual(everywhere(linus))
})

test.each(packages)("the application compiles with the types of %s", async (name) => {
  const compiler = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url))
  expect(await run(app.built(name), [process.execPath, compiler, "-p", "."])).toBe("")
})

inChromium("the functions for browsers", (visit) => {
  const shows = (page: Page, id: string, text: string) => page.locator(`#${id}`).filter({ hasText: text }).waitFor()

  test.each(packages)("sign in and out with %s", async (name) => {
    const origin = await deploy(name)
    const { page } = await visit()
    await page.goto(origin, { waitUntil: "networkidle" })
    await page.locator("#wrong").click({ force: true })
    await shows(page, "result", "CredentialsSignin credentials")
    await page.locator("#locked").click({ force: true })
    await shows(page, "result", "CredentialsSignin locked")
    await page.locator("#password").click({ force: true })
    await page.waitForURL(`${origin}/?in`, { waitUntil: "networkidle" })
    await shows(page, "user", ada.email)
    await page.locator("#leave").click({ force: true })
    await page.waitForURL(`${origin}/?out`, { waitUntil: "networkidle" })
    await shows(page, "user", "signed out")
    await page.locator("#op").click({ force: true })
    await page.getByRole("button", { name: "Linus Pauling" }).click()
    await page.waitForURL(`${origin}/?op`)
    await shows(page, "user", linus.email)
  })
})
