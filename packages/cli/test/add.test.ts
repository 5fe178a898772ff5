import { generateKeyPairSync } from "node:crypto"
import { catalogue } from "@latchkey/core/providers/catalogue"
import { describe, expect, test } from "vitest"
import { add, type AddOptions } from "../src/commands/add.js"
import type { Ask } from "../src/ask.js"
import type { Terminal } from "../src/terminal.js"
import { application, filesOf, jsonOf, latchkey, manifest, read, write } from "./latchkey.js"

const auth = `import NextAuth from "@latchkey/next"

export const { handlers, auth } = NextAuth({
  providers: [],
})
`

const files = {
  "package.json": manifest({ next: "16.0.0", "@latchkey/next": "0.1.0" }, { scripts: { dev: "next dev --port 4000" } }),
  "auth.ts": auth,
}

describe("latchkey add", () => {
  test("adds the provider to the configuration, and its values to the env file", async () => {
    const folder = await application({ ...files, ".env.production": "AUTH_URL=https://app.example/api/auth\n" })
    const args = ["add", "github", "--client-id", "abc", "--client-secret-stdin"]
    const { code, stdout } = await latchkey(folder, args, { input: "sesame $HOME\n" })
    expect(code).toBe(0)
    expect(await read(folder, "auth.ts")).toBe(
      auth
        .replace('"@latchkey/next"\n', '"@latchkey/next"\nimport GitHub from "@latchkey/next/providers/github"\n')
        .replace("[]", "[GitHub]"),
    )
    expect(await read(folder, ".env.local")).toBe('AUTH_GITHUB_ID="abc"\nAUTH_GITHUB_SECRET="sesame \\$HOME"\n')
    expect(stdout).toContain("http://localhost:4000/api/auth/callback/github")
    expect(stdout).toContain("https://app.example/api/auth/callback/github")
    expect(stdout).not.toContain("sesame")
  })

  test("changes nothing the second time, and keeps existing values", async () => {
    const folder = await application(files)
    await latchkey(folder, ["add", "github", "--client-id", "abc"])
    const before = await filesOf(folder)
    const again = await latchkey(folder, ["add", "github", "--client-id", "other", "--json"])
    expect(jsonOf(again)).toMatchObject({ ok: true, added: [], set: [], empty: ["AUTH_GITHUB_SECRET"] })
    expect(await filesOf(folder)).toEqual(before)
    expect(again.code).toBe(0)
    await latchkey(folder, ["add", "github", "--client-id", "other", "--force"])
    expect(await read(folder, ".env.local")).toContain('AUTH_GITHUB_ID="other"')
  })

  test("takes values from the environment, and leaves empty lines to fill in", async () => {
    const folder = await application(files)
    const env = { AUTH_GOOGLE_ID: "from-ci", AUTH_GOOGLE_SECRET: "hidden" }
    const { stdout } = await latchkey(folder, ["add", "google", "auth0"], { env })
    expect(await read(folder, ".env.local")).toBe(
      'AUTH_GOOGLE_ID="from-ci"\nAUTH_GOOGLE_SECRET="hidden"\nAUTH_AUTH0_ID=\nAUTH_AUTH0_SECRET=\nAUTH_AUTH0_ISSUER=\n',
    )
    expect(stdout).toMatch(/Fill in AUTH_AUTH0_ID, AUTH_AUTH0_SECRET, AUTH_AUTH0_ISSUER/)
    expect(stdout).not.toContain("hidden")
  })

  test("sets Apple's key in the env file, and other values as options", async () => {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
    const pem = privateKey.export({ type: "pkcs8", format: "pem" })
    const folder = await application({ ...files, "AuthKey.p8": String(pem) })
    const { code } = await latchkey(folder, ["add", "apple", "--client-id", "com.app", "--key-file", "AuthKey.p8"])
    expect(code).toBe(0)
    expect(await read(folder, "auth.ts")).toContain(
      'Apple({ teamId: process.env.AUTH_APPLE_TEAM_ID ?? "", keyId: process.env.AUTH_APPLE_KEY_ID ?? "" })',
    )
    const env = await read(folder, ".env.local")
    expect(env).toMatch(/^AUTH_APPLE_KEY="-----BEGIN PRIVATE KEY-----\\n.*\\n-----END PRIVATE KEY-----"$/m)
    expect(env).not.toContain("AUTH_APPLE_SECRET")
  })

  test("sets both a secret and a key", async () => {
    const folder = await application(files)
    expect((await latchkey(folder, ["add", "bungie", "--no-input"])).code).toBe(0)
    const env = await read(folder, ".env.local")
    for (const name of ["AUTH_BUNGIE_ID", "AUTH_BUNGIE_SECRET", "AUTH_BUNGIE_KEY"]) expect(env).toContain(`${name}=`)
  })

  test("sets the required options of an email service", async () => {
    const folder = await application(files)
    expect((await latchkey(folder, ["add", "loops", "nodemailer", "--no-input"])).code).toBe(0)
    const source = await read(folder, "auth.ts")
    expect(source).toContain("transactionalId: process.env.AUTH_LOOPS_TRANSACTIONAL_ID")
    expect(source).toContain("server: process.env.AUTH_NODEMAILER_SERVER")
    expect(await read(folder, ".env.local")).toContain("AUTH_LOOPS_KEY=")
  })

  test.each([
    [
      "src/auth.ts",
      'import { ExpressAuth } from "@latchkey/express"\nexport const a = ExpressAuth({ providers: [] })\n',
    ],
    [
      "server.js",
      'import { ExpressAuth } from "@latchkey/express"\napp.use("/login/*splat", ExpressAuth({ providers: [] }))\n',
    ],
    [
      "src/plugin@auth.ts",
      'import type { AuthConfig } from "@latchkey/core"\nexport const config: AuthConfig = { providers: [] }\n',
    ],
    [
      "lib/deep/session.ts",
      'import { createServer } from "@latchkey/core/server"\nimport type { AuthConfig } from "@latchkey/core"\nconst c: AuthConfig = { providers: [] }\n',
    ],
  ])("finds %s", async (path, text) => {
    const folder = await application({
      "package.json": manifest({ express: "5.0.0" }),
      [path]: text,
      "src/other.ts": "export {}\n",
    })
    const { code, stdout } = await latchkey(folder, ["add", "github"])
    expect(code).toBe(0)
    expect(await read(folder, path)).toContain("providers: [GitHub]")
    expect(stdout).toContain(`http://localhost:3000/${path === "server.js" ? "login" : "auth"}/callback/github`)
  })

  test("edits the part of a split configuration that has the list", async () => {
    const folder = await application({
      ...files,
      "auth.ts":
        'import NextAuth from "@latchkey/next"\nimport config from "./auth.config"\nexport const { auth } = NextAuth({ ...config })\n',
      "auth.config.ts":
        'import type { NextAuthConfig } from "@latchkey/next"\nexport default { providers: [] } satisfies NextAuthConfig\n',
    })
    const before = await read(folder, "auth.ts")
    expect((await latchkey(folder, ["add", "github"])).code).toBe(0)
    expect(await read(folder, "auth.ts")).toBe(before)
    expect(await read(folder, "auth.config.ts")).toContain("providers: [GitHub]")
  })

  test("exits with 1 and writes nothing if the list isn't an array literal", async () => {
    const folder = await application({ ...files, "auth.ts": auth.replace("[]", "make()") })
    const before = await filesOf(folder)
    const { code, stderr } = await latchkey(folder, ["add", "github"])
    expect(code).toBe(1)
    expect(stderr).toContain('import GitHub from "@latchkey/next/providers/github"')
    expect(await filesOf(folder)).toEqual(before)
  })

  test("exits with 1 and writes nothing without a configuration, or with a syntax error", async () => {
    const folder = await application({ "package.json": manifest({ next: "16.0.0" }) })
    expect(await latchkey(folder, ["add", "github"])).toMatchObject({ code: 1, stdout: "" })
    await write(folder, "auth.ts", 'import NextAuth from "@latchkey/next"\nNextAuth({ providers: [ })\n')
    const { code, stderr } = await latchkey(folder, ["add", "github", "--config", "auth.ts"])
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining("auth.ts:2 has a syntax error") as string,
    })
  })

  test("--list prints every provider", async () => {
    const { code, stdout } = await latchkey(".", ["add", "--list"])
    expect(code).toBe(0)
    expect(
      stdout
        .split("\n")
        .filter((one) => one !== "")
        .map((one) => one.split(" ")[0]),
    ).toEqual([...catalogue.map(({ id }) => id), "passkey", "webauthn", ...modules])
  })
})

const modules = ["password", "mfa", "phone", "anonymous", "bearer", "api-keys", "audit"]

describe("latchkey add password mfa", () => {
  test("adds the modules to the configuration and to package.json, and says what they need", async () => {
    const folder = await application(files)
    const result = await latchkey(folder, ["add", "password", "mfa", "--no-input"])
    expect(result.code).toBe(0)
    expect(await read(folder, "auth.ts")).toBe(`import NextAuth from "@latchkey/next"
import { password } from "@latchkey/password"
import { mfa } from "@latchkey/mfa"

export const { handlers, auth } = NextAuth({
  modules: [password(), mfa()],
  providers: [],
})
`)
    const { dependencies } = JSON.parse(await read(folder, "package.json")) as { dependencies: object }
    expect(dependencies).toMatchObject({ "@latchkey/password": "^0.1.0", "@latchkey/mfa": "^0.1.0" })
    expect(result.stdout).toMatch(/need an adapter/)
    expect(result.stdout).toMatch(/Add an email provider: `npx latchkey add nodemailer`/)
    expect(result.stdout).toMatch(/Added @latchkey\/password to package\.json\. Run `npm install`/)
  })

  test("gives a module that needs options an example of them, and says so", async () => {
    const folder = await application(files)
    const { code, stdout } = await latchkey(folder, ["add", "api-keys", "--no-input"])
    expect(code).toBe(0)
    const text = await read(folder, "auth.ts")
    expect(text).toContain('import { apiKeys } from "@latchkey/api-keys"')
    expect(text).toContain('modules: [apiKeys({ prefix: "app", scopes: ["read", "write"] })]')
    expect(stdout).toMatch(/Choose your own: \{ prefix/)
    const again = await latchkey(folder, ["add", "api-keys", "--no-input"])
    expect([again.code, await read(folder, "auth.ts")]).toEqual([0, text])
  })

  test("adds modules that send no emails without asking for a provider", async () => {
    const folder = await application(files)
    const { code, stdout } = await latchkey(folder, ["add", "phone", "anonymous", "bearer", "--no-input"])
    expect(code).toBe(0)
    expect(await read(folder, "auth.ts")).toContain(
      "modules: [phone({ send: async ({ to }) => Promise.reject(new Error(`No service sends messages to ${to} yet`)) }), " +
        'anonymous(), bearer({ audiences: ["https://api.example.com"] })]',
    )
    expect(stdout).toMatch(/Phone numbers[^]*Choose your own[^]*Anonymous users[^]*Access tokens/)
    expect(stdout).not.toMatch(/Add an email provider/)
  })

  test("asks for neither an adapter nor emails for one that works alone", async () => {
    const folder = await application(files)
    const { code, stdout } = await latchkey(folder, ["add", "audit", "--no-input"])
    expect(code).toBe(0)
    expect(await read(folder, "auth.ts")).toContain("modules: [audit()]")
    expect(stdout).not.toMatch(/need an adapter|Add an email provider|table of its own/)
  })

  test("changes nothing the second time", async () => {
    const folder = await application(files)
    await latchkey(folder, ["add", "password", "--no-input"])
    const before = await filesOf(folder)
    const again = await latchkey(folder, ["add", "password", "--json"])
    expect(jsonOf(again)).toMatchObject({ ok: true, added: [], dependencies: [] })
    expect(await filesOf(folder)).toEqual(before)
  })

  test("beside an adapter and an email provider, asks for neither", async () => {
    const config = auth.replace("{\n", "{\n  adapter: sqlite(),\n")
    const folder = await application({ ...files, "auth.ts": config })
    const { code, stdout } = await latchkey(folder, ["add", "resend", "mfa", "--no-input"])
    expect(code).toBe(0)
    expect(await read(folder, "auth.ts")).toContain("modules: [mfa()],\n  adapter: sqlite(),\n  providers: [Resend]")
    expect(stdout).not.toMatch(/need an adapter|Add an email provider/)
  })

  test("refuses the values of a provider, and a name that is neither", async () => {
    const folder = await application(files)
    expect((await latchkey(folder, ["add", "password", "--client-id", "abc"])).code).toBe(2)
    const { code, stderr } = await latchkey(folder, ["add", "pasword"])
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('There is no provider or module "pasword". Did you mean password') as string,
    })
  })
})

/** Runs the command in this process, and answers its questions. */
async function addWith(
  answers: Partial<Ask>,
  folder: string,
  ids: readonly string[],
  options: AddOptions = {},
): Promise<string[]> {
  const asked: string[] = []
  const ask: Ask = {
    text: async (question) => (asked.push(question), answers.text?.(question) ?? ""),
    secret: async (question) => (asked.push(question), answers.secret?.(question) ?? ""),
    confirm: async (question) => (asked.push(question), true),
    choose: async (question, [first = ""]) => (asked.push(question), first),
  }
  const style = { bold: String, dim: String, green: String, yellow: String, red: String }
  const terminal: Terminal = { json: false, ask, say: () => undefined, print: () => undefined, style }
  await add({ cwd: folder, env: {}, terminal }, ids, options)
  return asked
}

describe("in a terminal", () => {
  test("asks for missing values only, and hides secrets", async () => {
    const folder = await application({ ...files, ".env.local": "AUTH_GITHUB_ID=known\n" })
    const asked = await addWith({ secret: async () => "typed" }, folder, ["github"])
    expect(asked).toEqual(["Client secret for GitHub (AUTH_GITHUB_SECRET; press Enter to fill it in later)"])
    expect(await read(folder, ".env.local")).toBe('AUTH_GITHUB_ID=known\nAUTH_GITHUB_SECRET="typed"\n')
  })

  test("asks for the providers if none is named", async () => {
    const folder = await application(files)
    const text = async (question: string) => (question.startsWith("Which") ? "github, google" : "")
    await addWith({ text }, folder, [])
    expect(await read(folder, "auth.ts")).toContain("providers: [GitHub, Google]")
  })
})

test("all providers can be added together", async () => {
  const folder = await application(files)
  const ids = catalogue.map(({ id }) => id)
  await addWith({}, folder, ids)
  const text = await read(folder, "auth.ts")
  for (const { module } of catalogue) expect(text).toContain(`from "@latchkey/next/providers/${module}"\n`)
  const before = await filesOf(folder)
  await addWith({}, folder, ids)
  expect(await filesOf(folder)).toEqual(before)
})
