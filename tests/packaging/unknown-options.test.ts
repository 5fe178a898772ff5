import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"
import { expect, test } from "vitest"

const root = fileURLToPath(new URL("../..", import.meta.url))
const table = /unknown-options\/find\.js$/

/** The files of a bundle that have the table of option names: those that load at the start, and those that load later. */
async function filesWithTable(entry: string, conditions: readonly string[]): Promise<{ now: number; later: number }> {
  const bundle = await rolldown({
    input: join(root, entry),
    external: (id) => /^(?:node:|next|react|@simplewebauthn|nodemailer|oauth4webapi)/.test(id),
    platform: "neutral",
    resolve: { conditionNames: [...conditions, "import", "default"] },
  })
  const { output } = await bundle.generate({})
  await bundle.close()
  const chunks = output.filter((file) => file.type === "chunk")
  const withTable = chunks.filter(({ moduleIds }) => moduleIds.some((id) => table.test(id)))
  const start = new Set(chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName))
  // A set also visits what is added to it on the way.
  for (const name of start)
    for (const needed of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) start.add(needed)
  const now = withTable.filter(({ fileName }) => start.has(fileName)).length
  return { now, later: withTable.length - now }
}

const none = { now: 0, later: 0 }

test.each([
  ["packages/core/dist/index.js", ["node"], { now: 0, later: 1 }],
  ["packages/core/dist/server.js", ["node"], { now: 0, later: 1 }],
  ["packages/core/dist/session-reader.js", ["node"], none],
  ["packages/core/dist/env.js", ["node"], none],
  ["packages/core/dist/index.js", ["edge-light"], none],
  ["packages/core/dist/server.js", ["workerd"], none],
  ["packages/next/dist/index.js", ["edge-light"], none],
  ["packages/hono/dist/index.js", ["workerd"], none],
] as const)("%s with the conditions %j has the table of option names in %o files", async (entry, conditions, files) => {
  expect(await filesWithTable(entry, conditions)).toEqual(files)
})
