import { memoryAdapter } from "@latchkey/adapter-kit"
import NextAuth, { type NextAuthConfig } from "@latchkey/next"
import { captureLog } from "@latchkey/testing"
import { NextRequest } from "next/server.js"
import { expect, test } from "vitest"

const origin = "https://app.test"
const expires = "2100-01-01T00:00:00.000Z"

/** What `auth()` returns to the server for a session in the database. */
async function sessionOnServer(callbacks: NextAuthConfig["callbacks"], log = captureLog()): Promise<unknown> {
  const adapter = memoryAdapter()
  const row = { name: "Ada", email: "ada@app.test", image: null, emailVerified: null, passwordHash: "$argon2id$" }
  const user = await adapter.createUser({ id: "1", ...row })
  await adapter.createSession({ sessionToken: "token", userId: user.id, expires: new Date(expires) })
  // A new configuration for each request, as with a function that depends on the host.
  const { auth } = NextAuth(() => ({
    secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw",
    url: `${origin}/api/auth`,
    logger: log.logger,
    providers: [],
    adapter,
    callbacks,
  }))
  const cookie = "__Secure-authjs.session-token=token"
  const handler = auth((request) => Response.json({ id: user.id, session: request.auth }))
  const response = await handler(new NextRequest(origin, { headers: { cookie } }))
  await handler(new NextRequest(origin, { headers: { cookie } }))
  const { id, session } = (await response.json()) as { id: string; session: unknown }
  return JSON.parse(JSON.stringify(session).replaceAll(JSON.stringify(id), '"<id>"'))
}

const ada = { id: "<id>", name: "Ada", email: "ada@app.test", image: null }

test("without a `session` callback, `auth` returns the id of a user in the database and no other column", async () => {
  expect(await sessionOnServer(undefined)).toEqual({ user: ada, expires })
})

test("code on the server can read the other columns by name", async () => {
  const read: unknown[] = []
  const authorized: NonNullable<NextAuthConfig["callbacks"]>["authorized"] = ({ auth }) => {
    read.push(Reflect.get(auth?.user ?? {}, "passwordHash"), Reflect.get(auth ?? {}, "userId") === auth?.user?.id)
    return auth?.user
  }
  await sessionOnServer({ authorized })
  expect(read.slice(0, 2)).toEqual(["$argon2id$", true])
})

test("a column that only next-auth copies is named in one warning", async () => {
  const log = captureLog()
  await sessionOnServer(undefined, log)
  const warnings = log.entries.filter(({ level }) => level === "warn")
  expect(warnings.map(({ message }) => message)).toEqual(["user-columns-omitted"])
  expect(warnings[0]?.detail).toContain("passwordHash")
  expect(warnings[0]?.text).not.toContain("$argon2id$")
})

test("a `session` callback that returns nothing counts as none", async () => {
  expect(await sessionOnServer({ session: () => undefined as never })).toEqual({ user: ada, expires })
})

test("a `session` callback that returns no user gets one on the server", async () => {
  const session = () => ({ expires, plan: "pro" })
  expect(await sessionOnServer({ session })).toEqual({ user: ada, expires, plan: "pro" })
})

test("a `session` callback decides about the user", async () => {
  const session = () => ({ expires, user: { name: "A." } })
  expect(await sessionOnServer({ session })).toEqual({ user: { name: "A." }, expires })
})
