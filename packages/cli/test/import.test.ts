import { readFileSync } from "node:fs"
import { join } from "node:path"
import Nodemailer from "@latchkey/core/providers/nodemailer"
import type { AuthConfig } from "@latchkey/core/types"
import { password } from "@latchkey/password"
import type { SqlAdapter } from "@latchkey/sql"
import { sqlite } from "@latchkey/sql/sqlite"
import { visit } from "@latchkey/testing"
import { describe, expect, onTestFinished, test } from "vitest"
import { application, besideNext, jsonOf, latchkey, manifest, root, type RunResult } from "./latchkey.js"

const secret = "the-secret-of-this-site-0123456789abcdef"

const file = `import { password } from "@latchkey/password"
import Nodemailer from "@latchkey/core/providers/nodemailer"
import { sqlite } from "@latchkey/sql/sqlite"
import NextAuth from "@latchkey/next"
export const { auth } = NextAuth({
  adapter: sqlite("app.db"),
  providers: [Nodemailer({ server: "smtp://localhost:1025", from: "app@example.com" })],
  modules: [password({ bcrypt: () => import("bcryptjs") })],
  trustHost: true,
})
`

const modules = {
  ...besideNext,
  "@latchkey/password": join(root, "packages/password"),
  bcryptjs: join(root, "packages/password/node_modules/bcryptjs"),
}

interface Site {
  readonly folder: string
  readonly adapter: SqlAdapter
  run(args: string): Promise<RunResult>
  signsIn(email: string, typed: string): Promise<boolean>
}

/** An application with a database, in which Ada is a user. */
async function siteWith(files: Readonly<Record<string, string>>, configuration = file): Promise<Site> {
  const own = {
    "package.json": manifest({ next: "16.0.0", "@latchkey/next": "0.1.0", "@latchkey/password": "0.1.0" }),
    "auth.js": configuration,
  }
  const folder = await application({ ...own, ...files }, modules)
  const adapter = sqlite(join(folder, "app.db"))
  onTestFinished(() => adapter.close())
  await adapter.createUser({ id: "ada", email: "ada@users.test", emailVerified: new Date(), name: "Ada" })
  const config: AuthConfig = {
    adapter,
    secret,
    url: "https://app.test/auth",
    providers: [Nodemailer({ server: "smtp://localhost:1", from: "app@example.com" })],
    modules: [password({ breached: false, bcrypt: async () => import("bcryptjs") })],
  }
  return {
    folder,
    adapter,
    run: (args) => latchkey(folder, ["import", "passwords", ...args.split(" ")], { env: { AUTH_SECRET: secret } }),
    async signsIn(email, typed) {
      const tab = await visit(config)
      await tab.signIn("password", { email, password: typed })
      return (await tab.session()) !== null
    },
  }
}

/** Of "former pass phrase", with a cost of 4. */
const bcrypt = "$2b$04$ZBui1CHEE1oSSYmvLLxHxegRhqBaYbDRTuPEaoUZSLSTMhdI/wh7C"
const typed = "former pass phrase"

const csv = `email,hash
ada@users.test,${bcrypt}
grace@users.test,${bcrypt}
`

describe("a CSV file", () => {
  test("gives users the passwords that they had, and doesn't create any", async () => {
    const site = await siteWith({ "users.csv": csv })
    expect(await site.run("users.csv")).toEqual({
      code: 0,
      stdout: "✔ Imported 1 password (1 bcrypt)\n  1 user not here. To create them, pass --create-users\n",
      stderr: "",
    })
    expect(await site.signsIn("ada@users.test", typed)).toBe(true)
    expect(await site.signsIn("ada@users.test", "another pass phrase")).toBe(false)
    expect(await site.adapter.getUserByEmail("grace@users.test")).toBeNull()
  })

  test("creates users with --create-users, whose email is verified if the other system verified it", async () => {
    const lines = `email,hash,email_verified,name\ngrace@users.test,${bcrypt},true,Grace\nalan@users.test,${bcrypt},,\n`
    const site = await siteWith({ "users.csv": lines })
    expect(await site.run("users.csv --create-users")).toMatchObject({
      code: 0,
      stdout: "✔ Imported 2 passwords (2 bcrypt)\n  Created 2 users\n",
    })
    expect(await site.adapter.getUserByEmail("grace@users.test")).toMatchObject({ name: "Grace" })
    expect(await site.signsIn("grace@users.test", typed)).toBe(true)
    expect(await site.signsIn("alan@users.test", typed)).toBe(false)
  })

  test("creates users with a verified email with --verified", async () => {
    const site = await siteWith({ "users.csv": csv })
    await site.run("users.csv --create-users --verified")
    expect(await site.signsIn("grace@users.test", typed)).toBe(true)
  })

  test("finds users in any spelling of their email", async () => {
    const site = await siteWith({ "users.csv": `email,hash\n ADA@Users.test ,${bcrypt}\n` })
    expect(jsonOf(await site.run("users.csv --create-users --json"))).toMatchObject({ imported: 1, created: 0 })
  })
})

describe("a dry run", () => {
  test("shows what would be done, and changes nothing", async () => {
    const site = await siteWith({ "users.csv": `${csv}grace@users.test,${bcrypt}\n` })
    const before = readFileSync(join(site.folder, "app.db"))
    expect(await site.run("users.csv --create-users --dry-run")).toEqual({
      code: 0,
      stdout: "✔ Would import 2 passwords (2 bcrypt)\n  Would create 1 user\n  1 user with a password here: it stays\n",
      stderr: "",
    })
    expect(readFileSync(join(site.folder, "app.db"))).toEqual(before)
    expect(jsonOf(await site.run("users.csv --create-users --json"))).toMatchObject({
      imported: 1,
      created: 1,
      kept: 1,
    })
  })
})

describe("a second run", () => {
  test("changes nothing", async () => {
    const site = await siteWith({ "users.csv": csv })
    await site.run("users.csv --create-users --verified")
    const all = await site.adapter.records.list("password.password", { limit: 10 })
    expect(await site.run("users.csv --create-users --verified")).toMatchObject({
      code: 0,
      stdout: "✔ Imported no passwords\n  2 users with a password here: it stays\n",
    })
    expect(await site.adapter.records.list("password.password", { limit: 10 })).toEqual(all)
  })

  test("goes on after a run that ended early", async () => {
    const site = await siteWith({ "users.csv": csv })
    await site.adapter.createUser({ id: "grace", email: "grace@users.test", emailVerified: new Date() })
    expect(jsonOf(await site.run("users.csv --create-users --json"))).toMatchObject({ imported: 2, created: 0 })
    expect(await site.signsIn("grace@users.test", typed)).toBe(true)
  })

  test("replaces the password that a user has only with --overwrite", async () => {
    const other = "$2b$04$uxMOlkcFsdR8x9HjgzEMluLq5tVukc61y1dmDB7qn0W4/wik2sdWC"
    const site = await siteWith({ "users.csv": csv, "newer.csv": `email,hash\nada@users.test,${other}\n` })
    await site.run("users.csv")
    await site.run("newer.csv")
    expect(await site.signsIn("ada@users.test", typed)).toBe(true)
    expect(jsonOf(await site.run("newer.csv --overwrite --dry-run --json"))).toMatchObject({ imported: 1, kept: 0 })
    expect(await site.signsIn("ada@users.test", typed)).toBe(true)
    expect(jsonOf(await site.run("newer.csv --overwrite --json"))).toMatchObject({ imported: 1, kept: 0 })
    expect(await site.signsIn("ada@users.test", typed)).toBe(false)
    expect(await site.signsIn("ada@users.test", "newer pass phrase")).toBe(true)
  })
})

/** The test vector of Firebase. */
const firebase = {
  salt: "42xEC+ixf3L2lw==",
  hash: "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==",
  config: `hash_config {
  algorithm: SCRYPT,
  base64_signer_key: jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==,
  base64_salt_separator: Bw==,
  rounds: 8,
  mem_cost: 14,
}`,
  password: "user1password",
}

const auth0 = [
  `{"_id":{"$oid":"1"},"email_verified":true,"email":"grace@users.test","passwordHash":"${bcrypt}","tenant":"t","connection":"c"}`,
  `{"_id":{"$oid":"2"},"passwordHash":"${bcrypt}","identifiers":[{"type":"email","value":"alan@users.test","verified":true}]}`,
]

const clerk = `id,first_name,last_name,username,primary_email_address,primary_phone_number,verified_email_addresses,unverified_email_addresses,verified_phone_numbers,unverified_phone_numbers,totp_secret,password_digest,password_hasher
user_1,Grace,Hopper,,grace@users.test,,grace@users.test,,,,,${bcrypt},bcrypt
user_2,Alan,Turing,,alan@users.test,,alan@users.test,,,,,,
`

const supabase = `instance_id,id,email,encrypted_password,email_confirmed_at,banned_until,deleted_at
0,1,grace@users.test,${bcrypt},2024-01-01 00:00:00+00,,
0,2,alan@users.test,${bcrypt},2024-01-01 00:00:00+00,,2024-02-01 00:00:00+00
`

const firebaseUser = (email: string, more: object = {}) => ({
  localId: "1",
  email,
  emailVerified: true,
  passwordHash: firebase.hash,
  salt: firebase.salt,
  displayName: "Grace",
  ...more,
})

const firebaseJson = JSON.stringify({
  users: [firebaseUser("grace@users.test"), firebaseUser("alan@users.test", { disabled: true })],
})
const firebaseCsv = `1,grace@users.test,true,${firebase.hash},${firebase.salt},Grace "G" Hopper${",".repeat(22)}\n`

describe("an export", () => {
  test.each([
    ["Auth0", auth0.join("\n"), "", typed, { created: 2, formats: { bcrypt: 2 } }],
    ["Auth0, of one user", auth0[0] ?? "", "", typed, { created: 1 }],
    ["Clerk", clerk, "", typed, { created: 1, withoutPassword: 1 }],
    ["Supabase", supabase, "", typed, { created: 1, refused: [{ count: 1, lines: [3] }] }],
    [
      "Supabase, as JSON",
      `[{"email":"grace@users.test","encrypted_password":"${bcrypt}","email_confirmed_at":"2024-01-01"}]`,
      "",
      typed,
      { created: 1 },
    ],
    [
      "Firebase",
      firebaseJson,
      " --firebase-parameters hash",
      firebase.password,
      { created: 1, refused: [{ lines: [2] }] },
    ],
    ["Firebase, as CSV", firebaseCsv, " --firebase-parameters hash", firebase.password, { created: 1 }],
  ])("of %s is understood", async (_, text, options, right, report) => {
    const site = await siteWith({ export: text, hash: firebase.config })
    expect(jsonOf(await site.run(`export --create-users --json${options}`))).toMatchObject(report)
    expect(await site.signsIn("grace@users.test", right)).toBe(true)
  })

  test("of Firebase needs its parameters, and says where they are", async () => {
    const site = await siteWith({ export: firebaseJson, "wrong.txt": "rounds: 8" })
    expect(await site.run("export")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Firebase console") as string,
    })
    expect(await site.run("export --firebase-parameters wrong.txt")).toMatchObject({ code: 2 })
  })
})

describe("what can't be imported", () => {
  test("is reported with its reason and its line, and never with the hash", async () => {
    const lines = `email,hash\nada@users.test,5f4dcc3b5aa765d61d8327deb882cf99\n"a@users.test,b@users.test",${bcrypt}\n,${bcrypt}\ngrace@users.test,plain text\n`
    const site = await siteWith({ "users.csv": lines })
    const { code, stdout, stderr } = await site.run("users.csv --create-users")
    expect(code).toBe(1)
    expect(stdout).toMatch(
      /^✔ Imported no passwords\n✘ 2 lines refused: The hash has an unknown format\..* \(lines 2, 5\)$/m,
    )
    expect(stdout).toMatch(
      /^✘ 1 line refused: The email isn't .* \(line 3\)\n✘ 1 line refused: There is no email \(line 4\)$/m,
    )
    expect(stdout + stderr).not.toMatch(/5f4dcc3b|plain text|\$2b/)
    expect(await site.adapter.getUserByEmail("grace@users.test")).toBeNull()
  })

  test("are hashes of bcrypt without the library that verifies them", async () => {
    const site = await siteWith({ "users.csv": csv }, file.replace('{ bcrypt: () => import("bcryptjs") }', ""))
    expect(await site.run("users.csv")).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/2 lines refused: .*Pass `bcrypt: .* \(lines 2, 3\)/) as string,
    })
  })

  test.each([
    ["a file that isn't there", "none.csv", 1, "can't be read"],
    ["a line that isn't JSON", "broken.json", 1, "Line 2 isn't a JSON object"],
    ["JSON without users", "other.json", 1, "neither a JSON array"],
    ["--verified alone", "users.csv --verified", 2, "needs --create-users"],
  ])("is explained: %s", async (_, args, code, words) => {
    const files = { "users.csv": csv, "broken.json": `${auth0[0]}\n{"hash":"${bcrypt}\n`, "other.json": '{\n"a": 1\n}' }
    const site = await siteWith(files)
    const result = await site.run(args)
    expect(result).toMatchObject({ code, stderr: expect.stringContaining(words) as string })
    expect(result.stdout + result.stderr).not.toContain(bcrypt)
  })

  test("is explained: a configuration without passwords", async () => {
    const site = await siteWith({ "users.csv": csv }, file.replace(/modules: .*,/, ""))
    expect(await site.run("users.csv")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("latchkey add password") as string,
    })
  })
})
