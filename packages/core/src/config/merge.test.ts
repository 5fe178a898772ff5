import { expect, test } from "vitest"
import { isPlainObject, merge } from "./merge.js"

class Thing {
  readonly a = 1
}
const thing = new Thing()

const rows: readonly (readonly [string, object, unknown, object])[] = [
  ["objects merge", { a: { b: 1, c: 2 } }, { a: { c: 3 } }, { a: { b: 1, c: 3 } }],
  ["arrays replace", { a: [1, 2, 3] }, { a: [4] }, { a: [4] }],
  ["undefined is ignored", { a: 1 }, { a: undefined }, { a: 1 }],
  ["null replaces", { a: { b: 1 } }, { a: null }, { a: null }],
  ["a class instance replaces", { a: { b: 1 } }, { a: thing }, { a: thing }],
  ["an object replaces a string", { a: "b" }, { a: { c: 1 } }, { a: { c: 1 } }],
  ["merging undefined changes nothing", { a: 1 }, undefined, { a: 1 }],
]
test.each(rows)("%s", (_, base, over, expected) => {
  const before = structuredClone(base)
  expect(merge(base, over)).toEqual(expected)
  expect(base).toEqual(before)
})

test("values are passed through by reference", () => {
  expect(merge<{ a?: unknown }>({}, { a: thing }).a).toBe(thing)
})

test("__proto__ can't change the prototype", () => {
  const merged = merge({}, JSON.parse('{ "__proto__": { "polluted": true } }'))
  expect(Reflect.get(merged, "polluted")).toBeUndefined()
  expect(Object.getPrototypeOf(merged)).toBe(Object.prototype)
})

test.each([
  [{}, true],
  [Object.create(null), true],
  [thing, false],
  [[], false],
  [new Date(0), false],
  [null, false],
  ["text", false],
])("whether %j is an object literal: %j", (value, expected) => {
  expect(isPlainObject(value)).toBe(expected)
})
