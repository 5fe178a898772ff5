import { describe, expect, test } from "vitest"
import type { Application } from "../application.js"
import { adapterCalls, signedInWith } from "../visitor.js"

export function sessionReads(app: Application): void {
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

    test("a static file reads no session", async () => {
      const { browser, origin } = await signedInHere()
      expect((await browser.fetch("/static.txt")).status).toBe(200)
      expect(await adapterCalls(origin)).toEqual([])
    })
  })
}
