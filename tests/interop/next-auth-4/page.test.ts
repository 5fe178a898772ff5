import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { matchers } from "./matchers.js"

test("each entry of docs/differences-4.md is recognized by the differential test, and nothing else", () => {
  const page = readFileSync(fileURLToPath(new URL("../../../docs/differences-4.md", import.meta.url)), "utf8")
  const ids = [...page.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, id]) => id)
  expect(new Set(ids)).toEqual(new Set(Object.keys(matchers)))
  expect(ids).toHaveLength(new Set(ids).size)
})
