import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import { behaviors } from "./behaviors/all.js"
import { belowDocs, collect } from "./framework.js"
import { inOrder, matrixOf } from "./matrix.js"
import { functions, names } from "./names.js"
import { sourcesOf, testedWith } from "./tested.js"

const folder = fileURLToPath(new URL(".", import.meta.url))
const files = (await readdir(folder)).filter((name) => name.endsWith(".test.ts") && !name.startsWith("matrix."))
/** The types that most packages extend. */
const sharedFunctions = join(folder, "..", "..", "packages", "core", "src", "framework", "functions.ts")
const frameworks = await collect(async () => {
  for (const file of files.sort()) await import(`./${file}`)
})
const builds = inOrder(frameworks).flatMap((framework) =>
  framework.below === undefined ? [framework] : [framework, belowDocs(framework)],
)

test("docs/evidence/frameworks.md shows what the suites declare", async () => {
  expect(new Set(frameworks.map(({ id }) => id)).size).toBe(files.length)
  const tested = await Promise.all(builds.map(testedWith))
  // `npm test -- tests/frameworks/matrix -u` writes the page.
  await expect(matrixOf(frameworks, behaviors, tested)).toMatchFileSnapshot("../../docs/evidence/frameworks.md")
})

test.each(names.flatMap(({ entries, others = {} }) => entries.map((entry) => ({ entry, others }))))(
  "@latchkey/$entry has the functions of every package",
  async ({ entry, others }) => {
    // Nuxt has those of h3, and the types of Lambda extend those of fetch.
    const [name = ""] = (entry === "nuxt" ? "h3" : entry).split("/")
    const sources = join(folder, "..", "..", "packages", name, "src")
    const paths = (await readdir(sources, { recursive: true })).filter((path) => path.endsWith(".ts"))
    const text = (await Promise.all(paths.map((path) => readFile(join(sources, path), "utf8")))).join("\n")
    const shared = /\b(?:Event|Current)Functions</.test(text) ? await readFile(sharedFunctions, "utf8") : ""
    for (const each of functions) expect(text + shared).toMatch(new RegExp(`\\b${others[each] ?? each}\\b["(:<]`))
  },
)

describe.each(frameworks)("the column of $id", (framework) => {
  test("has the major of the framework", async () => {
    const { versions } = await testedWith(framework)
    expect(versions[0]).toMatch(new RegExp(` ${framework.major}\\.`))
  })

  test("says whether the application starts a server of its own", async () => {
    const { versions, ownServer } = framework
    const sources = [...(await sourcesOf(framework)).values()].join("\n")
    // Without packages, the server is the framework.
    const startsServer = versions !== undefined && /\bcreateServer\(|new Miniflare\(/.test(sources)
    expect(ownServer !== undefined).toBe(startsServer)
  })

  test("has no API route that writes a status of its own", async () => {
    const routes = [...(await sourcesOf(framework))].filter(([path]) => /api[./]account/.test(path))
    for (const [path, text] of routes) expect(text, path).not.toMatch(/status/)
  })
})
