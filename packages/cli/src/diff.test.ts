import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import fc from "fast-check"
import { expect, test } from "vitest"
import { unifiedDiff } from "./diff.js"

test("there is no difference between equal texts", () => {
  expect(unifiedDiff("a.ts", "x\n", "x\n")).toBe("")
})

test("a change is shown with three lines around it", () => {
  const lines = ["1", "2", "3", "4", "5", "6", "7", "8", "9"]
  const after = lines.map((line) => (line === "5" ? "five" : line))
  expect(unifiedDiff("a.ts", `${lines.join("\n")}\n`, `${after.join("\n")}\n`)).toBe(
    "--- a/a.ts\n+++ b/a.ts\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8",
  )
})

test("a missing final newline is part of the difference", () => {
  expect(unifiedDiff("a.ts", "x", "x\n")).toBe(
    "--- a/a.ts\n+++ b/a.ts\n@@ -1,1 +1,1 @@\n-x\n\\ No newline at end of file\n+x",
  )
})

test("a created or deleted file has /dev/null on the other side", () => {
  expect(unifiedDiff("a.ts", undefined, "x\n")).toBe("--- /dev/null\n+++ b/a.ts\n@@ -0,0 +1,1 @@\n+x")
  expect(unifiedDiff("a.ts", "x\n", undefined)).toBe("--- a/a.ts\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-x")
})

test("`git apply` turns one text into the other", () => {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-diff-"))
  const texts = fc
    .array(fc.constantFrom("a", "b", "c", "", "  d"), { minLength: 1, maxLength: 25 })
    .chain((lines) => fc.constantFrom(lines.join("\n"), `${lines.join("\n")}\n`))
    .filter((text) => text !== "")
  try {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        fc.pre(before !== after)
        writeFileSync(join(folder, "a.ts"), before)
        execFileSync("git", ["apply", "--whitespace=nowarn", "-"], {
          cwd: folder,
          input: `${unifiedDiff("a.ts", before, after)}\n`,
        })
        expect(readFileSync(join(folder, "a.ts"), "utf8")).toBe(after)
      }),
      { numRuns: 40, seed: 1 },
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
