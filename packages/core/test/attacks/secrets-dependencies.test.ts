import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"

type Version = readonly [major: number, minor: number, patch: number]

/** The first version without a known vulnerability, for each possible dependency. */
const floors: Readonly<Record<string, Version>> = {
  // GHSA-hhhv-q57g-882q
  jose: [4, 15, 5],
  // GHSA-mm7p-fcc7-pg87
  nodemailer: [7, 0, 7],
  // GHSA-36hm-qxxp-pg3m
  preact: [10, 28, 2],
}

/** The lowest version of each alternative in a range. */
function lowest(range: string): readonly Version[] {
  return range.split("||").map((part): Version => {
    const [, major = "0", minor = "0", patch = "0"] =
      /^\s*(?:>=|\^|~|=)?\s*v?(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(part) ?? []
    return [Number(major), Number(minor), Number(patch)]
  })
}

function below(a: Version, b: Version): boolean {
  const at = [0, 1, 2].find((index) => a[index] !== b[index])
  return at !== undefined && (a[at] ?? 0) < (b[at] ?? 0)
}

const packages = fileURLToPath(new URL("../../../", import.meta.url))

interface Manifest {
  readonly name: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

function manifests(): readonly Manifest[] {
  return readdirSync(packages).map((folder): Manifest => {
    const text = readFileSync(`${packages}${folder}/package.json`, "utf8")
    return JSON.parse(text) as Manifest
  })
}

/** The ranges of all dependencies and peer dependencies of the published packages. */
function ranges(): readonly (readonly [owner: string, name: string, range: string])[] {
  return manifests().flatMap(({ name: owner, dependencies = {}, peerDependencies = {} }) =>
    [...Object.entries(dependencies), ...Object.entries(peerDependencies)]
      .filter(([, range]) => !range.startsWith("workspace:"))
      .map(([name, range]) => [owner, name, range] as const),
  )
}

attack("CFG-05", "no version range of a published package includes a version with a known vulnerability", () => {
  for (const [owner, name, range] of ranges()) {
    const floor = floors[name]
    if (floor === undefined) continue
    for (const version of lowest(range)) expect([owner, name, below(version, floor)]).toEqual([owner, name, false])
  }
})

attack("CFG-05", "core has one dependency, with a pinned version", () => {
  const core = manifests().find(({ name }) => name === "@latchkey/core")
  expect(Object.keys(core?.dependencies ?? {})).toEqual(["oauth4webapi"])
  for (const range of Object.values(core?.dependencies ?? {})) expect(range).toMatch(/^\d+\.\d+\.\d+$/)
})

attack("CFG-05", "no version range is a tag, a URL or a star", () => {
  for (const [owner, name, range] of ranges())
    expect([owner, name, range]).toEqual([
      owner,
      name,
      expect.stringMatching(/^(?:[\^~]|>=)?\d+[\d.]*(?:-[a-z]+\.\d+)?(?: <\d+)?(?: \|\| [\^~]?\d+[\d.]*)*$/),
    ])
})
