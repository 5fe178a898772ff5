import { createAuthClient } from "@latchkey/client"
import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { createServer } from "@latchkey/core/server"
import { captureLog } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { strongSecret } from "../../core/test/modes/setup.js"

const origin = "https://app.test"
const ada = { id: "1", name: "Ada", email: "ada@users.test", emailVerified: null }
const known = { user: { name: "Ada" }, expires: "2099-01-01T00:00:00.000Z" }

/** A client whose page was rendered with a session, and its server. */
async function site() {
  const store = memoryAdapter()
  await store.createUser(ada)
  await store.createSession({ sessionToken: "token", userId: "1", expires: new Date(known.expires) })
  let isDown = false
  const adapter = new Proxy(store, {
    get: (target, name) =>
      isDown ? () => Promise.reject(new Error("The database is down.")) : Reflect.get(target, name),
  })
  const { logger } = captureLog()
  const server = createServer({ secret: strongSecret, url: `${origin}/auth`, logger, adapter, providers: [] })
  const cookies = new Map([["__Secure-authjs.session-token", "token"]])
  const errors: string[] = []
  const client = createAuthClient<object>({
    baseUrl: origin,
    session: known,
    onError: ({ message }) => errors.push(message),
    async fetch(input, init) {
      const request = new Request(input, init)
      request.headers.set("cookie", [...cookies].map((pair) => pair.join("=")).join("; "))
      request.headers.set("origin", origin)
      const response = await server.handle(request)
      for (const line of response.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        cookies.set(name, value)
      }
      return response
    },
  })
  return {
    client,
    errors,
    fail: () => {
      isDown = true
    },
    end: () => store.deleteSession("token"),
  }
}

const calls: readonly (readonly [string, (client: Awaited<ReturnType<typeof site>>["client"]) => unknown])[] = [
  ["a read", (client) => client.connection.read()],
  ["an update", (client) => client.update({ theme: "dark" })],
  ["an update without data", (client) => client.update()],
  ["a read after a navigation", (client) => client.revalidate()],
  ["a page that the server rendered without a session", (client) => client.adopt(null)],
]

describe.each(calls)("%s", (_, call) => {
  test("while the database is down keeps the session and reports the failure", async () => {
    const { client, errors, fail } = await site()
    fail()
    expect((await call(client)) ?? null).toBeNull()
    const message = `${origin}/auth/session failed: unexpected response with status 503. Check the server log.`
    await expect.poll(() => errors).toEqual([message])
    expect(client.getSnapshot()).toEqual({ status: "authenticated", data: known })
  })

  test("after the session has ended shows the user as signed out", async () => {
    const { client, errors, end } = await site()
    await end()
    await call(client)
    await expect.poll(() => client.getSnapshot().status).toBe("unauthenticated")
    expect(errors).toEqual([])
  })
})
