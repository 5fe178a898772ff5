import { vault } from "@latchkey/core/tokens"
import { join } from "node:path"
import { sqlite } from "@latchkey/sql/sqlite"
import credentials from "@latchkey/core/providers/credentials"
import { type Browser, createProvider, visit } from "@latchkey/testing"
import { describe, expect, onTestFinished, test } from "vitest"
import { codeAt, stepAt } from "../../../examples/module-totp/src/codes.js"
import { totp } from "../../../examples/module-totp/src/totp.js"
import { application, besideNext, jsonOf, latchkey, manifest, root } from "./latchkey.js"

const [before, after] = ["the-former-secret-0123456789abcdef", "the-newest-secret-0123456789abcdef"]

const imports = `import { totp } from "latchkey-example-module-totp"
import { sqlite } from "@latchkey/sql/sqlite"
import NextAuth from "@latchkey/next"
`

const asObject = `${imports}
export const { auth } = NextAuth({ adapter: sqlite("app.db"), providers: [], modules: [totp()], trustHost: true })
`

const asOther = `${imports}
export const { auth } = NextAuth({ adapter: sqlite("app.db"), providers: [], trustHost: true }, { modules: [totp()] })
`

const asFunction = `${imports}
export const { auth } = NextAuth(async () => ({ adapter: sqlite("app.db"), providers: [], trustHost: true }), {
  modules: [totp()],
})
`

const withoutModules = `${imports}
export const { auth } = NextAuth({ adapter: sqlite(":memory:"), providers: [], trustHost: true })
`

function project(file = asObject): Promise<string> {
  const own = { "package.json": manifest({ next: "16.0.0", "@latchkey/next": "0.1.0" }), "auth.js": file }
  return application(own, { ...besideNext, "latchkey-example-module-totp": join(root, "examples/module-totp") })
}

/** Both secrets, as the environment of a deployment has them. */
const rotating = { AUTH_SECRET: before, AUTH_SECRET_1: after }

function reseal(folder: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  return latchkey(folder, ["db", "reseal", ...args], { env })
}

/** A browser of the application with these secrets, over its real database. */
async function browser(folder: string, secret: string | string[]): Promise<Browser> {
  const adapter = sqlite(join(folder, "app.db"))
  onTestFinished(() => adapter.close())
  const user = { email: "ada@example.test", name: "Ada", emailVerified: null }
  const password = credentials({
    credentials: { name: {} },
    authorize: async () => (await adapter.getUserByEmail(user.email)) ?? adapter.createUser({ id: "ada", ...user }),
  })
  return visit({ adapter, secret, providers: [password], modules: [totp()], session: { strategy: "jwt" } })
}

/** The next code. One that was used doesn't work again, and the one of the following step does already. */
const nextCode = (seed: string) => ({ code: codeAt(seed, stepAt(Date.now()) + 1) })

/** An application in which Ada has an authenticator app. */
async function enrolled(file?: string): Promise<{ readonly folder: string; readonly seed: string }> {
  const folder = await project(file)
  const tab = await browser(folder, before)
  // A sign-in that leads to the account page may change the account.
  await tab.signIn("credentials", { name: "ada", callbackUrl: "/auth/account" })
  await tab.submitForm("totp/enroll")
  const [, seed = ""] = /<li>([A-Z2-7]{16,})<\/li>/.exec(tab.text) ?? []
  await tab.submitForm("totp/confirm", { code: codeAt(seed, stepAt(Date.now())) })
  return { folder, seed }
}

async function signsIn(folder: string, secret: string, seed: string): Promise<boolean> {
  const tab = await browser(folder, secret)
  await tab.signIn("credentials", { name: "ada" })
  if (tab.text.includes('action="https://app.test/auth/factor"')) await tab.submitForm("factor", nextCode(seed))
  return (await tab.session()) !== null
}

describe("after a rotation of the secret", () => {
  test.each([
    ["a configuration", asObject],
    ["a configuration, whose modules are another argument", asOther],
    ["a configuration function, whose modules are its second argument", asFunction],
  ])("the second factor works without the former secret: %s", async (_, file) => {
    const { folder, seed } = await enrolled(file)
    expect(await reseal(folder, ["--check"], rotating)).toEqual({
      code: 1,
      stdout: "A former secret is needed for 1 record\n",
      stderr: "",
    })
    expect(await reseal(folder, [], rotating)).toEqual({ code: 0, stdout: "Re-sealed 1 record\n", stderr: "" })
    expect(await reseal(folder, [], rotating)).toMatchObject({ code: 0, stdout: "Re-sealed no records\n" })
    expect(jsonOf(await reseal(folder, ["--check", "--json"], rotating))).toEqual({
      ok: true,
      outdated: 0,
      unreadable: 0,
    })
    expect(await signsIn(folder, after, seed)).toBe(true)
  })

  test("it doesn't if nothing was re-sealed, and the command says so", async () => {
    const { folder, seed } = await enrolled()
    expect(await signsIn(folder, after, seed)).toBe(false)
    const { code, stdout } = await reseal(folder, [], { AUTH_SECRET: after })
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: "Re-sealed no records\nNone of the secrets opens 1 record. Add the one that sealed them.\n",
    })
    expect(jsonOf(await reseal(folder, ["--json"], { AUTH_SECRET: after }))).toEqual({
      ok: false,
      resealed: 0,
      unreadable: 1,
    })
    expect(await reseal(folder, [], {})).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("No secret is set") as string,
    })
  })
})

test("the tokens of providers are sealed with the newest secret, too", async () => {
  const folder = await project(`${imports}import { vault } from "@latchkey/core/tokens"

export const { auth } = NextAuth({ adapter: sqlite("app.db"), providers: [], tokens: vault, trustHost: true })
`)
  const adapter = sqlite(join(folder, "app.db"))
  onTestFinished(() => adapter.close())
  const op = createProvider()
  const tab = await visit({ adapter, secret: before, providers: [op.provider()], tokens: vault })
  await tab.signInWith(op, { as: "ada" })
  expect(await reseal(folder, [], rotating)).toEqual({ code: 0, stdout: "Re-sealed 1 record\n", stderr: "" })
  expect(await reseal(folder, [], rotating)).toMatchObject({ code: 0, stdout: "Re-sealed no records\n" })
})

describe("what can't work is explained", () => {
  test.each([
    ["a database that doesn't exist", asObject, { AUTH_SECRET: after }, "app.db doesn't exist"],
    ["no module that keeps anything encrypted", withoutModules, { AUTH_SECRET: after }, "No module"],
    ["no configuration", "export const config = {}", { AUTH_SECRET: after }, "No configuration was found"],
  ])("%s", async (_, file, env, words) => {
    const { code, stdout, stderr } = await reseal(await project(file), [], env)
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
    expect(stderr).toContain(words)
  })
})
