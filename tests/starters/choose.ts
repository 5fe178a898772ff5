import { execFileSync } from "node:child_process"
import { starters } from "./of/all.js"
import type { Starter } from "./starter.js"
import { packagesBehind } from "./tarballs.js"

export interface Choice {
  readonly names: readonly string[]
  readonly changedSince?: string | undefined
  readonly rotate?: string | undefined
}

/** The frameworks to try. Without any choice, all. */
export async function choose({ names, changedSince, rotate }: Choice): Promise<readonly Starter[]> {
  const unknown = names.find((name) => !starters.some(({ id }) => id === name))
  if (unknown !== undefined) throw new Error(`There is no starter of ${unknown}. See tests/starters/of/all.ts`)
  if (names.length === 0 && changedSince === undefined && rotate === undefined) return starters
  const chosen = new Set(starters.filter(({ id }) => names.includes(id)))
  if (changedSince !== undefined) for (const starter of await changed(changedSince)) chosen.add(starter)
  const wanted = chosen.size + Number(rotate ?? 0)
  for (const starter of inTurn()) if (chosen.size < wanted) chosen.add(starter)
  return [...chosen]
}

async function changed(since: string): Promise<readonly Starter[]> {
  const files = git("diff", "--name-only", "--merge-base", since).split("\n")
  const found = await Promise.all(
    starters.map(async (starter) => {
      const paths = await pathsOf(starter)
      return files.some((file) => paths.some((path) => file.startsWith(path))) ? [starter] : []
    }),
  )
  return found.flat()
}

/** What only some frameworks depend on. A change of core would choose all of them, and they take turns for that. */
async function pathsOf({ id, guide, template }: Starter): Promise<readonly string[]> {
  const packages = await packagesBehind([`@latchkey/${id}`])
  const folders = packages.map((name) => name.replace("@latchkey/", "")).filter((name) => name !== "core")
  return [
    ...folders.map((name) => `packages/${name}/`),
    `docs/${guide.page}.md`,
    `tests/starters/of/${id}.ts`,
    ...(template === undefined ? [] : [`tests/starters/templates/${template}/`]),
  ]
}

/** All frameworks, beginning with one that depends on the current commit. */
function inTurn(): readonly Starter[] {
  const first = Number.parseInt(git("rev-parse", "HEAD").slice(0, 6), 16) % starters.length
  return [...starters.slice(first), ...starters.slice(0, first)]
}

function git(...args: readonly string[]): string {
  return execFileSync("git", args, { encoding: "utf8" }).trim()
}
