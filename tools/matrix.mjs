// The attack matrix: the cases of docs/security/cases.json with the results of their tests, as a page and as a list of problems.

/**
 * @typedef {{ id: string, title: string, area: string, severity: string, waitsFor?: string }} Case
 * @typedef {{ title: string, status: string }} Assertion
 * @typedef {{ name: string, assertionResults: Assertion[] }} TestFile `name` is its path
 * @typedef {"passed" | "failed" | "skipped"} Verdict
 * @typedef {{ id: string, modes: string[], exemption: string | undefined, title: string, file: string, verdict: Verdict }} Outcome
 */

const modes = ["strict", "compatible"]
const severities = ["critical", "high", "medium", "low"]
const again = "run `node tools/run.mjs matrix` and commit docs/security/matrix.md"

/** The titles that tests/attack.ts writes: `ID [strict] …`, `ID [compatible] …`, `ID [strict; compatible exempt: row] …`. */
const title = /^(?<id>\S+) \[(?<mode>strict|compatible)(?:; compatible exempt: (?<exemption>[^\]]+))?\] /

/**
 * Finds the tests of the matrix.
 * @param {readonly TestFile[]} files
 * @param {(path: string) => string} shown makes a path relative to the root, with slashes
 * @returns {Outcome[]}
 */
export function outcomesIn(files, shown) {
  return files.flatMap(({ name, assertionResults }) =>
    assertionResults.flatMap((test) => {
      const { id, mode, exemption } = title.exec(test.title)?.groups ?? {}
      if (id === undefined || mode === undefined) return []
      return [{ id, modes: [mode], exemption, title: test.title, file: shown(name), verdict: verdictOf(test.status) }]
    }),
  )
}

/** vitest has several states for a test that did not run. @param {string} status @returns {Verdict} */
function verdictOf(status) {
  return status === "passed" || status === "failed" ? status : "skipped"
}

/**
 * Lists what is wrong with the matrix. Failed tests are left out, because vitest names them.
 * @param {{ cases: readonly Case[], outcomes: readonly Outcome[], document: string | undefined, passed: boolean }} matrix
 *   `document` is the page as committed; it is compared only if the whole run `passed`
 * @returns {string[]}
 */
export function problemsIn({ cases, outcomes, document, passed }) {
  const known = new Set(cases.map(({ id }) => id))
  const unknown = [...new Set(outcomes.map(({ id }) => id))].filter((id) => !known.has(id))
  const problems = [
    ...repeated(cases).map((id) => `docs/security/cases.json has ${id} twice: give each case its own id`),
    ...unknown.map((id) => `${id} is in the title of a test but not in docs/security/cases.json: add the case`),
    ...outcomes.filter(({ verdict }) => verdict === "skipped").map(skipProblem),
    ...cases.flatMap((each) => caseProblems(each, testsOf(each, outcomes))),
  ]
  if (problems.length > 0 || !passed) return problems
  return document === matrixOf(cases, outcomes)
    ? []
    : [`docs/security/matrix.md differs from the test results: ${again}`]
}

/** @param {Outcome} outcome */
function skipProblem({ title: name, file }) {
  return `"${name}" in ${file} was skipped, but tests of the attack matrix must run: enable it`
}

/** @param {Case} each @param {readonly Outcome[]} tests @returns {string[]} */
function caseProblems({ id, waitsFor }, tests) {
  if (waitsFor !== undefined) {
    if (tests.length === 0) return []
    return [`${id} waits for "${waitsFor}" but has tests: remove waitsFor from docs/security/cases.json`]
  }
  if (tests.length === 0)
    return [`${id} has no test: write one with tests/attack.ts, or set waitsFor in docs/security/cases.json`]
  const missing = modes.filter((mode) => !tests.some((test) => covers(test, mode)))
  return missing.map((mode) => `${id} has no test under "${mode}" and is not exempt: register one with tests/attack.ts`)
}

/** @param {Outcome} test @param {string} mode */
function covers({ modes: run, exemption }, mode) {
  return run.includes(mode) || (mode === "compatible" && exemption !== undefined)
}

/** @param {readonly Case[]} cases */
function repeated(cases) {
  const ids = cases.map(({ id }) => id)
  return [...new Set(ids.filter((id, at) => ids.indexOf(id) !== at))]
}

/** @param {Case} each @param {readonly Outcome[]} outcomes */
function testsOf({ id }, outcomes) {
  return outcomes.filter((outcome) => outcome.id === id)
}

/**
 * Renders docs/security/matrix.md. The text does not depend on the order in which the tests ended.
 * @param {readonly Case[]} cases
 * @param {readonly Outcome[]} outcomes
 * @returns {string}
 */
export function matrixOf(cases, outcomes) {
  const tested = cases.filter(({ waitsFor }) => waitsFor === undefined)
  const waiting = cases.filter(({ waitsFor }) => waitsFor !== undefined)
  const areas = [...new Set(cases.map(({ area }) => area))].toSorted((a, b) => a.localeCompare(b, "en"))
  const blocks = [
    ...introduction(tested, waiting, outcomes),
    ...counts(areas, tested, waiting, outcomes),
    "## Cases and their tests",
    ...areas.flatMap((area) =>
      areaTable(
        area,
        tested.filter((each) => each.area === area),
        outcomes,
      ),
    ),
    ...waitingTable(waiting),
  ]
  return `${blocks.join("\n\n")}\n`
}

/** @param {readonly Case[]} tested @param {readonly Case[]} waiting @param {readonly Outcome[]} outcomes */
function introduction(tested, waiting, outcomes) {
  const passed = tested.filter((each) => resultOf(testsOf(each, outcomes)) === "pass").length
  return [
    "# Attack matrix",
    `Attacks on sign-in that are known from advisories, specifications and reports, each as a case with an executable
test. \`node tools/run.mjs matrix\` runs the tests and writes this page from [cases.json](cases.json) and the results;
\`npm test\` fails when the page and the results differ, so do not edit it.`,
    `A case passes when all of its tests do. They run under both settings of \`security\`; where \`"compatible"\` does not
promise what \`"strict"\` does, the row of [hardening.md](hardening.md) that closes the case is named.`,
    `${tested.length + waiting.length} cases: ${tested.length} apply today, of which ${passed} pass; ${waiting.length} wait for a feature to come.`,
  ]
}

/** @param {string[]} areas @param {Case[]} tested @param {Case[]} waiting @param {readonly Outcome[]} outcomes */
function counts(areas, tested, waiting, outcomes) {
  /** @param {string} name @param {(each: Case) => boolean} belongs */
  const row = (name, belongs) => {
    const own = tested.filter(belongs)
    const passed = own.filter((each) => resultOf(testsOf(each, outcomes)) === "pass")
    const tests = own.flatMap((each) => testsOf(each, outcomes))
    const later = waiting.filter(belongs)
    return [name, own.length + later.length, passed.length, later.length, tests.length].map(String)
  }
  const rows = areas.map((area) => row(escape(area), (each) => each.area === area))
  return [table(["area", "cases", "pass", "wait", "tests"], [...rows, row("in all", () => true)])]
}

/** @param {string} area @param {Case[]} cases @param {readonly Outcome[]} outcomes */
function areaTable(area, cases, outcomes) {
  if (cases.length === 0) return []
  const rows = sorted(cases).map((each) => caseRow(each, testsOf(each, outcomes)))
  return [`### ${escape(area)}`, table(["id", "title", "severity", "strict", "compatible", "test", "result"], rows)]
}

/** @param {Case} each @param {readonly Outcome[]} tests */
function caseRow({ id, title: name, severity }, tests) {
  const files = [...new Set(tests.map(({ file }) => file))].toSorted()
  const links = files.map((file) => `[${escape(file.split("/").at(-1) ?? file)}](../../${file})`)
  return [
    id,
    escape(name),
    severity,
    resultOf(tests.filter(({ modes: run }) => run.includes("strict"))),
    compatibleCell(tests),
    links.join(", "),
    resultOf(tests),
  ]
}

/** @param {readonly Outcome[]} tests */
function compatibleCell(tests) {
  const rows = [...new Set(tests.flatMap(({ exemption }) => exemption ?? []))].toSorted()
  const exempt = rows.map((row) => `exempt: [${escape(row)}](hardening.md#${slug(row)})`)
  const own = tests.filter(({ modes: run }) => run.includes("compatible"))
  return [...(own.length > 0 || exempt.length === 0 ? [resultOf(own)] : []), ...exempt].join("; ")
}

/** @param {readonly Outcome[]} tests @returns {"no test" | "fail" | "skipped" | "pass"} */
function resultOf(tests) {
  if (tests.length === 0) return "no test"
  if (tests.some(({ verdict }) => verdict === "failed")) return "fail"
  return tests.some(({ verdict }) => verdict === "skipped") ? "skipped" : "pass"
}

/** @param {Case[]} waiting */
function waitingTable(waiting) {
  if (waiting.length === 0) return []
  const rows = sorted(waiting).map(({ id, title: name, area, severity, waitsFor = "" }) => [
    id,
    escape(name),
    escape(area),
    severity,
    escape(waitsFor),
  ])
  return ["## Cases that wait for a feature", table(["id", "title", "area", "severity", "waits for"], rows)]
}

/** The worst first, then by name with numbers as numbers. @param {Case[]} cases */
function sorted(cases) {
  const rank = (/** @type {Case} */ { severity }) => severities.indexOf(severity)
  return cases.toSorted((a, b) => rank(a) - rank(b) || a.id.localeCompare(b.id, "en", { numeric: true }))
}

/** @param {string[]} head @param {string[][]} rows */
function table(head, rows) {
  const lines = [head, head.map(() => "---"), ...rows]
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n")
}

/** Titles are plain text; in a cell of Markdown some characters would be more. @param {string} text */
function escape(text) {
  return text.replace(/\s+/g, " ").replace(/[\\|<>`*_[\]]/g, "\\$&")
}

/** The anchor of a heading, as GitHub makes it. @param {string} heading */
function slug(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, "")
    .replaceAll(" ", "-")
}
