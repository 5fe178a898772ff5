import { createAuthenticator } from "@latchkey/testing"
import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { addAuthenticator, type Authenticator, type AuthenticatorOptions } from "../../browser/authenticator.js"
import type { Visit } from "../../browser/chromium.js"
import type { Application, Extent } from "../application.js"
import { browse } from "../../applications/http.js"
import { places } from "./auth.js"

/** The user whom the password of the application signs in. */
const ada = "ada@users.test"

interface Variant {
  readonly path: string
  readonly env: Readonly<Record<string, string>>
}

const variants: readonly Variant[] = [
  { path: "/passkeys", env: { USERS: "stored" } },
  { path: "/passkeys-props", env: { STRATEGY: "database" } },
]

interface Opened extends Authenticator {
  readonly page: Page
  readonly origin: string
}

export function passkeys(app: Application, visit: Visit, extent: Extent): void {
  const opened = async (path: string, env = {}, authenticator: AuthenticatorOptions = {}): Promise<Opened> => {
    const { origin } = await app.served(env)
    const { page } = await visit()
    const added = await addAuthenticator(page, authenticator)
    await page.goto(origin + path)
    return { page, origin, ...added }
  }

  describe.each(extent === "all" ? variants : variants.slice(0, 1))("a passkey, on $path", ({ path, env }) => {
    test("of a signed-in user signs in again, and every place sees the session", async () => {
      const { page, origin } = await opened("/actions", env)
      await press(page, "Sign in without redirect")
      await page.locator("#client", { hasText: "ada" }).waitFor()
      await page.goto(origin + path)
      await shows(page, ada)
      await press(page, "Add a passkey")
      await page.waitForURL(`${origin}/private?added`)
      expect(await page.locator("#session").innerText()).toContain("id-ada")
      await page.goto(origin + path)
      await press(page, "Sign out here")
      await shows(page, "unauthenticated")
      await press(page, "Sign in with a passkey")
      await page.waitForURL(`${origin}/private?x=1`)
      await page.locator("#client", { hasText: "ada" }).waitFor()
      for (const [place, url] of places) {
        // The edge runtime has no database in these tests.
        if (env["STRATEGY"] === "database" && url.includes("edge")) continue
        await page.goto(origin + url)
        expect(await page.locator("body").innerText(), place).toContain("id-ada")
      }
    })

    test("without a redirect, signs a new user up and in, in this tab and in the others", async () => {
      const { page, origin } = await opened(path)
      const other = await page.context().newPage()
      await other.goto(origin + path)
      // A tab in the background can't ask for a passkey.
      await page.bringToFront()
      const email = `grace${path.slice(1)}@users.test`
      await page.getByLabel("Email").fill(email)
      await press(page, "Sign up with a passkey")
      const success = { ok: true, status: 200, url: origin + path }
      expect(JSON.parse(await result(page))).toMatchObject(success)
      for (const tab of [page, other]) await shows(tab, email)
      await press(other, "Sign out here")
      await shows(page, "unauthenticated")
      await page.bringToFront()
      await press(page, "Sign in with a passkey here")
      await shows(page, email)
      expect(JSON.parse(await result(page))).toMatchObject(success)
    })

    test("for an email that has an account is refused, and the page gets the error", async () => {
      const { page } = await opened(path)
      await page.getByLabel("Email").fill(`barbara${path.slice(1)}@users.test`)
      await press(page, "Sign up with a passkey")
      await shows(page, "barbara")
      await press(page, "Sign out here")
      await shows(page, "unauthenticated")
      await press(page, "Sign up with a passkey")
      await page.locator("#result", { hasText: "AccountNotLinked" }).waitFor()
      expect(JSON.parse(await result(page))).toMatchObject({ ok: false, status: 401, url: null })
      await shows(page, "unauthenticated")
    })

    test("that the user doesn't confirm rejects `signIn`, which works again afterwards", async () => {
      const { page, session, authenticatorId } = await opened(path, {}, { isUserVerified: false })
      await press(page, "Sign in with a passkey here")
      expect(await result(page)).toBe("NotAllowedError")
      await shows(page, "unauthenticated")
      await session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: true })
      await page.getByLabel("Email").fill(`edsger${path.slice(1)}@users.test`)
      await press(page, "Sign up with a passkey")
      await shows(page, "edsger")
    })
  })

  test("after adding a passkey, `update` changes the session in the browser and in Server Components", async () => {
    const { page, origin } = await opened("/actions", variants[0]?.env)
    await press(page, "Sign in without redirect")
    await page.locator("#client", { hasText: "ada" }).waitFor()
    await page.goto(`${origin}/passkeys`)
    await press(page, "Add a passkey here")
    await page.locator("#color", { hasText: "added" }).waitFor()
    await page.reload()
    expect(await page.locator("#session").innerText()).toContain('"color":"added"')
  })

  test("the built-in page of a protected page signs up with a passkey, and then in", async () => {
    const { page, origin } = await opened("/private?x=1")
    const form = page.locator("form[data-passkey]")
    await form.locator("summary").click()
    await form.getByLabel("Email").fill("radia@users.test")
    await press(page, "Create a passkey")
    await page.waitForURL(`${origin}/private?x=1`)
    expect(await page.locator("#session").innerText()).toContain("radia@users.test")
    await press(page, "Sign out in the browser")
    await page.locator("#client", { hasText: "unauthenticated" }).waitFor()
    await page.goto(`${origin}/private?x=2`)
    // The autofill may have signed the user in before the button is there.
    await Promise.any([press(page, "Sign in with a passkey"), page.waitForURL(`${origin}/private?x=2`)])
    await page.waitForURL(`${origin}/private?x=2`)
    expect(await page.locator("#session").innerText()).toContain("radia@users.test")
  })
}

/** Without a browser: for a Route Handler on the edge runtime. */
export function passkeysOnTheEdge(app: Application): void {
  test("an auth route on the edge runtime signs up and in with a passkey", async () => {
    const { origin } = await app.served()
    const grace = browse(origin, "/free/edge-auth")
    const authenticator = createAuthenticator()
    const email = `grace@edge-${app.source.major}.test`
    await grace.registerPasskey(authenticator, { fields: { email } })
    expect(await grace.session()).toMatchObject({ user: { email } })
    await grace.signOut()
    expect(await grace.session()).toBeNull()
    await grace.signInWithPasskey(authenticator)
    expect(await grace.session()).toMatchObject({ user: { email } })
  })
}

async function press(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click()
}

async function shows(page: Page, text: string): Promise<void> {
  await page.locator("#status", { hasText: text }).waitFor()
}

async function result(page: Page): Promise<string> {
  const output = page.locator("#result", { hasText: /./ })
  await output.waitFor()
  return output.innerText()
}
