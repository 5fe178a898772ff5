import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { root } from "./latchkey.js"

const examples = join(root, "examples")

const others = new Set(["node_modules", "dist", "build"])

/** The files of the examples with this name, without links and build output. */
function filesNamed(name: string, folder = examples): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((item) => {
    const path = join(folder, item.name)
    if (item.isDirectory()) return others.has(item.name) || item.name.startsWith(".") ? [] : filesNamed(name, path)
    return item.isFile() && item.name === name ? [path] : []
  })
}

// An example has to work when it's copied out of this repository, so it can't share files with another one.
test.each([
  { what: "configuration", name: "auth.config.ts", of: /./ },
  { what: "style sheet of servers", name: "style.css", of: /\/public\// },
  { what: "style sheet of frameworks with components", name: "style.css", of: /^(?!.*(?:\/public\/|\/next-pages\/))/ },
])("the examples have the same $what", ({ name, of }) => {
  const [first = "", ...more] = filesNamed(name).filter((path) => of.test(path))
  const text = readFileSync(first, "utf8")
  for (const path of more) expect(readFileSync(path, "utf8"), path).toBe(text)
  expect(more.length).toBeGreaterThan(0)
})
