import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { allFacts } from "./facts.js"

const folder = new URL("../../src/providers/", import.meta.url)

function sourceOf(file: string): string {
  return readFileSync(new URL(file, folder), "utf8").replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, "")
}

/** What a file imports at run time. Type imports are gone by then. */
function loads(source: string): readonly string[] {
  return [
    ...source.matchAll(/^(?:import|export)\s(?!type\b)(?:[^"]*?\bfrom\s+)?"([^"]+)"|\bimport\(\s*"([^"]+)"/gm),
  ].map(([, from, asked]) => from ?? asked ?? "")
}

/** The file and everything it imports, directly or not. */
function loadedWith(file: string, seen: Set<string> = new Set()): ReadonlySet<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  for (const from of loads(sourceOf(file))) {
    if (from.startsWith(".")) loadedWith(new URL(from.replace(/\.js$/, ".ts"), new URL(file, folder)).href, seen)
    else seen.add(from)
  }
  return seen
}

/** Characters, comments not counted. */
const maxLength = 4000

test.each(allFacts.map((facts) => [facts.module, facts] as const))(
  "%s imports only the provider kit, and no icon of another provider",
  (module, facts) => {
    const url = (name: string) => new URL(`${name}.ts`, folder).href
    const loaded = [...loadedWith(url(module))].filter((file) => file !== url(module))
    const kit = ["define", "options", "fetch-json", ...(module === "apple" ? ["apple-client-secret"] : [])]
    const shared = kit.map((name) => url(`../provider-kit/${name}`))
    const modules = [module, ...(facts.aliasOf === undefined ? [] : [facts.aliasOf])]
    const icons = modules.map((name) => url(`../provider-kit/generated/icons/${name}`))
    const allowed = [...shared, url("../errors"), ...modules.map(url), ...icons]
    expect(loaded).toContain(url("../provider-kit/define"))
    expect(loaded.filter((file) => !allowed.includes(file))).toEqual([])
  },
)

test.each(allFacts.map((facts) => [facts.module, facts] as const))(
  "%s is small and its default export has the usual name",
  (module, { exportName }) => {
    const source = sourceOf(`${module}.ts`)
    expect(source.length).toBeLessThan(maxLength)
    expect(/^export default (\w+)$/m.exec(source)?.[1]).toBe(exportName)
  },
)
