import { gzipSync } from "node:zlib"
import { describe, expect, test } from "vitest"
import { findings } from "./audit.js"
import { names, screenOf } from "./catalogue.js"
import { walk } from "./keyboard.js"
import { outside, smallTargets } from "./measure.js"
import { onStage, setLook } from "./stage.js"

test.each(names)("%s is smaller than 10 kB when compressed", async (name) => {
  const { html } = await screenOf(name, "en")
  expect(gzipSync(html).length).toBeLessThan(10_000)
})

/** One look of each of the richest pages. The long test has all pages in all looks. */
const samples = [
  ["signin-14", { colorScheme: "light", width: 360 }],
  ["signin-4", { colorScheme: "dark", width: 1280 }],
] as const

onStage("a built-in page", (stage) => {
  describe.each(samples)("%s", (name, look) => {
    test("has no finding of axe, loads nothing, fits a narrow screen, and works with the keyboard", async () => {
      const { page, show, asked } = stage()
      await setLook(page, look)
      await show(await screenOf(name, "en"))
      // A page with passkeys asks for a challenge, so that the browser can offer them while the user types.
      expect(asked.slice(1).filter((line) => !line.includes("/webauthn-options/"))).toEqual([])
      expect(await findings(page)).toEqual([])
      expect(await walk(page)).toEqual([])
      const field = page.locator("form[action$='/signin/mail'] input[name=email]")
      await field.fill("ada@example.test")
      await field.press("Enter")
      await expect.poll(() => asked).toContain("POST https://app.test/auth/signin/mail")
      await page.setViewportSize({ width: 320, height: 640 })
      expect([...(await outside(page)), ...(await smallTargets(page))]).toEqual([])
    })
  })
})
