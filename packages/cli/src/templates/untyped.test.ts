import { expect, test } from "vitest"
import { untyped } from "./untyped.js"

test.each([
  ["an annotation", "const a: string = 1", "const a = 1"],
  ["a type argument", "const a = new Map<string, number>()", "const a = new Map()"],
  ["the types of a function", "function f<T>(a: T): Promise<void> {}", "function f(a) {}"],
  ["satisfies", "const a = { b: 1 } satisfies C", "const a = { b: 1 }"],
  ["as", "const a = b as const", "const a = b"],
  ["a type import", 'import type { A } from "a"\nimport b from "b"\n', 'import b from "b"\n'],
  ["the first name of an import", 'import { type A, b } from "a"\n', 'import { b } from "a"\n'],
  ["the last name of an import", 'import { a, type B } from "a"\n', 'import { a } from "a"\n'],
  ["an interface with its comment", "a()\n\n/** B. */\nexport interface B {\n  c: 1\n}\n\nd()\n", "a()\n\nd()\n"],
  ["a declaration of a module", 'declare module "a" {\n  interface B {}\n}\na()\n', "a()\n"],
])("removes %s", (_, typed, expected) => {
  expect(untyped("a.ts", typed)).toBe(expected)
})

test("keeps everything else, with its format and comments", () => {
  const text = '// a\nimport { b } from "b" // b\n\nexport const { c } = b({\n  d: ({ e }) => e ?? "f",\n})\n'
  expect(untyped("a.ts", text)).toBe(text)
})
