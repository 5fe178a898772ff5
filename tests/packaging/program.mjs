// Copied into a folder where packed packages are installed, and run there on another runtime.
import assert from "node:assert/strict"
import { readFileSync, rmSync } from "node:fs"

/** @type {string[]} */
const specifiers = JSON.parse(readFileSync("entries.json", "utf8"))
/** Entries that next-auth 5 removed. Importing them throws. */
const gone = ["@latchkey/next/middleware", "@latchkey/next/next"]
/** Qwik's own packages import modules that only its Vite plugin has. */
const needsVite = "@latchkey/qwik"
for (const specifier of specifiers) if (!gone.includes(specifier) && specifier !== needsVite) await import(specifier)

const core = "@latchkey/core"
/** @type {{ Auth: (request: Request, config: object) => Promise<Response> }} */
const { Auth } = await import(core)
const config = { secret: "mZ4QvK1t8xY0cR7bN3sW9eH6jL2pD5gUa+fT1oXiVkE=", trustHost: true, providers: [] }
const session = await Auth(new Request("https://app.test/auth/session"), config)
assert.equal(await session.text(), "null")

/**
 * @typedef {{ id: string, email: string | null, emailVerified: Date | null }} User
 * @typedef {{ transaction<T>(work: (inside: Store) => Promise<T>): Promise<T>, createUser(user: User): Promise<User>, getUserByEmail(email: string): Promise<User | null>, updateUser(user: { id: string, email: string }): Promise<User>, close(): Promise<void> }} Store
 */
const sql = "@latchkey/sql/sqlite"
/** @type {{ sqlite: (file: string) => Store }} */
const { sqlite } = await import(sql)
const file = "users.db"
rmSync(file, { force: true })
let found = "none"
try {
  const adapter = sqlite(file)
  const ada = { id: "1", email: "ada@example.com", emailVerified: new Date(0) }
  await adapter.createUser(ada)
  await assert.rejects(adapter.createUser(ada), { code: "LATCHKEY_UNIQUE" })
  const failing = adapter.transaction(async (inside) => {
    await inside.updateUser({ id: "1", email: "bob@example.com" })
    throw new Error("Roll back.")
  })
  await assert.rejects(failing, { message: "Roll back." })
  assert.deepEqual((await adapter.getUserByEmail(ada.email))?.emailVerified, ada.emailVerified)
  await adapter.close()
  await runConformance()
  found = "works"
} catch (error) {
  if (!(error instanceof Error) || error instanceof assert.AssertionError) throw error
  found = error.message
}
/** Runs the whole suite on the SQLite of this runtime. */
async function runConformance() {
  const kit = "@latchkey/adapter-kit"
  /** @type {{ conformance: readonly { name: string, run(adapter: Store): Promise<void> }[] }} */
  const { conformance } = await import(kit)
  assert.ok(conformance.length > 50)
  const adapter = sqlite(":memory:")
  for (const { name, run } of conformance) {
    await run(adapter).catch((cause) => assert.fail(`${name}: ${cause}`))
  }
  await adapter.close()
}

console.log(JSON.stringify({ entries: specifiers.length, sqlite: found }))
