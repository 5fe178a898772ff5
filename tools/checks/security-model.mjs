// Each invariant in docs/security/model.md names its mechanism and the property test that holds it.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Failure } from "../shell.mjs"
import { root, shown } from "../workspace.mjs"
import { citationProblems } from "./specification.mjs"

const page = join(root, "docs", "security", "model.md")

export async function checkSecurityModel() {
  const text = readFileSync(page, "utf8")
  const problems = [...citationProblems(page), ...invariants(text).flatMap(invariantProblems)]
  if (problems.length > 0) throw new Failure(problems.join("\n"))
}

/** The rows of the tables below "Invariants", as cells. @param {string} text */
function invariants(text) {
  const [, section = ""] = text.split(/^## Invariants$/m)
  return section
    .split("\n")
    .filter((line) => line.startsWith("| ") && !/^\| (?:Invariant|---)/.test(line))
    .map((line) => line.split(/(?<!\\)\|/).slice(1, -1))
}

/** @param {readonly string[]} cells */
function invariantProblems([invariant = "", mechanism = "", property = ""]) {
  const problems = []
  if (!/\]\(\.\.\/\.\.\/packages\/[^)]+\)/.test(mechanism)) problems.push("link the file of its mechanism")
  if (!property.includes('["')) problems.push("cite its property test by title")
  return problems.map((problem) => `${shown(page)}: "${invariant.trim()}": ${problem}`)
}
