import { expect, test } from "vitest"
import { visit } from "@latchkey/testing"
import { builtInTags } from "../../core/src/i18n/tags.js"
import { texts } from "../src/texts.js"
import { siteOf } from "./site.js"

test("there are texts in every language that core has", () => {
  expect(Object.keys(texts).toSorted()).toEqual([...builtInTags].toSorted())
})

test.each(builtInTags)("the account page in %s has no English, and no placeholder that stays", async (tag) => {
  const site = await siteOf()
  const browser = await visit(site.config, { clock: site.clock, headers: { "accept-language": tag } })
  await browser.signIn("credentials", { name: "ada", callbackUrl: "/auth/account" })
  await browser.submitForm("api-keys/create", { keyName: "Zed", days: "9", "scope:read": "yes" })
  const issued = browser.text
  await browser.get("/auth/account")
  for (const page of [issued, browser.text]) {
    expect(page).toContain("Zed")
    expect(page).not.toMatch(/\{\w+\}</)
    expect(page.includes("API key now") || page.includes("Programs use")).toBe(tag === "en")
  }
})
