import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import GitHub from "@latchkey/core/providers/github"
import Nodemailer from "@latchkey/core/providers/nodemailer"
import Passkey from "@latchkey/core/providers/passkey"
import type { AuthConfig } from "@latchkey/core/types"
import { mfa } from "@latchkey/mfa"
import { password } from "@latchkey/password"
import type { SqlAdapter } from "@latchkey/sql"
import { postgres } from "@latchkey/sql/postgres"
import { sqlite } from "@latchkey/sql/sqlite"
import { type Browser, oneTimeCode, visit } from "@latchkey/testing"
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from "vitest"
import { newDatabase } from "../../sql/test/databases.js"
import { installFormer } from "./former/install.js"
import { type FormerSite, makeBetterAuth, secret as formerSecret, typed } from "./former/better-auth.js"
import { makeLucia } from "./former/lucia.js"
import { application, besideNext, jsonOf, latchkey, manifest, root, type RunResult, write } from "./latchkey.js"

/** npm installs from the registry. */
const timeout = 600_000

let former: Awaited<ReturnType<typeof installFormer>>

beforeAll(async () => {
  former = await installFormer()
}, timeout)

afterAll(async () => former.remove())

const secret = "the-secret-of-this-site-0123456789abcdef"

const configuration = (
  adapter: string,
  cookie: string,
  modules = "password(), mfa()",
) => `import { mfa } from "@latchkey/mfa"
import { password } from "@latchkey/password"
import GitHub from "@latchkey/core/providers/github"
import Nodemailer from "@latchkey/core/providers/nodemailer"
import Passkey from "@latchkey/core/providers/passkey"
import { postgres } from "@latchkey/sql/postgres"
import { sqlite } from "@latchkey/sql/sqlite"
import NextAuth from "@latchkey/next"
export const { auth } = NextAuth({
  adapter: ${adapter},
  providers: [GitHub, Passkey, Nodemailer({ server: "smtp://localhost:1", from: "app@example.com" })],
  modules: [${modules}],
  experimental: { enableWebAuthn: true },
  cookies: { sessionToken: { name: "${cookie}" } },
  trustHost: true,
})
`

interface Database {
  /** Where the other library has its tables. */
  readonly from: string
  readonly adapter: SqlAdapter
  /** The adapter in the configuration. */
  readonly written: string
  readonly folder: string
}

const packages = {
  ...besideNext,
  "@latchkey/password": join(root, "packages/password"),
  "@latchkey/mfa": join(root, "packages/mfa"),
  pg: join(root, "packages/sql/node_modules/pg"),
}

/** An application without users, whose tables are there. */
async function database(kind: string, name: string): Promise<Database> {
  const folder = await application(
    { "package.json": manifest({ next: "16.0.0", "@latchkey/next": "0.1.0" }) },
    packages,
  )
  const from = kind === "PostgreSQL" ? await newDatabase(name) : `file:${join(folder, "old.db")}`
  const adapter = kind === "PostgreSQL" ? postgres(from) : sqlite(join(folder, "app.db"))
  onTestFinished(() => adapter.close())
  await adapter.migrate()
  return { from, adapter, folder, written: kind === "PostgreSQL" ? "postgres(process.env.OLD)" : 'sqlite("app.db")' }
}

const kinds = ["SQLite", ...(inject("postgres") === undefined ? [] : ["PostgreSQL"])]

function run({ folder, from }: Database, args: string): Promise<RunResult> {
  const env = {
    AUTH_SECRET: secret,
    AUTH_GITHUB_ID: "a",
    AUTH_GITHUB_SECRET: "b",
    OLD: from,
    BETTER_AUTH_SECRET: formerSecret,
  }
  return latchkey(folder, ["migrate", ...args.split(" ")], { env })
}

function configOf(adapter: SqlAdapter, cookie: string): AuthConfig {
  return {
    adapter,
    secret,
    url: "https://app.test/auth",
    providers: [
      GitHub({ clientId: "a", clientSecret: "b" }),
      Passkey,
      Nodemailer({ server: "smtp://localhost:1", from: "app@example.com" }),
    ],
    modules: [password({ breached: false }), mfa()],
    experimental: { enableWebAuthn: true },
    cookies: { sessionToken: { name: cookie } },
  }
}

/** A browser with the cookie that the other library has set. */
async function browserWith(config: AuthConfig, cookie: string, value: string): Promise<Browser> {
  const tab = await visit(config)
  const plain = {
    domain: "app.test",
    hostOnly: true,
    path: "/",
    secure: true,
    httpOnly: true,
    sameSite: "lax",
  } as const
  tab.jar.put({ name: cookie, value, expires: undefined, ...plain })
  return tab
}

async function signsIn(config: AuthConfig, email: string): Promise<boolean> {
  const tab = await visit(config)
  await tab.signIn("password", { email, password: typed })
  return (await tab.session()) !== null
}

const betterAuthCookie = "__Secure-better-auth.session_token"

const all = { users: 2, accounts: 1, passwords: 2, passkeys: 1, apps: 1, sessions: 2, unverified: 1, known: 0 }

describe.each(kinds)("Better Auth in %s", (kind) => {
  let place: Database
  let site: FormerSite

  async function prepare(modules?: string): Promise<AuthConfig> {
    place = await database(kind, "cli_better_auth")
    await write(place.folder, "auth.js", configuration(place.written, betterAuthCookie, modules))
    site = await makeBetterAuth(former.folder, place.from)
    return configOf(place.adapter, betterAuthCookie)
  }

  test("users come with their passwords, passkeys, apps, accounts and sessions", { timeout }, async () => {
    const config = await prepare()
    const dry = jsonOf(await run(place, "better-auth --from-env OLD --sessions --dry-run --json"))
    expect(dry).toMatchObject({ ...all, dryRun: true })
    expect(await place.adapter.getUserByEmail("ada@users.test")).toBeNull()
    expect((await place.adapter.records.list("password.password", { limit: 10 })).records).toEqual([])

    const moved = await run(place, "better-auth --from-env OLD --sessions --json")
    expect(jsonOf(moved)).toMatchObject({ ...all, dryRun: false })
    expect(moved.stdout + moved.stderr).not.toContain(site.key)

    const tab = await visit(config)
    await tab.signIn("password", { email: "ada@users.test", password: typed })
    expect(await tab.session()).toBeNull()
    await tab.submitForm("factor", { code: oneTimeCode(site.key, Date.now() + 30_000) })
    expect(await tab.session()).toMatchObject({ user: { email: "ada@users.test", name: "Ada" } })

    const holder = await visit(config)
    await holder.signInWithPasskey(site.authenticator)
    expect(await holder.session()).toMatchObject({ user: { email: "ada@users.test" } })

    const before = await browserWith(config, betterAuthCookie, site.cookie)
    expect(await before.session()).toMatchObject({ user: { email: "ada@users.test" } })
    const forged = await browserWith(config, betterAuthCookie, site.cookie.replace(/\..*/, ".c2lnbmF0dXJl"))
    expect(await forged.session()).toBeNull()

    const account = { provider: "github", providerAccountId: "4242" }
    expect(await place.adapter.getUserByAccount(account)).toMatchObject({ email: "ada@users.test" })
    // Better Auth lets users in whose email isn't verified.
    expect(await signsIn(config, "grace@users.test")).toBe(false)
  })

  test("a second run changes nothing", { timeout }, async () => {
    await prepare()
    await run(place, "better-auth --from-env OLD --sessions")
    expect(jsonOf(await run(place, "better-auth --from-env OLD --sessions --json"))).toMatchObject({
      users: 0,
      known: 2,
      accounts: 0,
      passwords: 0,
      passkeys: 0,
      apps: 0,
      sessions: 0,
      left: [],
    })
  })

  test("nothing is written if a second factor would be lost", { timeout }, async () => {
    await prepare("password()")
    const { code, stderr } = await run(place, "better-auth --from-env OLD")
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("Add `mfa()`") as string })
    expect(await place.adapter.getUserByEmail("grace@users.test")).toBeNull()
  })
})

test("a user of Better Auth whose email is here stays behind, and so does a banned one", { timeout }, async () => {
  const place = await database("SQLite", "")
  await write(place.folder, "auth.js", configuration(place.written, betterAuthCookie))
  await makeBetterAuth(former.folder, place.from)
  await place.adapter.createUser({ id: "other", email: "ada@users.test", emailVerified: new Date() })
  const old = new DatabaseSync(join(place.folder, "old.db"))
  old.exec(`alter table "user" add column banned integer; update "user" set banned = 1 where name = 'Grace'`)
  old.close()
  const { code, stdout } = await run(place, "better-auth --from-env OLD")
  expect(code).toBe(1)
  expect(stdout).toContain(
    "✔ Moved no users, no accounts, no passwords, no passkeys, no authenticator apps, no sessions\n",
  )
  expect(stdout).toMatch(/✘ 1 user: Another user here has the email/)
  expect(stdout).toMatch(/✘ 1 user: They are banned/)
  expect(stdout).toContain("! Recovery codes aren't moved")
})

describe.each(kinds)("Lucia in %s", (kind) => {
  test("users come with their passwords, accounts and sessions, and nothing twice", { timeout }, async () => {
    const place = await database(kind, "cli_lucia")
    await write(place.folder, "auth.js", configuration(place.written, "auth_session"))
    const cookie = await makeLucia(former.folder, place.from)
    const config = configOf(place.adapter, "auth_session")

    const moved = { users: 1, accounts: 1, passwords: 1, sessions: 1, left: [] }
    expect(jsonOf(await run(place, "lucia --from-env OLD --sessions --dry-run --json"))).toMatchObject(moved)
    expect(await place.adapter.getUserByEmail("ada@users.test")).toBeNull()
    expect(jsonOf(await run(place, "lucia --from-env OLD --sessions --json"))).toMatchObject(moved)
    expect(await signsIn(config, "ada@users.test")).toBe(true)
    const tab = await browserWith(config, "auth_session", cookie)
    expect(await tab.session()).toMatchObject({ user: { email: "ada@users.test" } })
    expect(await place.adapter.getUserByAccount({ provider: "github", providerAccountId: "4242" })).not.toBeNull()
    expect(jsonOf(await run(place, "lucia --from-env OLD --sessions --json"))).toMatchObject({
      users: 0,
      known: 1,
      sessions: 0,
    })
  })
})

describe("what can't work is explained", () => {
  test.each([
    ["no database", "better-auth", 2, "--from or --from-env"],
    ["two databases", "better-auth --from file:old.db --from-env OLD", 2, "--from or --from-env"],
    ["tables of another library", "better-auth --from file:app.db", 1, "no tables"],
    ["tables of no library", "lucia --from file:app.db", 1, "no tables"],
    ["half a name of a provider", "lucia --from file:app.db --provider github", 2, "isn't two ids"],
  ])("%s", async (_, args, code, words) => {
    const place = await database("SQLite", "")
    await write(place.folder, "auth.js", configuration(place.written, "auth_session"))
    expect(await run(place, args)).toMatchObject({ code, stdout: "", stderr: expect.stringContaining(words) as string })
  })

  test("sessions without the cookie that browsers have", async () => {
    const place = await database("SQLite", "")
    await write(place.folder, "auth.js", configuration(place.written, "x").replace(/cookies: .*/, ""))
    expect(await run(place, "lucia --from file:app.db --sessions")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("cookies.sessionToken.name") as string,
    })
  })
})
