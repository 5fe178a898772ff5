import type { Browser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import type { Application } from "../application.js"
import { browse } from "../browse.js"

const name = "authjs.session-token"

export function renewal(app: Application): void {
  describe("a session that is due", () => {
    test("is renewed by the middleware, for the browser and for the page behind it", async () => {
      const ada = await signedIn(app, { UPDATE_AGE: "0" })
      const before = valueOf(ada)
      await ada.get("/private")
      const [line, ...others] = setBy(ada)
      expect(others).toEqual([])
      const renewed = /=([^;]+)/.exec(line ?? "")?.[1]
      expect(renewed).not.toBe(before)
      expect(/id="cookie">([^<]+)/.exec(ada.text)?.[1]).toBe(renewed)
    })

    test.each(["/", "/private", "/plain", "/handler/7", "/free/write", "/api/who", "/props", "/edge", "/api/edge-who"])(
      "is set once in the answer of %s",
      async (path) => {
        const ada = await signedIn(app, { UPDATE_AGE: "0" })
        await ada.get(path)
        expect(ada.response.status).toBe(200)
        expect(setBy(ada)).toHaveLength(1)
      },
    )

    test("does not come back with the answer that ends it", async () => {
      const ada = await signedIn(app, { UPDATE_AGE: "0" })
      await ada.signOut()
      expect(valueOf(ada)).toBeUndefined()
      await ada.get("/private")
      expect(new URL(ada.location).pathname).toBe("/api/auth/signin")
    })

    test("is renewed after the time that the configuration says, and not before", async () => {
      const ada = await signedIn(app, { UPDATE_AGE: "1" })
      const first = valueOf(ada)
      await expect.poll(async () => (await ada.get("/private")).ok && valueOf(ada) !== first).toBe(true)
      const quiet = await signedIn(app)
      await quiet.get("/private")
      expect(setBy(quiet)).toEqual([])
    })

    test("is left alone where no cookie can be set", async () => {
      const ada = await signedIn(app, { UPDATE_AGE: "0" })
      await ada.get("/free/read")
      expect(ada.text).toContain("id-ada")
      expect(setBy(ada)).toEqual([])
    })
  })
}

/**
 * A provider takes each refresh token once; that of `stale` sessions has to be used at the next read. Middleware on the
 * edge runtime has a memory of its own: what a render without middleware did, it cannot know.
 */
export function rotation(app: Application, { middleware }: { readonly middleware: "node" | "edge" }): void {
  describe("a refresh token that can be used once", () => {
    test("is used once by renders that can set no cookie, and what came of it is written by the next that can", async () => {
      const someone = await signedIn(app, {}, "refreshing")
      const before = app.outside.used.length
      await Promise.all([1, 2, 3, 4].map(async () => someone.clone().get("/free/read")))
      await someone.get("/free/read")
      const used = app.outside.used.slice(before)
      expect(used).toHaveLength(1)
      expect(someone.text).toContain(`${used[0]}+`)
      const first = valueOf(someone)
      await someone.get("/free/write")
      expect(JSON.parse(someone.text)).toMatchObject({ refresh: `${used[0]}+` })
      expect(valueOf(someone)).not.toBe(first)
      expect(app.outside.burnt).not.toContain(used[0])
    })

    if (middleware === "node") rotationEverywhere(app)

    test("is used by the middleware before the page, which sees what came of it", async () => {
      const someone = await signedIn(app, {}, "refreshing")
      await someone.get("/private")
      expect(setBy(someone)).toHaveLength(1)
      const used = app.outside.used.at(-1)
      expect(someone.text).toContain(`${used}+`)
      await someone.get("/private")
      expect(setBy(someone)).toEqual([])
      expect(app.outside.burnt).not.toContain(used)
    })
  })
}

function rotationEverywhere(app: Application): void {
  test("is used once although pages, handlers, API routes and the middleware ask at the same time", async () => {
    const someone = await signedIn(app, {}, "refreshing")
    const before = app.outside.used.length
    const paths = ["/", "/free/read", "/free/write", "/plain", "/api/who", "/props", "/handler/7"]
    await Promise.all(paths.map(async (path) => someone.clone().get(path)))
    await someone.get("/free/write")
    const used = app.outside.used.slice(before)
    expect(JSON.parse(someone.text)).toMatchObject({ refresh: `${used[0]}+` })
    expect(used).toHaveLength(1)
    expect(app.outside.burnt).not.toContain(used[0])
  })

  test("is used once although the browser asks the engine for the session after a render that could set no cookie", async () => {
    const someone = await signedIn(app, {}, "refreshing")
    await someone.get("/free/read")
    const used = app.outside.used.at(-1)
    expect(await someone.session()).toMatchObject({ refresh: `${used}+` })
    expect(app.outside.burnt).not.toContain(used)
    await someone.get("/free/read")
    expect(someone.text).toContain(`${used}+`)
  })
}

/** Signed in, and nothing read since: the page after it asks nobody who is there. */
async function signedIn(app: Application, env: Readonly<Record<string, string>> = {}, who = "ada"): Promise<Browser> {
  const { origin } = await app.served(env)
  const browser = browse(origin)
  await browser.signIn("credentials", { name: who, password: "open sesame", callbackUrl: "/free/count" })
  expect(valueOf(browser)).toBeDefined()
  return browser
}

function valueOf({ cookies }: Browser): string | undefined {
  return cookies.find((cookie) => cookie.name === name)?.value
}

function setBy({ response }: Browser): readonly string[] {
  return response.headers.getSetCookie().filter((line) => line.startsWith(`${name}=`))
}
