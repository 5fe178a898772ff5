import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { choose, type Choice } from "./choose.js"
import { starters } from "./of/all.js"

let repository = ""
let version = 0
beforeEach(() => {
  version = 0
  repository = mkdtempSync(join(tmpdir(), "latchkey-choose-"))
  git("init", "--quiet")
  commit("README.md")
})
afterEach(() => rmSync(repository, { recursive: true }))

/** The same commits get the same ids at each run. */
const always = { GIT_AUTHOR_DATE: "2026-01-01T00:00:00Z", GIT_COMMITTER_DATE: "2026-01-01T00:00:00Z" }

function git(...args: readonly string[]): void {
  const author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.test", "-c", "commit.gpgSign=false"]
  execFileSync("git", [...author, ...args], { cwd: repository, stdio: "ignore", env: { ...process.env, ...always } })
}

/** Changes the files, in a commit of their own. */
function commit(...files: readonly string[]): void {
  for (const file of files) {
    mkdirSync(dirname(join(repository, file)), { recursive: true })
    writeFileSync(join(repository, file), `${version}`)
  }
  version += 1
  git("add", ".")
  git("commit", "--quiet", "--message", files.join())
}

async function chosen(choice: Partial<Choice>): Promise<readonly string[]> {
  const applications = await choose({ names: [], ...choice }, repository)
  return applications.map(({ starter, way }) => `${starter.id}:${way}`)
}

const sorted = async (choice: Partial<Choice>) => (await chosen(choice)).toSorted()

test("without a choice, every framework is tried with its guide, and with `init` if there is one", async () => {
  const expected = starters.flatMap(({ id, init }) => (init === null ? [`${id}:guide`] : [`${id}:guide`, `${id}:init`]))
  expect(await chosen({})).toEqual(expected)
})

test("a name chooses a framework, or one of its applications", async () => {
  expect(await chosen({ names: ["nuxt", "hono:init"] })).toEqual(["hono:init", "nuxt:guide", "nuxt:init"])
})

test.each(["nuxd", "nuxt:giude", "react:init"])("the unknown name %s is an error", async (name) => {
  await expect(choose({ names: [name] }, repository)).rejects.toThrow(`There is no starter of ${name}`)
})

describe("with `changedSince`", () => {
  test.each([
    ["the package", "packages/nuxt/src/index.ts", ["nuxt:guide", "nuxt:init"]],
    ["a package that it needs", "packages/svelte/src/index.ts", ["sveltekit:guide", "sveltekit:init"]],
    ["the guide", "docs/express.md", ["express:guide", "express:init"]],
    ["the starter", "tests/starters/of/qwik.ts", ["qwik:guide", "qwik:init"]],
    ["the template", "tests/starters/templates/elysia/package.json", ["elysia:guide", "elysia:init"]],
    ["core", "packages/core/src/index.ts", []],
    ["a file of no framework", "docs/sessions.md", []],
  ])("a change of %s chooses the frameworks that it concerns", async (_, file, expected) => {
    commit(file)
    expect(await sorted({ changedSince: "HEAD~1" })).toEqual(expected)
  })

  test("an older change doesn't count", async () => {
    commit("docs/express.md")
    commit("docs/hono.md")
    expect(await sorted({ changedSince: "HEAD~1" })).toEqual(["hono-workers:guide", "hono:guide", "hono:init"])
    expect(await sorted({ changedSince: "HEAD~2" })).toHaveLength(5)
  })

  test("an unknown commit is an error", async () => {
    await expect(choose({ names: [], changedSince: "HEAD~9" }, repository)).rejects.toThrow("git diff")
  })
})

describe("with `rotate`", () => {
  test("other applications of different frameworks are added", async () => {
    commit("docs/nuxt.md")
    const [first, second, ...others] = await chosen({ changedSince: "HEAD~1", rotate: 3 })
    expect([first, second].toSorted()).toEqual(["nuxt:guide", "nuxt:init"])
    expect(new Set(others.map((name) => name.split(":")[0])).size).toBe(3)
    expect(others.filter((name) => name.startsWith("nuxt:"))).toEqual([])
  })

  test("the commit decides which, so all are tried in the course of time", async () => {
    const seen = new Set<string>()
    for (let count = 0; count < 12; count += 1) {
      commit("README.md")
      const now = await chosen({ rotate: 2 })
      expect(await chosen({ rotate: 2 })).toEqual(now)
      for (const name of now) seen.add(name)
    }
    expect(seen.size).toBeGreaterThan(12)
  })
})

test("`most` keeps the first ones: those that changed, and a change of many frameworks begins with another at each commit", async () => {
  commit("docs/nuxt.md")
  expect((await chosen({ changedSince: "HEAD~1", rotate: 2, most: 3 })).slice(0, 2).toSorted()).toEqual([
    "nuxt:guide",
    "nuxt:init",
  ])
  const seen = new Set<string>()
  for (let count = 0; count < 6; count += 1) {
    commit("packages/client/src/index.ts")
    const now = await chosen({ changedSince: "HEAD~1", rotate: 2, most: 3 })
    expect(now).toHaveLength(3)
    for (const name of now) seen.add(name)
  }
  expect(seen.size).toBeGreaterThan(5)
})
