import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { Page } from "playwright-core"

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** WCAG 2.0, 2.1 and 2.2, levels A and AA, and what axe recommends beyond them. */
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

const options = { runOnly: { type: "tag", values: tags }, rules: { "target-size": { enabled: true } } }

/** What axe finds on the page, as `rule: element: what's wrong`. */
export async function findings(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe)
  return page.evaluate(`axe.run(document, ${JSON.stringify({ ...options, resultTypes: ["violations"] })}).then(
    ({ violations }) => violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => [id, target.join(" "), failureSummary].join(": "))))`)
}
