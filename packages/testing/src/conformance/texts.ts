import type { Texts } from "@latchkey/core/module"
import { fail, type ModuleCase, type ModuleSubject } from "./subject.js"
import { errorsOf, isOfModule, siteOf } from "./site.js"
import { tour } from "./tour.js"

export const texts: ModuleCase = {
  id: "module.texts",
  name: "each language that the module offers has texts for every page",
  async run(subject) {
    const offered: Texts = (await siteOf(subject)).parts.texts ?? { en: {} }
    for (const [tag, given] of Object.entries(offered)) {
      const own = typeof given === "function" ? (await given()).default : given
      for (const [key, text] of Object.entries(own)) expectSound(tag, key, text, offered.en)
      const all = Object.values({ ...offered.en, ...own })
      await expectComplete(subject, tag, new Set(all.flatMap(placeholdersIn)))
    }
  },
}

function expectSound(tag: string, key: string, text: string, english: Readonly<Record<string, string>>): void {
  const original = english[key]
  if (original === undefined) fail(`A text in "${tag}" has a key that English has`, key)
  if (text.trim() === "") fail(`The text ${key} in "${tag}" says something`, "an empty text")
  const [expected, actual] = [original, text].map((each) => placeholdersIn(each).toSorted().join(", ") || "none")
  if (actual !== expected)
    fail(`The text ${key} in "${tag}" has the placeholders of English: ${expected}`, String(actual))
}

function placeholdersIn(text: string): readonly string[] {
  return [...text.matchAll(/\{\w+\}/g)].map(([placeholder]) => placeholder)
}

async function expectComplete(subject: ModuleSubject, tag: string, placeholders: ReadonlySet<string>): Promise<void> {
  const { site } = await tour(subject, { "accept-language": tag })
  const [error] = errorsOf(site)
  if (error !== undefined) fail(`The pages in "${tag}" have all texts`, error)
  for (const { url, type, text } of site.exchanges) {
    const left = [...placeholders].find((placeholder) => text.includes(placeholder))
    if (left !== undefined && isOfModule(site, url) && type.startsWith("text/html"))
      fail(`The page ${url.pathname} in "${tag}" has values for all placeholders`, left)
  }
}
