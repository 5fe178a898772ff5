import { describe, expect, test } from "vitest"
import { catalogue, cases } from "./facts.js"
import { quirks, silent, visible } from "./quirks.js"

const named = new Set(catalogue.flatMap((facts) => facts.quirks))

test("every kind of odd behaviour is either imitated, spelled out by the facts, or a remark", () => {
  const known = [...Object.keys(quirks), ...Object.keys(visible), ...silent]
  expect(known.toSorted()).toEqual([...named].toSorted())
})

describe.each(Object.entries(visible))("%s", (name, isVisible) => {
  test.each(catalogue.filter((facts) => facts.quirks.includes(name)).map((facts) => [facts.module, facts] as const))(
    "shows in the facts of %s",
    (_, facts) => {
      expect(cases(facts).some(([, each]) => isVisible(each))).toBe(true)
    },
  )
})
