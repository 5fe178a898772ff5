// The table of adapters in docs/evidence/adapters.md, made from the results of tests/adapters.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./workspace.mjs"

/**
 * @typedef {{ adapter: string, database: string, isOurs: boolean, cases: number, failed: string[], lost?: string[], records?: "global" | "process", throughLatchkey: string[] }} Row
 *   as `measure.ts` in tests/adapters returns it
 */

export const page = join(root, "docs", "evidence", "adapters.md")
const results = join(root, "tests", "adapters", "results.json")
const [start, end] = ["<!-- conformance: `npm run conformance` writes this -->", "<!-- /conformance -->"]

/** Which cases of the adapter kit a column stands for. @type {Readonly<Record<string, readonly string[]>>} */
const columns = {
  "Token used once": ["tokens.race"],
  "Email unique": ["users.email-unique", "users.email-race"],
  "Account unique": ["accounts.unique", "accounts.race"],
  "Deletes everything": [
    "users.delete",
    "users.delete-reuse",
    "authenticators.delete",
    "authenticators.reuse",
    "listAccounts.deleted",
    "listSessions.deleted",
  ],
  "Keys exact": [
    "users.email-exact",
    "users.email-lookalike-own",
    "users.email-collation",
    "accounts.case",
    "accounts.collation",
    "accounts.numbers",
    "sessions.unknown",
    "sessions.exact",
    "authenticators.case",
    "authenticators.exact",
  ],
}

const twoProcesses = "two processes: "

/** The text of docs/evidence/adapters.md with the table of today. @param {string} text */
export function withTable(text) {
  const [before, rest] = split(text, start)
  const [, after] = split(rest, end)
  return `${before}${start}\n\n${table()}\n\n${end}${after}`
}

/** @param {string} text @param {string} mark @returns {[string, string]} */
function split(text, mark) {
  const at = text.indexOf(mark)
  if (at === -1) throw new Error(`docs/evidence/adapters.md has no ${mark}: restore the line`)
  return [text.slice(0, at), text.slice(at + mark.length)]
}

function table() {
  /** @type {Row[]} */
  const rows = JSON.parse(readFileSync(results, "utf8"))
  const head = [
    "Adapter",
    "Database",
    "Cases",
    ...Object.keys(columns),
    "Connection loss",
    "Records",
    "One process",
    "Two processes",
  ]
  const lines = [head, head.map(() => "---"), ...rows.map(cellsOf)]
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n")
}

/** @param {Row} row */
function cellsOf({ adapter, database, cases, failed, lost, records, throughLatchkey }) {
  const alone = throughLatchkey.filter((title) => !title.startsWith(twoProcesses))
  const together = throughLatchkey.filter((title) => title.startsWith(twoProcesses))
  return [
    // Names of packages and functions, as in "redisCache of @latchkey/redis" and "@latchkey/sql/postgres with postgres.js".
    adapter.replace(/(?:^|(?<= of ))\S+/g, "`$&`"),
    database,
    `${cases - failed.length} of ${cases}`,
    ...Object.values(columns).map((ids) => (ids.some((id) => failed.includes(id)) ? "**no**" : "yes")),
    lossCell(lost),
    recordsCell(records, failed),
    alone.length === 0 ? "yes" : `**no**: ${alone.map(short).join(", ")}`,
    together.length === 0 ? "yes" : `**no**: ${together.map(short).join(", ")}`,
  ]
}

/** @param {string[] | undefined} lost */
function lossCell(lost) {
  if (lost === undefined) return "–"
  return lost.length === 0 ? "yes" : `**no**: ${lost.map((id) => `\`${id.replace("loss.", "")}\``).join(", ")}`
}

/** @param {Row["records"]} atomic @param {string[]} failed */
function recordsCell(atomic, failed) {
  if (atomic === undefined) return "–"
  if (failed.some((id) => id.startsWith("records."))) return "**no**"
  return atomic === "global" ? "yes" : "in one process"
}

/** @param {string} title */
function short(title) {
  if (title.includes("sign-in") || title.includes("sign-up")) return "two users"
  if (title.includes("link make")) return "link used twice"
  return title
}
