import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { DatabaseSync } from "node:sqlite"
import type { SqlAdapter } from "@latchkey/sql"
import { postgres } from "@latchkey/sql/postgres"
import { sqlite } from "@latchkey/sql/sqlite"
import { describe, expect, inject, onTestFinished, test } from "vitest"
import { inDatabase, newDatabase } from "../../sql/test/databases.js"
import { pgTables } from "../../../tests/interop/schemas.js"
import {
  application,
  besideExpress,
  filesOf,
  jsonOf,
  latchkey,
  manifest,
  program,
  root,
  type RunResult,
} from "./latchkey.js"

/** An adapter of another package, which keeps its rows in SQLite. */
const adapterFile = `import { DatabaseSync } from "node:sqlite"
const file = new DatabaseSync("store.db")
const hasTable = () => file.prepare("select 1 from sqlite_master where name = 'rows'").get() !== undefined
const create = "create table rows (id integer primary key)"
export const adapter = {
  async plan() { return hasTable() ? [] : [create] },
  async migrate() { file.exec(create) },
  async check() {
    if (hasTable()) return [{ level: "warning", problem: "No index on rows", fix: "Add one" }]
    return [{ level: "error", problem: "The table rows is missing", fix: "Run \`npx latchkey db apply\`" }]
  },
  async sweep({ before, batchSize, pauseMs, signal, onBatch }) {
    let sessions = 0
    while (!signal.aborted) {
      const { changes } = file.prepare("delete from rows where id in (select id from rows limit ?)").run(batchSize)
      if (changes === 0) break
      sessions += changes
      onBatch({ table: "sessions", rows: changes })
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
    return { sessions, verificationTokens: before === undefined ? 0 : before.getTime(), rateLimits: 1 }
  },
}
`

const configuration = `import { adapter } from "./adapter.js"
/** @type {import("@latchkey/core").AuthConfig} */
export const config = { adapter, providers: [] }
`

const packageJson = manifest({ express: "5.3.0", "@latchkey/express": "0.1.0" })

function project(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const own = { "package.json": packageJson, "auth.js": configuration, "adapter.js": adapterFile }
  return application({ ...own, ...files }, besideExpress)
}

function db(folder: string, args: string, env: Readonly<Record<string, string>> = {}): Promise<RunResult> {
  return latchkey(folder, ["db", ...args.split(" ")], { env })
}

function store(folder: string): DatabaseSync {
  const database = new DatabaseSync(join(folder, "store.db"))
  onTestFinished(() => database.close())
  return database
}

function fill(folder: string, rows: number): DatabaseSync {
  const database = store(folder)
  database.exec("create table rows (id integer primary key)")
  database.exec(
    `with recursive n(id) as (select 1 union all select id + 1 from n where id < ${rows}) insert into rows select id from n`,
  )
  return database
}

const create = "create table rows (id integer primary key);\n"

describe("the adapter of the configuration", () => {
  test("plan prints its SQL and runs nothing", async () => {
    const folder = await project()
    expect(await db(folder, "plan")).toEqual({ code: 0, stdout: create, stderr: "" })
    expect(await db(folder, "plan")).toMatchObject({ stdout: create })
    expect(jsonOf(await db(folder, "plan --json"))).toEqual({ ok: true, statements: [create.slice(0, -2)] })
  })

  test("plan exits with 0 and stays valid SQL if there is nothing to do", async () => {
    const folder = await project()
    fill(folder, 1)
    const { code, stdout } = await db(folder, "plan")
    expect({ code, stdout }).toEqual({ code: 0, stdout: "-- Nothing to do: the tables are up to date.\n" })
    expect(jsonOf(await db(folder, "plan --json"))).toEqual({ ok: true, statements: [] })
  })

  test("apply shows the SQL, and runs it only with --yes if no user is at the terminal", async () => {
    const folder = await project()
    const asked = await db(folder, "apply")
    expect(asked).toMatchObject({ code: 2, stdout: create, stderr: expect.stringContaining("--yes") as string })
    expect(await db(folder, "plan")).toMatchObject({ stdout: create })
    const applied = await db(folder, "apply --yes")
    expect(applied).toEqual({ code: 0, stdout: `${create}\n✔ Applied 1 statement\n`, stderr: "" })
    expect(store(folder).prepare("select count(*) as n from rows").get()).toEqual({ n: 0 })
    expect(await db(folder, "apply")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Nothing to do") as string,
    })
  })

  test("apply exits with 1 if statements are left", async () => {
    const folder = await project({
      "adapter.js": `export const adapter = { plan: async () => ["create index i"], migrate: async () => {} }`,
    })
    const { code, stdout } = await db(folder, "apply --yes")
    expect(code).toBe(1)
    expect(stdout).toContain("still to do")
    expect(jsonOf(await db(folder, "apply --yes --json"))).toEqual({
      ok: false,
      applied: true,
      left: ["create index i"],
    })
  })

  test("check exits with 1 for an error, and with 0 for a warning", async () => {
    const folder = await project()
    const { code, stdout } = await db(folder, "check")
    expect(code).toBe(1)
    expect(stdout).toBe("✘ The table rows is missing\n  → Run `npx latchkey db apply`\n1 error, no warnings\n")
    fill(folder, 1)
    expect(await db(folder, "check")).toMatchObject({
      code: 0,
      stdout: "! No index on rows\n  → Add one\nno errors, 1 warning\n",
    })
  })

  test("sweep deletes in batches, and shows its progress", async () => {
    const folder = await project()
    const database = fill(folder, 250)
    const { code, stdout } = await db(folder, "sweep --batch 2 --pause 0")
    expect(code).toBe(0)
    expect(stdout).toBe("  sessions: 200 deleted so far\nDeleted 250 sessions, no verification tokens, 1 rate limit\n")
    expect(database.prepare("select count(*) as n from rows").get()).toEqual({ n: 0 })
  })

  test("sweep gets the date of --before", async () => {
    const folder = await project()
    fill(folder, 1)
    expect(jsonOf(await db(folder, "sweep --before 2026-01-31 --json"))).toEqual({
      ok: true,
      deleted: { sessions: 1, verificationTokens: Date.UTC(2026, 0, 31), rateLimits: 1 },
    })
  })

  test("Ctrl-C ends a sweep after a batch, and the next one continues", async () => {
    const folder = await project()
    const database = fill(folder, 1_000_000)
    const child = spawn(process.execPath, [program, "db", "sweep", "--batch", "1", "--pause", "0"], { cwd: folder })
    const ended = once(child, "close")
    const lines: string[] = []
    for await (const line of createInterface(child.stdout)) if (lines.push(line) === 1) child.kill("SIGINT")
    expect(await ended).toEqual([1, null])
    const left = Number(database.prepare("select count(*) as n from rows").get()?.["n"])
    expect(left).toBeGreaterThan(0)
    expect(lines.at(-2)).toBe(`Deleted ${1_000_000 - left} sessions, no verification tokens, 1 rate limit`)
    expect(lines.at(-1)).toBe("Stopped before the end. Run the command again to continue.")
  })
})

describe("what can't work is explained", () => {
  const failing = (words: string) =>
    `export const adapter = { plan: async () => { throw new Error(${JSON.stringify(words)}) } }`
  const noAdapter = configuration.replace("adapter, ", "")

  test.each([
    ["an adapter without the method", { "adapter.js": "export const adapter = {}" }, "plan", "has no method `plan()`"],
    ["an adapter that doesn't sweep", { "adapter.js": "export const adapter = {}" }, "sweep", "by itself, as Redis"],
    ["a configuration without an adapter", { "auth.js": noAdapter }, "check", "auth.js has no adapter"],
    ["no configuration", { "auth.js": "" }, "plan", "No configuration was found"],
    ["a file that throws", { "auth.js": `${configuration}throw new Error("no such host")` }, "plan", "no such host"],
    ["a file that starts a server", { "auth.js": `${configuration}app.listen(1)` }, "plan", "would start a server"],
    ["a database that fails", { "adapter.js": failing("connect ECONNREFUSED") }, "plan", "connect ECONNREFUSED"],
    [
      "another result",
      { "adapter.js": "export const adapter = { plan: async () => 5 }" },
      "plan",
      "array of SQL statements",
    ],
    [
      "another result of check",
      { "adapter.js": "export const adapter = { check: async () => [{}] }" },
      "check",
      "array of problems",
    ],
  ])("%s", async (_, files, args, words) => {
    const { code, stdout, stderr } = await db(await project(files), args)
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
    expect(stderr).toContain(words)
    expect(stderr).not.toMatch(/^\s+at /m)
  })

  test.each([
    ["sweep --batch none", "--batch none"],
    ["sweep --batch 0", "--batch 0"],
    ["sweep --pause -1", "--pause -1"],
    ["sweep --before yesterday", "--before yesterday"],
    ["sweep --before 2999-01-01", "in the future"],
    ["plan --url redis://localhost", "no adapter for redis: URLs"],
    ["plan --url app.db", "no scheme"],
    ["plan --url file:a.db --config auth.js", "can't be combined"],
    ["plan --prefix auth_", "need --url"],
    ["apply --layout authjs-pg", "need --url"],
  ])("the arguments %s, with 2", async (args, words) => {
    const folder = await project()
    const { code, stdout, stderr } = await db(folder, args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    expect(stderr).toContain(words)
    expect(existsSync(join(folder, "store.db"))).toBe(false)
  })

  test("a variable without a URL", async () => {
    const { code, stderr } = await db(await project(), "plan --url-env DATABASE_URL")
    expect(code).toBe(1)
    expect(stderr).toContain("DATABASE_URL isn't set")
  })
})

const password = "p@ss-wörd/of?the#database"
const url = `postgres://app:${encodeURIComponent(password)}@127.0.0.1:1/app?sslmode=disable`

describe("no output has a password", () => {
  const throwing = (words: string) => `const words = ${words}
const fail = async () => { throw new Error(words) }
export const adapter = { plan: fail, migrate: fail, sweep: fail, check: async () => [{ level: "error", problem: words, fix: words }] }`

  test.each(["plan", "apply --yes", "check", "sweep", "plan --json", "check --json"])("of %s", async (args) => {
    const words =
      "`Can't reach ${process.env.DATABASE_URL} as ${decodeURIComponent(new URL(process.env.DATABASE_URL).password)}`"
    const folder = await project({ "adapter.js": throwing(words), ".env": `DATABASE_URL="${url}"\n` })
    const { code, stdout, stderr } = await db(folder, args)
    expect(code).toBe(1)
    expect(stdout + stderr).toContain("Can't reach postgres://app:[redacted]@127.0.0.1:1/app")
    expect(stdout + stderr).not.toContain(password)
    expect(stdout + stderr).not.toContain(encodeURIComponent(password))
  })

  test("that is written in the configuration", async () => {
    const folder = await project({
      "adapter.js": throwing(JSON.stringify("at mysql://app:sh@rt@db.internal/app failed")),
    })
    const { stderr } = await db(folder, "plan")
    expect(stderr).toBe("✘ at mysql://app:[redacted]@db.internal/app failed\n")
  })
})

describe("with @latchkey/sql", () => {
  const expired = new Date(Date.now() - 60_000)
  const user = { id: "ada", email: "ada@example.test", emailVerified: null }

  async function withRows(adapter: SqlAdapter): Promise<void> {
    await adapter.createUser(user)
    await adapter.createSession({ sessionToken: "live", userId: "ada", expires: new Date(Date.now() + 60_000) })
    for (const sessionToken of ["one", "two", "three"])
      await adapter.createSession({ sessionToken, userId: "ada", expires: expired })
    await adapter.close()
  }

  test("a SQLite file is created by apply only, and swept", async () => {
    const folder = await application({ "package.json": packageJson }, besideExpress)
    const planned = await db(folder, "plan --url file:app.db")
    expect(planned).toMatchObject({ code: 0, stdout: expect.stringContaining('create table "sessions"') as string })
    expect(planned.stdout).toMatch(/^-- .*app\.db doesn't exist/)
    for (const command of ["check", "sweep"])
      expect(await db(folder, `${command} --url file:app.db`)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("app.db doesn't exist. Create it with `npx latchkey db apply`.") as string,
      })
    expect(Object.keys(await filesOf(folder))).toEqual(["package.json"])
    expect((await db(folder, "apply --url file:app.db --yes")).code).toBe(0)
    expect(await db(folder, "plan --url file:app.db")).toMatchObject({
      stdout: expect.stringMatching(/^-- Nothing/) as string,
    })
    await withRows(sqlite(join(folder, "app.db")))
    expect(await db(folder, "sweep --url file:app.db --batch 2")).toMatchObject({
      code: 0,
      stdout: "Deleted 3 sessions, no verification tokens, no rate limits, no records\n",
    })
    expect(await db(folder, "check --url file:app.db")).toMatchObject({ code: 0 })
    expect(Object.keys(await filesOf(folder))).toEqual(["app.db", "package.json"])
  })

  test("the SQL of plan, run by another program, makes the same tables as apply", async () => {
    const folder = await application({ "package.json": packageJson }, besideExpress)
    const { stdout } = await db(folder, "plan --url file::memory:")
    const file = new DatabaseSync(join(folder, "by-hand.db"))
    file.exec(stdout)
    await db(folder, "apply --url file:applied.db --yes")
    const applied = new DatabaseSync(join(folder, "applied.db"))
    const tables = "select name, sql from sqlite_master order by name"
    expect(file.prepare(tables).all()).toEqual(applied.prepare(tables).all())
    file.close()
    applied.close()
    expect(await db(folder, "plan --url file:by-hand.db")).toMatchObject({
      stdout: expect.stringMatching(/^-- Nothing/) as string,
    })
  })

  test("the adapter of a configuration doesn't migrate by itself", async () => {
    const text = configuration.replace(
      'import { adapter } from "./adapter.js"',
      'import { sqlite } from "@latchkey/sql/sqlite"\nconst adapter = sqlite("app.db")',
    )
    const folder = await project({ "auth.js": text })
    new DatabaseSync(join(folder, "app.db")).close()
    expect(await db(folder, "check")).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("The table sessions is missing") as string,
    })
    expect(await db(folder, "sweep")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("The tables are missing") as string,
    })
    expect((await db(folder, "apply --yes")).code).toBe(0)
    expect((await db(folder, "check")).code).toBe(0)
  })

  test("plan has the table of modules, also if the others are there, and check names it", async () => {
    const text = configuration
      .replace(
        'import { adapter } from "./adapter.js"',
        'import { password } from "@latchkey/password"\nimport { sqlite } from "@latchkey/sql/sqlite"\nconst adapter = sqlite("app.db")',
      )
      .replace("providers: []", "providers: [], modules: [password()]")
    const modules = { ...besideExpress, "@latchkey/password": join(root, "packages/password") }
    const folder = await application({ "package.json": packageJson, "auth.js": text }, modules)
    expect((await db(folder, "plan")).stdout).toMatch(
      /^create table "users"(?:.|\n)*^create table if not exists "latchkey_records"/m,
    )
    await db(folder, "apply --yes")
    const file = new DatabaseSync(join(folder, "app.db"))
    file.exec("drop table latchkey_records; delete from latchkey_migrations where name = '0006_records'")
    file.close()
    expect(await db(folder, "check")).toMatchObject({
      stdout: expect.stringContaining("The table latchkey_records is missing. Modules can't store anything.") as string,
    })
    const { stdout } = await db(folder, "plan")
    expect(stdout).toMatch(/^create table if not exists "latchkey_records"/m)
    expect(stdout).not.toContain('create table "users"')
    await db(folder, "apply --yes")
    expect((await db(folder, "plan")).stdout).toMatch(/^-- Nothing/)
  })

  describe.skipIf(inject("postgres") === undefined)("in PostgreSQL", () => {
    test("the tables of another adapter get optional additions only", async () => {
      const url = await newDatabase("cli_db")
      const folder = await project({ ".env": `DATABASE_URL=${url}\n` })
      await inDatabase(url, pgTables)
      expect(await db(folder, "check --url-env DATABASE_URL")).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/no unique index(?:.|\n)*The table latchkey_rate_limits is missing/) as string,
      })
      const { stdout } = await db(folder, "plan --url-env DATABASE_URL --layout authjs-pg")
      expect(stdout).toMatch(/^create unique index .*sessionToken/m)
      expect(stdout).toMatch(/^create table .*latchkey_records/m)
      expect(stdout).not.toMatch(/not null;$|drop /m)
      expect((await db(folder, "apply --url-env DATABASE_URL --yes")).code).toBe(0)
      expect(await db(folder, "plan --url-env DATABASE_URL")).toMatchObject({
        stdout: expect.stringMatching(/^-- Nothing/) as string,
      })
    })

    test("expired rows are swept", async () => {
      const url = await newDatabase("cli_db_sweep")
      const folder = await project()
      expect((await db(folder, `apply --url ${url} --yes`)).code).toBe(0)
      await withRows(postgres(url))
      expect(jsonOf(await db(folder, `sweep --url ${url} --batch 1 --pause 0 --json`))).toEqual({
        ok: true,
        deleted: { sessions: 3, verificationTokens: 0, rateLimits: 0, records: 0 },
      })
    })
  })

  test.each(["--url", "--url-env"])(
    "a database that can't be reached is explained, without its password (%s)",
    async (option) => {
      const given = option === "--url" ? url : "DATABASE_URL"
      const folder = await project()
      const { code, stderr } = await latchkey(folder, ["db", "plan", option, given], { env: { DATABASE_URL: url } })
      expect(code).toBe(1)
      expect(stderr).toMatch(/^✘ Can't connect to PostgreSQL\. .+: connect ECONNREFUSED 127\.0\.0\.1:1\n$/)
      expect(stderr).not.toContain(password)
      expect(stderr).not.toContain(encodeURIComponent(password))
    },
  )

  test.each(["mysql://app:s3cr3tPassw0rd#x@127.0.0.1/app", "postgres://app:s3cr3tPassw0rd@127.0.0.1:99999/app"])(
    "a connection string that isn't a URL is explained, without its password (%s)",
    async (invalid) => {
      const folder = await project()
      const { code, stdout, stderr } = await db(folder, `plan --url ${invalid}`)
      expect(code).not.toBe(0)
      expect(stderr).toContain("✘")
      expect(stdout + stderr).not.toContain("s3cr3tPassw0rd")
    },
  )
})

test("without a command, it shows the commands and exits with 2", async () => {
  const { code, stdout, stderr } = await latchkey(".", ["db"])
  expect(code).toBe(2)
  for (const name of ["plan", "apply", "check", "sweep"]) expect(stdout + stderr).toContain(`${name} [options]`)
})

test("a package that isn't installed is named", async () => {
  const folder = await application({ "package.json": packageJson })
  const { code, stderr } = await db(folder, "plan --url file:app.db")
  expect(code).toBe(1)
  expect(stderr).toContain("@latchkey/sql/sqlite isn't installed")
  expect(Object.keys(await filesOf(folder))).toEqual(["package.json"])
})
