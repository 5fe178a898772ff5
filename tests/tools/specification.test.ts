import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"

interface Tools {
  problemsIn(page: string): string[]
  citationProblems(page: string): string[]
  repeatedIds(pages: readonly string[]): string[]
}

/** A dynamic import, because the JavaScript of the tools isn't part of this program. */
const { problemsIn, citationProblems, repeatedIds } = (await import(
  new URL("../../tools/checks/specification.mjs", import.meta.url).href
)) as Tools

const folder = mkdtempSync(join(tmpdir(), "latchkey-specification-"))
afterAll(() => rmSync(folder, { recursive: true }))

const guide = write("guide.md", "# Guide\n\n## Opening a link\n")
const tests = write("link.test.ts", 'test("a link works once", () => {})\n')
const proof = `["a link works once"](link.test.ts)`

function write(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

/** What the check says about a page `flows.md` with this section. */
function problemsOf(section: string): string[] {
  const page = write("flows.md", `# Flows\n\n## Email\n\n${section}\n`)
  return [...problemsIn(page), ...citationProblems(page), ...repeatedIds([page])]
}

test("an entry has an id, a heading of the user docs or a short sentence, and a test", () => {
  expect([guide, tests]).toHaveLength(2)
  const entries = [
    `- \`flows.once\` [guide](guide.md#opening-a-link): ${proof}`,
    `- \`flows.twice\` The second use is refused: ${proof}`,
    `- \`flows.title-2\`: ${proof}`,
  ]
  expect(problemsOf(entries.join("\n"))).toEqual([])
})

test.each([
  [
    "a heading that the page doesn't have",
    `- \`flows.once\` [guide](guide.md#closing-a-link): ${proof}`,
    "has no heading",
  ],
  ["no heading", `- \`flows.once\` [guide](guide.md): ${proof}`, "has no heading"],
  [
    "a page that doesn't exist",
    `- \`flows.once\` [guide](other.md#opening-a-link): ${proof}`,
    "other.md does not exist",
  ],
  [
    "a test with another title",
    `- \`flows.once\`: ["a link works twice"](link.test.ts)`,
    'has no test "a link works twice"',
  ],
  [
    "a test in a file that doesn't exist",
    `- \`flows.once\`: ["a link works once"](x.test.ts)`,
    "x.test.ts does not exist",
  ],
  ["no test", `- \`flows.once\` A link works once.\n- \`flows.other\`: ${proof}`, "flows.once: cite the test"],
  ["the id of another page", `- \`http.once\`: ${proof}`, "name it `flows.…`"],
  ["no id", `A link works once: ${proof}`, "an entry without an id"],
  [
    "the id of another entry",
    `- \`flows.once\`: ${proof}\n- \`flows.once\`: ${proof}`,
    "several entries have the id flows.once",
  ],
  ["a long text", `- \`flows.once\` ${"word ".repeat(31)}: ${proof}`, "shorten it to 30 words"],
])("an entry with %s is a problem", (_, section, problem) => {
  expect(problemsOf(section).join("\n")).toContain(problem)
})
