import { describe, expect, test } from "vitest"
import { allFacts, cases } from "./facts.js"
import { remarks, visible } from "./quirk-names.js"
import { quirks } from "./simulated-service/quirks.js"

test("every quirk that a service has is simulated, visible in the facts, or a remark", () => {
  const known = [...Object.keys(quirks), ...Object.keys(visible), ...remarks]
  const named = new Set(allFacts.flatMap((facts) => facts.quirks))
  expect(known.toSorted()).toEqual([...named].toSorted())
})

describe.each(Object.entries(visible))("%s", (name, isVisible) => {
  test.each(allFacts.filter((facts) => facts.quirks.includes(name)).map((facts) => [facts.module, facts] as const))(
    "shows in the facts of %s",
    (_, facts) => {
      expect(cases(facts).some(([, each]) => isVisible(each))).toBe(true)
    },
  )
})
