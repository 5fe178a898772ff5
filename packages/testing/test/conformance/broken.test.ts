import { moduleConformance, type ModuleSubject } from "@latchkey/testing"
import { describe, expect, test, vi } from "vitest"
import { defects } from "./defects.js"

async function brokenBy(subject: ModuleSubject): Promise<string[]> {
  const broken: string[] = []
  for (const { id, run } of moduleConformance) await run(subject).catch(() => broken.push(id))
  return broken
}

// One of the modules prints what it should keep to itself.
vi.spyOn(console, "debug").mockImplementation(() => undefined)

describe("a module with one defect fails exactly the related case", () => {
  test.each(defects)("$what", async ({ subject, breaks }) => {
    expect(await brokenBy(subject)).toEqual(breaks)
  })
})

test("at least one of these modules fails each case", () => {
  const broken = new Set(defects.flatMap(({ breaks }) => breaks))
  expect(moduleConformance.map(({ id }) => id).filter((id) => !broken.has(id))).toEqual([])
})
