import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { subjects } from "./calls/all.js"
import { elsewhere } from "./elsewhere.js"
import { matchers } from "./matchers.js"
import { idsOnPage } from "./page.js"

test("each entry of docs/differences.md is recognized by the differential test, or shown by another one", () => {
  const called = subjects.flatMap(({ rowIds }) => rowIds)
  const known = new Set([...Object.keys(matchers), ...Object.keys(elsewhere), ...called])
  expect(idsOnPage().toSorted()).toEqual([...known].toSorted())
})

test.each(Object.entries(elsewhere))("%s: its test exists", (_, [file, title]) => {
  const path = fileURLToPath(new URL(`../../../${file}`, import.meta.url))
  expect(readFileSync(path, "utf8")).toContain(title)
})
