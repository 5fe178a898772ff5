import type { Browser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import type { Application } from "../application.js"
import { browse } from "../../applications/http.js"

const cookieName = "authjs.session-token"

export function renewal(app: Application): void {
  describe("a session that's due for renewal", () => {
    test("is renewed by the middleware for the browser and for the page", async () => {
      const ada = await signedIn(app, { UPDATE_AGE: "0" })
      const before = valueOf(ada)
      await ada.get("/private")
      const [line, ...others] = setBy(ada)
      expect(others).toEqual([])
      const renewed = /=([^;]+)/.exec(line ?? "")?.[1]
      expect(renewed).not.toBe(before)
      expect(/id="cookie">([^<]+)/.exec(ada.text)?.[1]).toBe(renewed)
    })

    test.each([
      "/",
      "/private",
      "/plain",
      "/handler/7",
      "/free/write",
      "/api/session",
      "/props",
      "/edge",
      "/api/edge-session",
    ])("is set once in the response of %s", async (path) => {
      const ada = await signedIn(app, { UPDATE_AGE: "0" })
      await ada.get(path)
      expect(ada.response.status).toBe(200)
      expect(setBy(ada)).toHaveLength(1)
      expect(ada.response.headers.get("cache-control")).toMatch(/private.*no-store|no-store.*private/)
    })

    test("isn't set by the response that ends it", async () => {
      const ada = await signedIn(app, { UPDATE_AGE: "0" })
      await ada.signOut()
      expect(valueOf(ada)).toBeUndefined()
      await ada.get("/private")
      expect(new URL(ada.location).pathname).toBe("/api/auth/signin")
    })

    test("is renewed after `updateAge`, and not before", async () => {
      const ada = await signedIn(app, { UPDATE_AGE: "1" })
      const first = valueOf(ada)
      await expect.poll(async () => (await ada.get("/private")).ok && valueOf(ada) !== first).toBe(true)
      const fresh = await signedIn(app)
      await fresh.get("/private")
      expect(setBy(fresh)).toEqual([])
    })

    test("isn't renewed where no cookie can be set", async () => {
      const ada = await signedIn(app, { UPDATE_AGE: "0" })
      await ada.get("/free/read")
      expect(ada.text).toContain("id-ada")
      expect(setBy(ada)).toEqual([])
    })
  })
}

/**
 * The `jwt` callback uses the refresh token of a `stale` session at the next read, and each token works once. Middleware on
 * the edge runtime has its own memory, so it doesn't know about a refresh on Node.js.
 */
export function rotation(app: Application, { middleware }: { readonly middleware: "node" | "edge" }): void {
  describe("a refresh token that works once", () => {
    test("is used once by renders that can't set cookies, and the next response that can sets the result", async () => {
      const browser = await signedIn(app, {}, "refreshing")
      const before = app.services.used.length
      await Promise.all([1, 2, 3, 4].map(async () => browser.clone().get("/free/read")))
      await browser.get("/free/read")
      const used = app.services.used.slice(before)
      expect(used).toHaveLength(1)
      expect(browser.text).toContain(`${used[0]}+`)
      const first = valueOf(browser)
      await browser.get("/free/write")
      expect(JSON.parse(browser.text)).toMatchObject({ refresh: `${used[0]}+` })
      expect(valueOf(browser)).not.toBe(first)
      expect(app.services.reused).not.toContain(used[0])
    })

    if (middleware === "node") rotationEverywhere(app)

    test("is used by the middleware, and the page gets the result", async () => {
      const browser = await signedIn(app, {}, "refreshing")
      await browser.get("/private")
      expect(setBy(browser)).toHaveLength(1)
      const used = app.services.used.at(-1)
      expect(browser.text).toContain(`${used}+`)
      await browser.get("/private")
      expect(setBy(browser)).toEqual([])
      expect(app.services.reused).not.toContain(used)
    })
  })
}

function rotationEverywhere(app: Application): void {
  test("is used once by parallel pages, handlers, API Routes and middleware", async () => {
    const browser = await signedIn(app, {}, "refreshing")
    const before = app.services.used.length
    const paths = ["/", "/free/read", "/free/write", "/plain", "/api/session", "/props", "/handler/7"]
    await Promise.all(paths.map(async (path) => browser.clone().get(path)))
    await browser.get("/free/write")
    const used = app.services.used.slice(before)
    expect(JSON.parse(browser.text)).toMatchObject({ refresh: `${used[0]}+` })
    expect(used).toHaveLength(1)
    expect(app.services.reused).not.toContain(used[0])
  })

  test("is used once if the browser reads the session after a render that can't set cookies", async () => {
    const browser = await signedIn(app, {}, "refreshing")
    await browser.get("/free/read")
    const used = app.services.used.at(-1)
    expect(await browser.session()).toMatchObject({ refresh: `${used}+` })
    expect(app.services.reused).not.toContain(used)
    await browser.get("/free/read")
    expect(browser.text).toContain(`${used}+`)
  })
}

/** Signs in and returns to a page that doesn't read the session. */
async function signedIn(app: Application, env: Readonly<Record<string, string>> = {}, user = "ada"): Promise<Browser> {
  const { origin } = await app.served(env)
  const browser = browse(origin)
  await browser.signIn("credentials", { name: user, password: "open sesame", callbackUrl: "/free/count" })
  expect(valueOf(browser)).toBeDefined()
  return browser
}

function valueOf({ cookies }: Browser): string | undefined {
  return cookies.find((cookie) => cookie.name === cookieName)?.value
}

function setBy({ response }: Browser): readonly string[] {
  return response.headers.getSetCookie().filter((line) => line.startsWith(`${cookieName}=`))
}
