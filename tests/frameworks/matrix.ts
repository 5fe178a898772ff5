import type { Behavior } from "./behavior.js"
import { type Framework, reasonFor, titleOf } from "./framework.js"
import { names } from "./names.js"
import type { Tested } from "./tested.js"

const introduction = `# What works with each framework

Each row is a behavior, and each column a framework. CI builds an example with every framework for production, and tests every
cell with ✓: over HTTP, and in Chromium where the framework renders pages. A number refers to the reason below the table.
[What each column was tested with](#what-each-column-was-tested-with) has its versions, commands and options.
[Add a framework](../contributing/adding-a-framework.md) says how a new one gets a column.
[The functions of every package](#the-functions-of-every-package) have the same names.

`

const functions = `
## The functions of every package

[Frameworks](../frameworks.md#the-functions-of-every-package) says what each function returns.

`

const testedWith = `
## What each column was tested with

Options are the whole configuration files of the application, and what its sources set to another value than the default. An
application that makes up for what a framework lacks, such as by a server of its own, says so here.

All columns have [one configuration](../../tests/frameworks/app/auth.config.ts): users and sessions in SQLite unless the column says
otherwise, passkeys turned on, and rate limits turned off. \`AUTH_TRUST_HOST\` is \`true\`, except in rows that say otherwise.
\`BASE_PATH\` is the \`basePath\` of the configuration.

`

/** The page with the behaviors of all frameworks, and what they were tested with, including the builds below a base path. */
export function matrixOf(
  frameworks: readonly Framework[],
  behaviors: readonly Behavior[],
  tested: readonly Tested[],
): string {
  const results = introduction + tableOfBehaviors(inOrder(frameworks), behaviors)
  return results + functions + tableOfNames() + testedWith + tableOfTested(tested)
}

/** In the order of the columns. */
export function inOrder(frameworks: readonly Framework[]): readonly Framework[] {
  return frameworks.toSorted(
    (a, b) => a.name.localeCompare(b.name) || b.major - a.major || titleOf(a).localeCompare(titleOf(b)),
  )
}

function tableOfBehaviors(columns: readonly Framework[], behaviors: readonly Behavior[]): string {
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
  const table = tableOf(["Behavior", ...columns.map(titleOf)], rows)
  return table + (reasons.length === 0 ? "" : `\n${reasons.map(numbered).join("")}`)
}

/** How the packages offer the functions, by the framework's own terms. */
function tableOfNames(): string {
  const rows = names.map(({ entries, call, refuses, redirect }) => [
    entries.map((entry) => `\`@latchkey/${entry}\``).join(", "),
    call,
    refuses,
    redirect,
  ])
  return tableOf(["Package", "`getSession`", "`requireSession` without a session", "The redirect of `signIn`"], rows)
}

function tableOfTested(tested: readonly Tested[]): string {
  const rows = tested.map(({ framework, versions, commands, options }) => [
    titleOf(framework),
    versions.join(", "),
    commands.map(code).join(", "),
    [
      ...[...options].map(([path, text]) => `${code(path)}: ${code(text)}`),
      ...(framework.ownServer === undefined ? [] : [`a server of its own: ${framework.ownServer}`]),
    ].join("; ") || "none",
  ])
  return tableOf(["Column", "Versions", "Commands", "Options that aren't defaults"], rows)
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("")
}

/** In a table, a vertical line ends a cell even in code. */
function code(text: string): string {
  return `\`${text.replaceAll("|", "\\|")}\``
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
