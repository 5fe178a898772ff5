import { expect, test } from "vitest"
import type { Visit } from "../../browser/chromium.js"
import type { Application } from "../application.js"
import { enterPassword, visitor } from "../visitor.js"
import { shows } from "./sign-in.js"

const env = { SIGN_IN_PAGE: "/login/" }

/** What a form with invalid options results in, as the types say. */
const invalid = { status: 400, value: { failed: true, formErrors: [], fieldErrors: { options: [expect.any(String)] } } }

export function refusals(app: Application, visit: Visit): void {
  test("an unknown provider leads to the error page", async () => {
    const { origin } = await app.served(env)
    const { page } = await visit()
    await page.goto(`${origin}/login/`)
    await page.getByRole("button", { name: "Sign in with an unknown provider" }).click()
    await page.waitForURL(/\/auth\/error\?error=Configuration/)
    await page.getByRole("heading").first().waitFor()
  })

  test.each(["Send invalid options", "Send a nested target"])(
    "invalid input shows the errors in the page: %s",
    async (name) => {
      const { origin } = await app.served(env)
      const { page } = await visit()
      await page.goto(`${origin}/login/`)
      await page.getByRole("button", { name }).click()
      await shows(page, "output", "failed")
      expect(JSON.parse(await page.locator("output").innerText())).toEqual(invalid)
    },
  )
}

export function answers(app: Application): void {
  test("an error of the application leads to the sign-in page with its code", async () => {
    const { origin } = await app.served()
    const browser = visitor(origin)
    await enterPassword(browser, "locked", "")
    expect(browser.location).toContain(`${origin}/auth/signin?error=CredentialsSignin&code=locked`)
  })

  test("the user goes to options.redirectTo, then redirectTo, then the page with the form", async () => {
    const { origin } = await app.served()
    const browser = visitor(origin)
    await browser.get("/login/")
    const action = browser.forms.find(({ id }) => id === "password")?.action ?? ""
    const page = `/login/?lang=de&page=3&${new URL(action, origin).search.slice(1)}`
    const password = { providerId: "credentials", "options.name": "ada", "options.password": "open sesame" }
    const both = { redirectTo: "/?first", "options.redirectTo": "/?second" }
    for (const [fields, to] of [
      [both, "/?second"],
      [{ redirectTo: "/?first" }, "/?first"],
      [{}, "/login/?lang=de&page=3"],
    ] as const) {
      await browser.post(page, { ...password, ...fields })
      expect(browser.location).toBe(origin + to)
    }
    await browser.get("/profile/?tab=2")
    const leave = browser.forms.find(({ id }) => id === "leave")?.action ?? ""
    await browser.post(`/profile/?tab=2&${new URL(leave, origin).search.slice(1)}`)
    expect(browser.location).toBe(`${origin}/profile/?tab=2`)
    expect(await browser.session()).toBeNull()
  })

  test("authorizationParams of an action reach the provider", async () => {
    const { origin } = await app.served()
    const browser = visitor(origin)
    await browser.get("/login/")
    await browser.submitForm("acme")
    await browser.consentAt(app.op, { as: "linus" })
    expect(app.op.authorizations.at(-1)).toMatchObject({ prompt: "login" })
    expect(browser.location).toBe(`${origin}/private/`)
  })
}
