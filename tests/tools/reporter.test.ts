import type { ProvidedContext } from "vitest"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"

interface Case {
  readonly name: string
  readonly state: "passed" | "failed" | "skipped" | "pending"
}

interface Reporter {
  onInit(vitest: unknown): void
  onTestRunEnd(modules: readonly unknown[], errors: readonly unknown[]): void
}

const { exitCode } = process

beforeEach(() => {
  process.exitCode = undefined
  vi.stubEnv("CI", "")
  vi.resetModules()
})

afterEach(() => {
  process.exitCode = exitCode
})

function moduleOf(path: string, cases: readonly Case[], errors: readonly unknown[] = []) {
  const tests = cases.map(({ name, state }) => ({ name, result: () => ({ state }) }))
  const moduleId = new URL(`../../${path}`, import.meta.url).pathname
  return { moduleId, project: { name: "core" }, errors: () => errors, children: { allTests: () => tests } }
}

interface Run {
  readonly modules?: readonly ReturnType<typeof moduleOf>[]
  readonly errors?: readonly unknown[]
  readonly missing?: ProvidedContext["missing"]
}

/** Reports a run. Returns the lines it prints, and the exit code. */
async function report({ modules = [], errors = [], missing = [] }: Run) {
  const write = vi.spyOn(console, "log").mockImplementation(() => undefined)
  // The tools are JavaScript without declarations.
  const path = new URL("../../tools/reporter.mjs", import.meta.url).href
  const { default: CountReporter } = (await import(path)) as { default: new () => Reporter }
  const reporter = new CountReporter()
  reporter.onInit({ config: {}, getRootProject: () => ({ getProvidedContext: () => ({ missing }) }) })
  reporter.onTestRunEnd(modules, errors)
  return { lines: write.mock.calls.map(String), exitCode: process.exitCode }
}

const passed: Case = { name: "adds", state: "passed" }
const skipped: Case = { name: "subtracts", state: "skipped" }

describe("the summary of a test run", () => {
  test("has the count as its last line", async () => {
    const modules = [
      moduleOf("a.test.ts", [passed, skipped]),
      moduleOf("b.test.ts", [passed, { name: "divides", state: "failed" }]),
    ]
    const { lines, exitCode: code } = await report({ modules })
    expect(lines).toEqual(["skipped: 1 in a.test.ts", "tests: 2 passed, 1 failed, 1 skipped"])
    expect(code).toBeUndefined()
  })

  test("names what this machine lacks", async () => {
    const missing = [{ what: "Redis tests", why: "no Redis found" }]
    const { lines } = await report({ modules: [moduleOf("a.test.ts", [passed])], missing })
    expect(lines).toEqual(["skipped: Redis tests (no Redis found)", "tests: 1 passed, 0 failed, 0 skipped"])
  })

  test.each([
    ["a skipped test", { modules: [moduleOf("a.test.ts", [passed, skipped])] }],
    [
      "a missing server",
      { modules: [moduleOf("a.test.ts", [passed])], missing: [{ what: "Redis tests", why: "none" }] },
    ],
  ])("fails with CI=true because of %s", async (_, run) => {
    vi.stubEnv("CI", "true")
    const { lines, exitCode: code } = await report(run)
    expect(lines).toContainEqual(expect.stringMatching(/^✘ Tests were skipped/))
    expect(code).toBe(1)
  })

  test("fails if no test ran", async () => {
    const { lines, exitCode: code } = await report({})
    expect(lines).toContainEqual(expect.stringMatching(/^✘ No test ran/))
    expect(code).toBe(1)
  })

  test.each([
    ["an unhandled error", { modules: [moduleOf("a.test.ts", [passed])], errors: [new Error("late")] }],
    ["a file that can't be loaded", { modules: [moduleOf("a.test.ts", [passed]), moduleOf("b.test.ts", [], ["no"])] }],
  ])("fails because of %s", async (_, run) => {
    const { lines, exitCode: code } = await report(run)
    expect(lines).toContainEqual(expect.stringMatching(/^✘ Something failed outside of a test/))
    expect(code).toBe(1)
  })
})
