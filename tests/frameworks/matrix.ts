import type { Behavior } from "./behavior.js"
import { type Framework, reasonFor } from "./framework.js"

const introduction = `# Frameworks

Each row is a behavior, and each column a framework. CI builds an example with every framework for production, and tests every
cell with ✓: over HTTP, and in Chromium where the framework renders pages. A number refers to the reason below the table.
[Add a framework](adding-a-framework.md) says how a new one gets a column.

`

/** The page with the behaviors of all frameworks. */
export function matrixOf(frameworks: readonly Framework[], behaviors: readonly Behavior[]): string {
  const columns = frameworks.toSorted((a, b) => a.name.localeCompare(b.name) || b.major - a.major)
  const reasons = new Array<string>()
  const cell = (behavior: Behavior, framework: Framework) => {
    const reason = reasonOf(behavior, framework)
    if (reason === undefined) return "✓"
    if (!reasons.includes(reason)) reasons.push(reason)
    return String(reasons.indexOf(reason) + 1)
  }
  const rows = behaviors.map((behavior) => [
    `${behavior.title[0]?.toUpperCase()}${behavior.title.slice(1)}`,
    ...columns.map((framework) => cell(behavior, framework)),
  ])
  const head = ["Behavior", ...columns.map(({ name, major }) => `${name} ${major}`)]
  const table = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("")
  return introduction + table + (reasons.length === 0 ? "" : `\n${reasons.map(numbered).join("")}`)
}

function reasonOf({ id, needs }: Behavior, framework: Framework): string | undefined {
  const declared = reasonFor(framework, id)
  if (declared !== undefined) return declared
  if (needs === "pages" && !framework.pages) return "The framework renders no pages of its own; HTTP shows the same"
  if (needs === "below" && framework.below === undefined)
    return "Only the newest major of a framework that has a base path of its own is built below one"
  if (needs === "client" && !framework.client) return "The framework has no client"
  return undefined
}

function numbered(reason: string, index: number): string {
  return `${index + 1}. ${reason}.\n`
}
