import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { frameworks } from "./framework.js"

const packages = fileURLToPath(new URL("../../../", import.meta.url))

const guides: Readonly<Record<string, string>> = { next: "nextjs" }

test.each(frameworks)("$integration has the env file that its guide names", ({ id, envFile, runner }) => {
  const guide = readFileSync(`${packages}../docs/${guides[id] ?? id}.md`, "utf8")
  const [, named] = /^```sh\n# (\.env\S*?),?(?: .*)?$/m.exec(guide) ?? []
  expect(envFile).toBe(named)
  // Node.js reads no file by itself.
  if (runner === "node") expect(guide).toContain("--env-file")
})

test.each(frameworks)(
  "$integration works with the versions in its package.json, and no older ones",
  ({ integration, needs }) => {
    const path = `${packages}${integration.replace("@latchkey/", "")}/package.json`
    const manifest: unknown = JSON.parse(readFileSync(path, "utf8"))
    const { peerDependencies = {} } = manifest as { peerDependencies?: Readonly<Record<string, string>> }
    const oldest = Object.entries(needs).filter(([name]) => name in peerDependencies)
    expect(oldest.length > 0).toBe(integration !== "@latchkey/node")
    for (const [name, major] of oldest) expect(peerDependencies[name]).toMatch(new RegExp(`^\\^${major}\\.`))
  },
)
