import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { breaks, currentSchema, type Schema } from "./schema.js"

// docs/releases.md says how the files of packages/sql/schema come about.

const root = join(import.meta.dirname, "../..")
const folder = "packages/sql/schema"
const unreleased = "next.json"

/** Files of versions that are out, which never change. */
const released = readdirSync(join(root, folder)).filter((name) => name.endsWith(".json") && name !== unreleased)

function parsed(text: string): Schema {
  // The tests wrote it.
  return JSON.parse(text) as Schema
}

function git(...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim()
}

/** The tag of the newest release of `@latchkey/sql`. */
function lastTag(): string | undefined {
  return git("tag", "--list", "@latchkey/sql@*", "--sort=-version:refname").split("\n")[0] || undefined
}

test("the tables and records are the ones in the schema of the next release", async () => {
  const text = `${JSON.stringify(await currentSchema(), null, 2)}\n`
  await expect(text).toMatchFileSnapshot(join(root, folder, unreleased))
})

test("a database of any released version can be migrated, and the version before still works on it", async () => {
  const now = await currentSchema()
  for (const name of released)
    expect([name, breaks(parsed(readFileSync(join(root, folder, name), "utf8")), now)]).toEqual([name, []])
})

test("the schema of a release is as its tag has it", async ({ annotate }) => {
  const tag = lastTag()
  if (tag === undefined) {
    await annotate("no release yet")
    return
  }
  const tagged = git("ls-tree", "--name-only", tag, `${folder}/`).split("\n")
  const files = tagged.filter((path) => !path.endsWith(`/${unreleased}`))
  expect(files).not.toEqual([])
  for (const path of files) expect(readFileSync(join(root, path), "utf8").trim()).toBe(git("show", `${tag}:${path}`))
})

describe("a change of the schema", () => {
  const fields: Readonly<Record<string, string>> = { id: "text", userId: "owner text" }
  const device = { key: ["id"], index: ["userId"], fields }
  const before: Schema = {
    statements: { sqlite: ["create table a", "create index b"] },
    records: { "mfa.device": device },
  }
  const withDevice = (change: Partial<typeof device>): Schema => ({
    ...before,
    records: { "mfa.device": { ...device, ...change } },
  })

  test.each<[string, Schema]>([
    ["a migration", { ...before, statements: { sqlite: ["create table a", "create index b", "create table c"] } }],
    [
      "a column",
      { ...before, statements: { sqlite: ["create table a", "create index b", "alter table a add column c text"] } },
    ],
    ["a kind of record", { ...before, records: { ...before.records, "mfa.code": device } }],
    ["a field that may be missing", withDevice({ fields: { ...fields, name: "text?" } })],
  ])("may add %s", (_, after) => {
    expect(breaks(before, after)).toEqual([])
  })

  test.each<[string, Schema, string]>([
    ["change a migration", { ...before, statements: { sqlite: ["create table x", "create index b"] } }, "sqlite"],
    ["remove a migration", { ...before, statements: { sqlite: ["create table a"] } }, "sqlite"],
    [
      "drop a column",
      { ...before, statements: { sqlite: ["create table a", "create index b", "alter table a drop column c"] } },
      "more than an addition",
    ],
    [
      "require a column",
      {
        ...before,
        statements: { sqlite: ["create table a", "create index b", "alter table a add column c text not null"] },
      },
      "more than an addition",
    ],
    ["remove a kind of record", { ...before, records: {} }, "mfa.device: the kind is gone"],
    ["change a key", withDevice({ key: ["userId"] }), "mfa.device: another key or index"],
    ["require a field", withDevice({ fields: { ...fields, name: "text" } }), "the field name was absent"],
    ["change the type of a field", withDevice({ fields: { ...fields, id: "integer" } }), "the field id was text"],
  ])("can't %s", (_, after, problem) => {
    expect(breaks(before, after).join("\n")).toContain(problem)
  })
})
