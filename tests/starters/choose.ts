import { execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { starters } from "./of/all.js"
import type { Starter } from "./starter.js"
import { packagesBehind } from "./tarballs.js"

/** How the guide of a framework is followed: see README.md. */
export type Way = "guide" | "init"

export interface Application {
  readonly starter: Starter
  readonly way: Way
}

export interface Choice {
  /** Such as `next`, or `next:init`. */
  readonly names: readonly string[]
  readonly changedSince?: string | undefined
  readonly rotate?: number | undefined
  readonly most?: number | undefined
}

const root = fileURLToPath(new URL("../..", import.meta.url))

/** The applications to try. Without any choice, all. */
export async function choose(choice: Choice, repository: string = root): Promise<readonly Application[]> {
  const { names, changedSince, rotate, most = Number.POSITIVE_INFINITY } = choice
  for (const name of names) {
    if (!all.some((each) => isNamed(each, name)))
      throw new Error(`There is no starter of ${name}. See tests/starters/of/all.ts`)
  }
  const isOpen = names.length === 0 && changedSince === undefined && rotate === undefined
  const named = all.filter((each) => isOpen || names.some((name) => isNamed(each, name)))
  const changed = changedSince === undefined ? [] : await changedIn(repository, changedSince)
  const chosen = new Set([...named, ...inTurn(changed, repository)])
  const others = inTurn(all, repository).filter((each) => !chosen.has(each))
  return [...chosen, ...others.slice(0, rotate ?? 0)].slice(0, most)
}

const all: readonly Application[] = starters.flatMap((starter): Application[] => [
  { starter, way: "guide" },
  ...(starter.init === null ? [] : [{ starter, way: "init" } as const]),
])

function isNamed({ starter, way }: Application, name: string): boolean {
  return name === starter.id || name === `${starter.id}:${way}`
}

async function changedIn(repository: string, since: string): Promise<readonly Application[]> {
  const files = git(repository, "diff", "--name-only", "--merge-base", since).split("\n")
  const isChanged = await Promise.all(
    all.map(async ({ starter }) => {
      const paths = await pathsOf(starter)
      return files.some((file) => paths.some((path) => file.startsWith(path)))
    }),
  )
  return all.filter((_, index) => isChanged[index])
}

/** What only some frameworks depend on. A change of core would choose all of them, and they take turns for that. */
async function pathsOf({ id, package: name = id, guide, template }: Starter): Promise<readonly string[]> {
  const packages = await packagesBehind([`@latchkey/${name}`])
  const folders = packages.map((name) => name.replace("@latchkey/", "")).filter((name) => name !== "core")
  return [
    ...folders.map((name) => `packages/${name}/`),
    `docs/${guide.page}.md`,
    `tests/starters/of/${id}.ts`,
    ...(template === undefined ? [] : [`tests/starters/templates/${template}/`]),
  ]
}

/** Beginning with one that depends on the current commit. Neighbors are of different frameworks. */
function inTurn(applications: readonly Application[], repository: string): readonly Application[] {
  const ordered = (["guide", "init"] as const).flatMap((way) => applications.filter((each) => each.way === way))
  const first = Number.parseInt(git(repository, "rev-parse", "HEAD").slice(0, 6), 16) % ordered.length
  return [...ordered.slice(first), ...ordered.slice(0, first)]
}

function git(repository: string, ...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: repository, encoding: "utf8", stdio: "pipe" }).trim()
}
