import { describe, expect, test } from "vitest"

interface Case {
  readonly id: string
  readonly title: string
  readonly area: string
  readonly severity: string
  readonly waitsFor?: string
}

interface Tools {
  outcomesIn(files: readonly unknown[], shown: (path: string) => string): readonly object[]
  problemsIn(matrix: {
    cases: readonly Case[]
    outcomes: readonly object[]
    document: string | undefined
    passed: boolean
  }): string[]
  matrixOf(cases: readonly Case[], outcomes: readonly object[]): string
}

/** A dynamic import, because the JavaScript of the tools isn't part of this program. A wrong name fails every test. */
const { outcomesIn, problemsIn, matrixOf } = (await import(
  new URL("../../tools/matrix.mjs", import.meta.url).href
)) as Tools

const linking: Case = { id: "LINK-01", title: "Another | user's account", area: "account linking", severity: "high" }
const state: Case = { id: "STATE-01", title: "A foreign answer", area: "state/pkce/nonce", severity: "critical" }
const device: Case = { id: "DEV-01", title: "A device", area: "oauth", severity: "low", waitsFor: "device sign-in" }
const cases = [state, linking, device]

/** Test results with these titles. A title such as `failed: …` sets the status. */
function results(...titles: readonly string[]): readonly object[] {
  const assertionResults = titles.map((given) => {
    const [, status = "passed", title] = /^(?:(failed|skipped|todo): )?(.*)$/.exec(given) ?? []
    return { status, title }
  })
  return outcomesIn([{ name: "/repo/packages/core/test/attacks/a.test.ts", assertionResults }], (path) => path.slice(6))
}

const good = [
  "STATE-01 [strict] refuses",
  "STATE-01 [compatible] refuses",
  "LINK-01 [strict; compatible exempt: email link] refuses",
]

function problems(titles: readonly string[], given: readonly Case[] = cases): readonly string[] {
  const outcomes = results(...titles)
  return problemsIn({ cases: given, outcomes, document: matrixOf(given, outcomes), passed: true })
}

function row(id: string, titles: readonly string[]): string | undefined {
  return matrixOf(cases, results(...titles))
    .split("\n")
    .find((line) => line.startsWith(`| ${id} |`))
}

describe("problems of the matrix", () => {
  test("none if every case is tested or waits for a feature", () => {
    expect(problems(good)).toEqual([])
  })

  test("none for tests that belong to no case", () => {
    expect(problems([...good, "signs in [strict] somehow", "failed: does something else", "skipped: later"])).toEqual(
      [],
    )
  })

  test.each([
    ["a case without a test or waitsFor", good.slice(0, 2), /^LINK-01 has no test: /],
    [
      "a case that waits for a feature but has a test",
      [...good, "DEV-01 [strict] refuses"],
      /^DEV-01 waits for "device sign-in" but/,
    ],
    ["an unknown id", [...good, "LINK-1 [strict] refuses"], /^LINK-1 is in the title of a test but not in/],
    [
      "a skipped test",
      [...good, "skipped: STATE-01 [strict] again"],
      /^"STATE-01 \[strict\] again" in packages\/core\/.* was skipped/,
    ],
    ["a todo test", [...good, "todo: STATE-01 [strict] again"], /was skipped/],
    ["a mode without a test or exemption", good.slice(1), /^STATE-01 has no test under "strict"/],
    ["compatible mode without an exemption", good.toSpliced(1, 1), /^STATE-01 has no test under "compatible"/],
  ])("one for %s", (_, titles, problem) => {
    expect(problems(titles)).toEqual([expect.stringMatching(problem)])
  })

  test("one for a case that is listed twice", () => {
    expect(problems(good, [...cases, state])).toEqual([expect.stringMatching(/has STATE-01 twice/)])
  })

  test.each([
    ["an outdated document", "# Attack matrix\n"],
    ["a missing document", undefined],
  ])("one for %s, with what to do", (_, document) => {
    const found = problemsIn({ cases, outcomes: results(...good), document, passed: true })
    expect(found).toEqual([expect.stringContaining("run `node tools/run.mjs matrix` and commit")])
  })

  test("none for the document after a failed run", () => {
    const outcomes = results(...good.slice(1), "failed: STATE-01 [strict] refuses")
    expect(problemsIn({ cases, outcomes, document: matrixOf(cases, results(...good)), passed: false })).toEqual([])
  })
})

describe("the document", () => {
  test("a row shows the result in each mode and links the test", () => {
    const link = "[a.test.ts](../../packages/core/test/attacks/a.test.ts)"
    expect(row("STATE-01", good)).toBe(`| STATE-01 | A foreign answer | critical | pass | pass | ${link} | pass |`)
  })

  test("an exemption links its row, and a title can't break the table", () => {
    const exempt = "exempt: [email link](hardening.md#email-link)"
    expect(row("LINK-01", good)).toContain(`| LINK-01 | Another \\| user's account | high | pass | ${exempt} | [`)
  })

  test("a case that is partly exempt shows both", () => {
    const titles = [...good, "LINK-01 [strict] sends no email", "LINK-01 [compatible] sends no email"]
    expect(row("LINK-01", titles)).toContain("| pass | pass; exempt: [email link](hardening.md#email-link) |")
  })

  test.each([
    ["failed: STATE-01 [compatible] again", "| pass | fail |", "| fail |"],
    ["skipped: STATE-01 [strict] again", "| skipped | pass |", "| skipped |"],
  ])("one of several tests decides: %s", (title, byMode, inAll) => {
    const line = row("STATE-01", [...good, title])
    expect(line).toContain(byMode)
    expect(line?.endsWith(inAll)).toBe(true)
  })

  test("cases that wait have their own table, with the feature", () => {
    const [, waiting] = matrixOf(cases, results(...good)).split("## Cases that wait for a feature")
    expect(waiting).toContain("| DEV-01 | A device | oauth | low | device sign-in |")
    expect(matrixOf([state], results(...good))).not.toContain("wait for a feature\n")
  })

  test("cases are counted by area and in total", () => {
    const text = matrixOf(cases, results(...good))
    expect(text).toContain("3 cases: 2 apply today, of which 2 pass; 1 wait for a feature")
    expect(text).toContain(
      "| account linking | 1 | 1 | 0 | 1 |\n| oauth | 1 | 0 | 1 | 0 |\n| state/pkce/nonce | 1 | 1 | 0 | 2 |\n",
    )
    expect(text).toContain("| in all | 3 | 2 | 1 | 3 |")
  })

  test("doesn't depend on the order of the results", () => {
    expect(matrixOf(cases, results(...good.toReversed()))).toBe(matrixOf(cases, results(...good)))
  })
})
