import { expect, test } from "vitest"
import { addAuthenticator } from "../../browser/authenticator.js"
import type { Visit } from "../../browser/chromium.js"
import type { Application } from "../application.js"
import { enterPassword, shows } from "./sign-in.js"

export function passkeys(app: Application, visit: Visit): void {
  test("a user creates a passkey while signed in, and signs in with it after signing out", async () => {
    const { origin } = await app.served({ STRATEGY: "database" })
    const { page, complaints } = await visit()
    const { session, authenticatorId } = await addAuthenticator(page)
    await page.goto(`${origin}/login/`)
    await enterPassword(page, "open sesame", "alan")
    await page.waitForURL(`${origin}/private/`)
    await page.goto(`${origin}/passkey/`)
    await page.getByRole("button", { name: "Create a passkey" }).click()
    await page.waitForURL(`${origin}/private/`)
    await shows(page, "#private", "alan@users.test")
    const { credentials } = await session.send("WebAuthn.getCredentials", { authenticatorId })
    expect(credentials).toHaveLength(1)
    await page.getByRole("button", { name: "Sign out", exact: true }).click()
    await page.waitForURL(`${origin}/?left`)
    await page.goto(`${origin}/passkey/`)
    await page.getByRole("button", { name: "Sign in with a passkey" }).click()
    await page.waitForURL(`${origin}/private/`)
    await shows(page, "#private", "alan@users.test")
    // The server needs no CSRF token, so its route answers 404. Chromium logs that, and the client must not.
    expect(complaints.filter((text) => !text.includes("status of 404"))).toEqual([])
  })

  test("a user whom the authenticator doesn't recognize stays signed out", async () => {
    const { origin } = await app.served({ STRATEGY: "database" })
    const { page } = await visit()
    const authenticator = await addAuthenticator(page)
    await page.goto(`${origin}/login/`)
    await enterPassword(page, "open sesame", "barbara")
    await page.waitForURL(`${origin}/private/`)
    await page.goto(`${origin}/passkey/`)
    await page.getByRole("button", { name: "Create a passkey" }).click()
    await page.waitForURL(`${origin}/private/`)
    await page.getByRole("button", { name: "Sign out", exact: true }).click()
    await page.waitForURL(`${origin}/?left`)
    const { session, authenticatorId } = authenticator
    await session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false })
    await page.goto(`${origin}/passkey/`)
    await page.getByRole("button", { name: "Sign in with a passkey" }).click()
    await shows(page, "output", "NotAllowedError")
    await shows(page, "#user", "signed out")
  })
}
