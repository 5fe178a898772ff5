import { expect, test } from "vitest"
import { ask, ada, codeOf, siteOf } from "./site.js"
import { texts } from "../src/texts.js"

test.each(Object.keys(texts))("every text is there in %s, with its placeholders", async (tag) => {
  const given = texts[tag] ?? {}
  const found = typeof given === "function" ? (await given()).default : given
  expect(Object.keys(found).toSorted()).toEqual(Object.keys(texts.en).toSorted())
  const placeholders = (text = "") => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).toSorted()
  for (const [key, text] of Object.entries(texts.en))
    expect([key, placeholders(found[key])]).toEqual([key, placeholders(text)])
})

test("the message is in the language of the visitor", async () => {
  const site = siteOf()
  await ask(await site.open({ "accept-language": "de" }), ada)
  expect(site.messages[0]?.text).toContain("Code")
  expect(site.messages[0]?.text).toMatch(/\n\n@app\.test #\d{6}$/)
  expect(codeOf(site)).toMatch(/^\d{6}$/)
})
