import { readdir } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { behaviors } from "./behaviors/all.js"
import { collect } from "./framework.js"
import { matrixOf } from "./matrix.js"

const folder = fileURLToPath(new URL(".", import.meta.url))

test("docs/frameworks.md shows what the suites declare", async () => {
  const files = (await readdir(folder)).filter((name) => name.endsWith(".test.ts") && !name.startsWith("matrix."))
  const frameworks = await collect(async () => {
    for (const file of files.sort()) await import(`./${file}`)
  })
  expect(new Set(frameworks.map(({ id }) => id)).size).toBe(files.length)
  // `npm test -- tests/frameworks/matrix -u` writes the page.
  await expect(matrixOf(frameworks, behaviors)).toMatchFileSnapshot("../../docs/frameworks.md")
})
