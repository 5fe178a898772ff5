import { expect, test, vi } from "vitest"
import { good, isSignedIn, joined, modes, signIn, siteOf } from "./site.js"

/** As in a build that contains the package of the framework, and leaves the modules where they were installed. */
async function copiedPassword() {
  vi.resetModules()
  return (await import("../src/index.js")).password
}

test.each(modes)(
  "a module that uses another copy of core signs users up and in, and refuses as it should (%s)",
  async (mode) => {
    const password = await copiedPassword()
    const site = siteOf({ mode, config: { modules: [password({ breached: false })], rateLimit: {} } })
    const ada = await joined(site, "ada@users.test")
    expect(await isSignedIn(ada)).toBe(true)
    expect(await isSignedIn(await signIn(site, "ada@users.test", good))).toBe(true)
    const eve = await site.open()
    await signIn(site, "ada@users.test", "not the password at all", eve)
    expect(new URL(eve.location).searchParams.get("error")).toBe("CredentialsSignin")
    for (let guess = 0; guess < 30; guess++) await signIn(site, "ada@users.test", `guess number ${guess} of many`, eve)
    expect(eve.response.status).toBe(429)
    expect(site.errors.filter((text) => !/ (?:CredentialsSignin|RateLimited): /.test(text))).toEqual([])
  },
)
