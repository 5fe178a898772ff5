import { expect, test } from "vitest"
import { builtInTags } from "../../core/src/i18n/tags.js"
import { texts } from "../src/texts/texts.js"
import { siteOf } from "./site.js"

test("there are texts in every language that core has", () => {
  expect(Object.keys(texts).toSorted()).toEqual([...builtInTags].toSorted())
})

test.each(builtInTags)("a page in %s has no English, and no placeholder that stays", async (tag) => {
  const browser = await siteOf().open({ "accept-language": tag })
  await browser.get("/auth/password/sign-up")
  expect(browser.text).toContain(`lang="${tag}"`)
  expect(browser.text).not.toMatch(/\{\w+\}<|>[^<]*\{min\}/)
  expect(browser.text.includes("Use at least 15")).toBe(tag === "en")
})
