import { readFile } from "node:fs/promises"
import { expect, test } from "vitest"
import { securityCatalogue, type SecurityEventName } from "../../src/model/security-catalogue.js"
import { cases, optionsFor } from "./cases.js"
import { audited } from "./setup.js"

for (const [name, { outcomes }] of Object.entries(securityCatalogue)) {
  test(`each outcome of ${name} has a case`, () => {
    expect(Object.keys(cases[name as SecurityEventName]).toSorted()).toEqual([...outcomes].toSorted())
  })
  for (const outcome of outcomes) {
    test(`${name}: ${outcome}`, async () => {
      const its = await audited(optionsFor(name))
      const [before, act] = cases[name as SecurityEventName][outcome] ?? []
      await before?.(its)
      its.heard.length = 0
      await act?.(its)
      expect(its.heard.filter((event) => event.name === name).map((event) => event.outcome)).toEqual([outcome])
    })
  }
}

test("the docs have the catalogue", async () => {
  const docs = await readFile(new URL("../../../../docs/callbacks-and-events.md", import.meta.url), "utf8")
  const rows = Object.entries(securityCatalogue).map(
    ([name, { says, outcomes }]) => `| \`${name}\` | ${outcomes.length > 1 ? "both" : outcomes[0]} | ${says} |`,
  )
  const table = ["| Name | Outcome | When |", "| --- | --- | --- |", ...rows].join("\n")
  expect(docs).toContain(`<!-- security events -->\n\n${table}\n\n<!-- /security events -->`)
})
