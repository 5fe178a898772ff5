import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { contrast } from "../../packages/core/src/mail/color.js"
import { screenOf } from "./catalogue.js"
import { movements } from "./preferences.js"
import { onStage, setLook } from "./stage.js"

interface Box {
  readonly x: number
  readonly width: number
  readonly height: number
}

async function boxOf(page: Page, selector: string): Promise<Box> {
  const box = await page.locator(selector).boundingBox()
  if (box === null) throw new Error(`${selector} isn't visible`)
  return box
}

/** A color as the screen shows it, such as `#1459c7`. */
function drawn(page: Page, color: string): Promise<string> {
  return page.evaluate(`(() => {
    const context = document.createElement("canvas").getContext("2d")
    context.fillStyle = ${JSON.stringify(color)}
    context.fillRect(0, 0, 1, 1)
    const [red, green, blue] = context.getImageData(0, 0, 1, 1).data
    return "#" + [red, green, blue].map((part) => part.toString(16).padStart(2, "0")).join("")
  })()`)
}

function styleOf(page: Page, selector: string, property: string): Promise<string> {
  return page.evaluate(
    `getComputedStyle(document.querySelector(${JSON.stringify(selector)}))[${JSON.stringify(property)}]`,
  )
}

onStage("the design of the built-in pages", (stage) => {
  test.each(["signin-5-failed", "signin-5-password-wrong"])(
    "%s, with five methods and an error, is at most 700 px high",
    async (name) => {
      const { page, show } = stage()
      for (const width of [360, 1280] as const) {
        await setLook(page, { colorScheme: "light", width })
        await show(await screenOf(name, "en"))
        expect((await boxOf(page, ".card")).height, `${width} px wide`).toBeLessThanOrEqual(700)
      }
    },
  )

  test("the boxes of a code begin and end where the button does", async () => {
    const { page, show } = stage()
    for (const width of [360, 1280] as const) {
      await setLook(page, { colorScheme: "light", width })
      await show(await screenOf("verify-code", "en"))
      const [first, last] = [await boxOf(page, ".code span:first-child"), await boxOf(page, ".code span:last-of-type")]
      const button = await boxOf(page, "#submitButton")
      expect(first.x).toBeCloseTo(button.x, 0)
      expect(last.x + last.width).toBeCloseTo(button.x + button.width, 0)
    }
  })

  describe("a code of six digits", () => {
    const sent = "POST https://app.test/auth/callback/mail"

    test("is sent when the last digit is typed, and the page says so before", async () => {
      const { page, show, asked } = stage()
      await show(await screenOf("verify-code", "en"))
      expect(await page.locator("#code-hint").innerText()).toContain("The code is sent as soon as it's complete.")
      await page.locator("#input-code").pressSequentially("12345")
      expect(asked).not.toContain(sent)
      await page.locator("#input-code").press("6")
      await expect.poll(() => asked).toContain(sent)
    })

    test("is sent when it's filled in with other characters, as from a password manager", async () => {
      const { page, show, asked } = stage()
      await show(await screenOf("verify-code-wrong", "en"))
      await page.locator("#input-code").fill("Your code: 123 456")
      await expect.poll(() => asked).toContain(sent)
    })
  })

  test.each(["light", "dark"] as const)(
    "the focus ring has the hue of the brand, and can be seen (%s)",
    async (scheme) => {
      const { page, show } = stage()
      await setLook(page, { colorScheme: scheme, width: 1280 })
      const rings: string[] = []
      for (const name of ["signin-theme", "signin-5-password-wrong", "signin-4"]) {
        await show(await screenOf(name, "en"))
        const ring = await drawn(page, await styleOf(page, ":focus", "outlineColor"))
        const card = await drawn(page, await styleOf(page, ".card", "backgroundColor"))
        expect(contrast(ring, card), `${name}: ${ring} on ${card}`).toBeGreaterThanOrEqual(3)
        rings.push(ring)
      }
      expect(new Set(rings).size).toBe(3)
    },
  )

  test("a monogram has a color that its letter can be read on", async () => {
    const { page, show } = stage()
    await setLook(page, { colorScheme: "light", width: 1280 })
    await show(await screenOf("signin-monograms", "en"))
    const colors: string[] = await page.evaluate(
      `[...document.querySelectorAll(".initial")].map((element) => getComputedStyle(element).backgroundColor)`,
    )
    expect(new Set(colors).size).toBe(4)
    for (const color of colors) {
      const background = await drawn(page, color)
      expect(contrast(background, "#fff"), background).toBeGreaterThanOrEqual(4.5)
    }
  })

  test("colors move, unless the user prefers less motion", async () => {
    const { page, show } = stage()
    await setLook(page, { colorScheme: "light", width: 1280 })
    await show(await screenOf("signin-4", "en"))
    expect(await movements(page)).not.toEqual([])
    await page.emulateMedia({ reducedMotion: "reduce" })
    expect(await movements(page)).toEqual([])
  })

  test("an error of the account page is beside its field, which has the focus", async () => {
    const { page, show } = stage()
    await show(await screenOf("account-image-refused", "en"))
    const focused = page.locator(":focus")
    expect(await focused.getAttribute("id")).toBe("profile-image")
    expect(await focused.getAttribute("aria-describedby")).toBe("profile-image-error")
    expect(await page.locator("#profile-image-error").isVisible()).toBe(true)
  })
})
