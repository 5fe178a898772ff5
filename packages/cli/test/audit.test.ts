import { join } from "node:path"
import { expect, test } from "vitest"
import { application, besideNext, latchkey, manifest, root } from "./latchkey.js"

const file = `import { audit } from "@latchkey/audit"
import { sql } from "@latchkey/audit/sql"
import { sqlite } from "@latchkey/sql/sqlite"
import NextAuth from "@latchkey/next"
const adapter = sqlite("app.db")
export const { auth } = NextAuth({ adapter, providers: [], modules: [audit({ sinks: [sql(adapter)] })], trustHost: true })
`

test("`latchkey db plan` and `apply` have the table of the audit log", async () => {
  const files = { "package.json": manifest({ next: "16.0.0", "@latchkey/next": "0.1.0" }), "auth.js": file }
  const folder = await application(files, { ...besideNext, "@latchkey/audit": join(root, "packages/audit") })
  const run = (...args: readonly string[]) => latchkey(folder, ["db", ...args])
  expect((await run("plan")).stdout).toContain('create table if not exists "latchkey_audit"')
  expect((await run("apply", "--yes")).code).toBe(0)
  expect((await run("plan")).stdout).toContain("Nothing to do")
})
