import type { AuthConfig } from "@latchkey/core/types"
import { createProvider, visit } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { door } from "../../attacks/door-setup.js"
import { setCookies } from "../../http/app.js"

const op = createProvider()
const other = createProvider({ issuer: "https://other.test" })

async function afterSignIn(config: Partial<AuthConfig> = {}) {
  const browser = await visit({ providers: [op.provider(), { ...other.provider(), id: "other" }], ...config })
  await browser.signInWith(op, { as: "ada" })
  return browser
}

const cookieOf = ({ cookies }: Awaited<ReturnType<typeof afterSignIn>>) =>
  cookies.find(({ name }) => name.endsWith("authjs.last-used"))

describe("the provider of the last sign-in", () => {
  test("is remembered when a browser loads a page, and there are several", async () => {
    const browser = await afterSignIn()
    expect(cookieOf(browser)).toMatchObject({ name: "__Host-authjs.last-used", value: "op", httpOnly: true })
    await browser.get("/auth/signin")
    expect(browser.text).toMatch(/class="last-used">Last used<\/span><form action="[^"]*\/signin\/op"/)
    await browser.signInWith(op, { as: "grace" })
    expect(browser.trail.flatMap(setCookies).filter((line) => line.includes("last-used"))).toEqual([])
  })

  test("isn't remembered for one provider, for a page of the application, or for a program", async () => {
    expect(cookieOf(await afterSignIn({ providers: [op.provider()] }))).toBeUndefined()
    expect(cookieOf(await afterSignIn({ pages: { signIn: "/login" } }))).toBeUndefined()
    const response = await door("compatible").post("/auth/callback/credentials", { name: "ada", password: "open" })
    expect(setCookies(response).join()).toContain("session-token")
    expect(setCookies(response).join()).not.toContain("last-used")
  })

  test("shows nothing if the cookie names another one", async () => {
    const browser = await afterSignIn()
    const kept = cookieOf(browser)
    for (const value of ["gone", "__proto__", "<b>", ""]) {
      if (kept !== undefined) browser.jar.put({ ...kept, value })
      await browser.get("/auth/signin")
      expect(browser.text).not.toContain(`class="last-used"`)
    }
  })
})
