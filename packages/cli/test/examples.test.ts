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

test("every example with auth.config.ts has the same one", () => {
  const [first = "", ...more] = filesNamed("auth.config.ts")
  const text = readFileSync(first, "utf8")
  for (const path of more) expect(readFileSync(path, "utf8"), path).toBe(text)
})
