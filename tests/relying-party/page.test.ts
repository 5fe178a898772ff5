import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { expect, test } from "vitest"
import { situations } from "./situations.js"
import {
  type FeatureCase,
  featureCases,
  type RunCase,
  runCases,
  type UnsupportedCase,
  unsupportedCases,
  type WaitingCase,
  waitingCases,
} from "./names.js"

const page = await readFile(new URL("../../docs/security/relying-party.md", import.meta.url), "utf8")

const otherCases = [...featureCases, ...waitingCases, ...unsupportedCases]

function rowOf({ name, plans, outcome, real }: RunCase): string {
  const by = (provider: RunCase["real"][number]) => (real.includes(provider) ? outcome : "")
  return row([`\`${name}\``, plans.join(", "), outcome, by("oidc-provider"), by("glewlwyd")])
}

function otherRowOf(other: FeatureCase | WaitingCase | UnsupportedCase): string {
  return row([`\`${other.name}\``, other.plans.join(", "), stateOf(other), "", ""])
}

function stateOf(other: FeatureCase | WaitingCase | UnsupportedCase): string {
  if ("file" in other) return `[passes](../../${other.file})`
  return "waitsFor" in other ? `waits for ${other.waitsFor}` : `not supported: ${other.because}`
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`
}

test("the page shows each test with its outcome, or why it does not run", () => {
  const shown = page.split("\n").filter((line) => line.startsWith("| `"))
  expect(shown).toEqual([...runCases.map(rowOf), ...otherCases.map(otherRowOf)])
})

test("each test of a feature has a file that runs", () => {
  const root = new URL("../../", import.meta.url)
  expect(featureCases.filter(({ file }) => !existsSync(new URL(file, root)))).toEqual([])
})

test("each test of the list is there once, and each that runs is on the list", () => {
  const names = [...runCases, ...otherCases].map(({ name }) => name)
  expect(names).toHaveLength(new Set(names).size)
  expect(Object.keys(situations).sort()).toEqual(runCases.map(({ name }) => name).sort())
})
