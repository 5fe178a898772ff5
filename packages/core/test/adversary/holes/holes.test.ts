import { readFile } from "node:fs/promises"
import { expect, test } from "vitest"
import { editsOf, holes, pathOf } from "./all.js"

const root = new URL("../../../../../", import.meta.url)

test("each hole has a name of its own", () => {
  const names = holes.map(({ name }) => name)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

test.each(holes)("the source still has the text of the fix: $name", async (hole) => {
  for (const edit of editsOf(hole)) {
    const source = await readFile(new URL(pathOf(edit), root), "utf8")
    expect(source.split(edit.replace).length - 1, `occurrences in ${edit.file} of:\n${edit.replace}`).toBe(1)
    expect(edit.with).not.toBe(edit.replace)
  }
})

test.each(holes.filter(({ test: named }) => named !== undefined))("the test of a hole exists: $name", async (hole) => {
  const { file, title } = hole.test ?? { file: "", title: "" }
  expect(await readFile(new URL(file, root), "utf8")).toContain(title)
})
