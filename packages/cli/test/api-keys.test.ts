import { join } from "node:path"
import { apiKeys, type ApiKeysServer } from "@latchkey/api-keys"
import { createServer } from "@latchkey/core/server"
import { sqlite } from "@latchkey/sql/sqlite"
import { describe, expect, onTestFinished, test } from "vitest"
import { application, besideNext, jsonOf, latchkey, manifest, root } from "./latchkey.js"

const secret = "the-secret-of-this-site-0123456789abcdef"

const file = `import { apiKeys } from "@latchkey/api-keys"
import { sqlite } from "@latchkey/sql/sqlite"
import NextAuth from "@latchkey/next"
export const { auth } = NextAuth({
  adapter: sqlite("app.db"),
  providers: [],
  modules: [apiKeys({ prefix: "acme", scopes: ["read"] })],
  trustHost: true,
})
`

/** An application with a key of Ada. */
async function siteWith(configuration = file) {
  const files = { "package.json": manifest({ next: "16.0.0", "@latchkey/next": "0.1.0" }), "auth.js": configuration }
  const folder = await application(files, { ...besideNext, "@latchkey/api-keys": join(root, "packages/api-keys") })
  const adapter = sqlite(join(folder, "app.db"))
  onTestFinished(() => adapter.close())
  await adapter.createUser({ id: "ada", email: "ada@users.test", emailVerified: new Date(), name: "Ada" })
  const modules = [apiKeys({ prefix: "acme", scopes: ["read"] })]
  const { members } = createServer({ adapter, secret, url: "https://app.test/auth", providers: [], modules })
  const keys = members["api-keys"] as unknown as ApiKeysServer
  const created = await keys.create({ userId: "ada", name: "CI", scopes: ["read"] })
  if (!created.ok) throw new Error(created.problem)
  const run = (...args: readonly string[]) => latchkey(folder, ["api-keys", ...args], { env: { AUTH_SECRET: secret } })
  return { run, keys, key: created.key, id: created.apiKey.keyId }
}

describe("latchkey api-keys", () => {
  test("lists the keys of a user by email or id, without secrets", async () => {
    const { run, key, id } = await siteWith()
    for (const user of ["ADA@users.test", "ada"]) {
      const { code, stdout } = await run("list", user)
      expect(code).toBe(0)
      expect(stdout).toContain(`${id}  CI  acme_${id}  read`)
      expect(stdout).toContain("last used never")
      expect(stdout).not.toContain(key.slice(22))
    }
    expect(jsonOf(await run("list", "ada", "--json"))).toMatchObject({ ok: true, keys: [{ keyId: id, name: "CI" }] })
    const unknown = await run("list", "grace@users.test")
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining("no user with the email")])
  })

  test("revokes keys, and says which there are not", async () => {
    const { run, keys, key, id } = await siteWith()
    expect((await run("revoke", key)).code).toBe(2)
    expect(await keys.list("ada")).toHaveLength(1)
    expect(await run("revoke", id, "nothing")).toEqual({
      code: 1,
      stdout: "✔ Revoked 1 API key\n✘ There is no key nothing\n",
      stderr: "",
    })
    const verdict = await keys.verify({ headers: { authorization: `Bearer ${key}` } })
    expect(verdict).toMatchObject({ ok: false, reason: "invalid" })
  })

  test("says what to add to a configuration without the module", async () => {
    const { run } = await siteWith(file.replace(/modules: .*\n/, ""))
    expect((await run("list", "ada")).stderr).toContain("latchkey add api-keys")
  })
})
