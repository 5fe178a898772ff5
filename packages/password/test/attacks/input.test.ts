import { describe, expect } from "vitest"
import { attackIn } from "../../../../tests/attack.js"
import { good, isSignedIn, joined, modes, signIn, siteOf } from "../site.js"

const [ada, eve] = ["ada@users.test", "eve@users.test"]

describe.each(modes)("what is typed (%s)", (mode) => {
  const attack = attackIn(mode)

  attack("PASS-08", "a password of a megabyte is refused without being hashed", async () => {
    const site = siteOf({ mode })
    await joined(site, ada)
    const browser = await site.open()
    await browser.get("/auth/password/sign-up")
    await browser.submitForm("password/sign-up", { email: eve, password: "x".repeat(1_000_000) })
    expect(browser.response.status).toBeGreaterThanOrEqual(400)
    expect(browser.response.status).toBeLessThan(500)
    await signIn(site, ada, "x".repeat(1_000_000), browser)
    expect(await isSignedIn(browser)).toBe(false)
  })

  attack("PASS-09", "what follows a NUL or the 72nd byte is part of the password", async () => {
    const site = siteOf({ mode })
    const long = `${good} `.repeat(3)
    await joined(site, ada, `${long}one`)
    expect(await isSignedIn(await signIn(site, ada, `${long}two`))).toBe(false)
    expect(await isSignedIn(await signIn(site, ada, `${long}one\u0000`))).toBe(false)
    expect(await isSignedIn(await signIn(site, ada, `${long}one`))).toBe(true)
  })
})
