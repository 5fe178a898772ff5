import { describe, expect, test } from "vitest"
import type { Visit } from "../../browser/chromium.js"
import type { Application } from "../application.js"
import { adapterCalls, sessions, signedIn, signedInWith, visitor } from "../visitor.js"
import { shows } from "./sign-in.js"

const ada = { name: "ada", email: "ada@users.test" }
const linus = { name: "Linus Pauling", email: "linus@example.test" }

export function sessionEverywhere(app: Application): void {
  test.each([
    { strategy: "jwt", user: ada, signIn: async (origin: string) => signedIn(origin) },
    { strategy: "database", user: linus, signIn: async (origin: string) => signedInWith(app, origin) },
  ])("a $strategy session is in the page, in sharedMap and at its endpoint", async ({ strategy, user, signIn }) => {
    const { origin } = await app.served({ STRATEGY: strategy })
    expect(await sessions(visitor(origin))).toEqual([null, null, null])
    const browser = await signIn(origin)
    const session = { user: expect.objectContaining(user), expires: expect.any(String) }
    for (const found of await sessions(browser)) expect(found).toMatchObject(session)
  })

  describe("with sessions in the database", () => {
    const signedInHere = async () => {
      const { origin } = await app.served({ STRATEGY: "database" })
      const browser = await signedInWith(app, origin)
      await adapterCalls(origin)
      return { browser, origin }
    }

    test("a page that is rewritten reads the session once", async () => {
      const { browser, origin } = await signedInHere()
      expect((await browser.fetch("/rewritten/")).status).toBe(200)
      expect(await adapterCalls(origin)).toEqual(["getSessionAndUser"])
    })

    test("an action reads the session once, and only the action changes it", async () => {
      const { browser, origin } = await signedInHere()
      await browser.get("/")
      await adapterCalls(origin)
      await browser.submitForm("leave")
      const calls = await adapterCalls(origin)
      expect(calls).toContain("deleteSession")
      expect(await sessions(browser)).toEqual([null, null, null])
    })

    test("a static file reads no session", async () => {
      const { browser, origin } = await signedInHere()
      expect((await browser.fetch("/static.txt")).status).toBe(200)
      expect(await adapterCalls(origin)).toEqual([])
    })
  })

  test("a response that renews a JWT session sets its cookie once", async () => {
    const { origin } = await app.served({ UPDATE_AGE: "0" })
    const browser = await signedIn(origin)
    for (const path of ["/", "/private/", "/api/session/"]) {
      const response = await browser.fetch(path)
      const renewed = response.headers.getSetCookie().filter((cookie) => cookie.includes("session-token="))
      expect(renewed, path).toHaveLength(1)
      expect(response.headers.get("cache-control"), path).toBe("private, no-store")
    }
  })
}

export function sessionUpdate(app: Application, visit: Visit): void {
  test("a page updates the session, and the next page shows it", async () => {
    const { origin } = await app.served()
    const { page } = await visit()
    await page.goto(`${origin}/login/?callbackUrl=/profile/`)
    await page.getByRole("button", { name: "Ada by script" }).click()
    await page.waitForURL(`${origin}/profile/`)
    await page.getByRole("button", { name: "Paint it green" }).click()
    await shows(page, "output", '"color":"green"')
    await page.goto(origin)
    await shows(page, "#session", '"color":"green"')
  })
}
