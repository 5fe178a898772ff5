import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { type Dependencies, withDependencies } from "./manifest.js"

function edited(text: string, changes: Dependencies): string {
  const root = mkdtempSync(join(tmpdir(), "latchkey-manifest-"))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  writeFileSync(join(root, "package.json"), text)
  return withDependencies(root, changes)
}

test.each([
  ["a final newline", '{\n  "dependencies": {\n    "next": "16.0.0"\n  }\n}\n'],
  ["no final newline", '{\n  "dependencies": {\n    "next": "16.0.0"\n  }\n}'],
  ["tabs", '{\n\t"dependencies": {\n\t\t"next": "16.0.0"\n\t}\n}\n'],
  ["four spaces", '{\n    "dependencies": {\n        "next": "16.0.0"\n    }\n}\n'],
  ["Windows line endings", '{\r\n  "dependencies": {\r\n    "next": "16.0.0"\r\n  }\r\n}\r\n'],
  ["lists on one line", '{\n  "files": ["dist", "src"],\n  "dependencies": {\n    "next": "16.0.0"\n  }\n}\n'],
])("keeps %s", (_, text) => {
  const [before = ""] = /[\r\n]+[ \t]+(?="next")/.exec(text) ?? []
  expect(edited(text, { "@latchkey/next": "^1.0.0" })).toBe(
    text.replace('"next"', `"@latchkey/next": "^1.0.0",${before}"next"`),
  )
})

test.each([
  ["adds a dependency", { zod: "4" }, '{ "a": "1", "zod": "4" }'],
  ["changes a dependency", { a: "2" }, '{ "a": "2" }'],
  ["removes a dependency", { a: undefined }, "{}"],
  ["ignores the removal of a missing dependency", { b: undefined }, '{ "a": "1" }'],
])("%s", (_, changes, dependencies) => {
  const text = edited('{ "dependencies": { "a": "1" } }', changes)
  expect(JSON.parse(text)).toEqual({ dependencies: JSON.parse(dependencies) as object })
})

test("changes a development dependency in its place", () => {
  const text = '{ "devDependencies": { "latchkey": "0.1.0" } }\n'
  expect(edited(text, { latchkey: "0.2.0" })).toBe('{ "devDependencies": { "latchkey": "0.2.0" } }\n')
})

test("adds the list of dependencies", () => {
  expect(edited('{\n  "name": "app"\n}\n', { next: "16" })).toBe(
    '{\n  "name": "app",\n  "dependencies": {\n    "next": "16"\n  }\n}\n',
  )
})
