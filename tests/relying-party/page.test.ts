import { readFile } from "node:fs/promises"
import { expect, test } from "vitest"
import { situations } from "./situations.js"
import {
  type RunCase,
  runCases,
  type UnsupportedCase,
  unsupportedCases,
  type WaitingCase,
  waitingCases,
} from "./names.js"

const page = await readFile(new URL("../../docs/security/relying-party.md", import.meta.url), "utf8")

const absentCases = [...waitingCases, ...unsupportedCases]

function rowOf({ name, plans, outcome, real }: RunCase): string {
  const by = (provider: RunCase["real"][number]) => (real.includes(provider) ? outcome : "")
  return row([`\`${name}\``, plans.join(", "), outcome, by("oidc-provider"), by("glewlwyd")])
}

function absentRowOf(absent: WaitingCase | UnsupportedCase): string {
  const why = "waitsFor" in absent ? `waits for ${absent.waitsFor}` : `not supported: ${absent.because}`
  return row([`\`${absent.name}\``, absent.plans.join(", "), why, "", ""])
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`
}

test("the page shows each test with its outcome, or why it does not run", () => {
  const shown = page.split("\n").filter((line) => line.startsWith("| `"))
  expect(shown).toEqual([...runCases.map(rowOf), ...absentCases.map(absentRowOf)])
})

test("each test of the list is there once, and each that runs is on the list", () => {
  const names = [...runCases, ...absentCases].map(({ name }) => name)
  expect(names).toHaveLength(new Set(names).size)
  expect(Object.keys(situations).sort()).toEqual(runCases.map(({ name }) => name).sort())
})
