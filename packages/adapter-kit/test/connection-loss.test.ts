import { once } from "node:events"
import { connect, createServer } from "node:net"
import { allCapabilities, type MemoryAdapter, memoryAdapter, testConnectionLoss } from "@latchkey/adapter-kit"
import { breakableProxy } from "@latchkey/adapter-kit/proxy"
import type { Adapter } from "@latchkey/core/adapters"
import { describe, expect, onTestFinished, test } from "vitest"

/** A connection on which each call is a request and a response. */
function wire() {
  let remaining = Number.POSITIVE_INFINITY
  const pass = () => {
    remaining -= 1
    if (remaining === 0) throw new Error("The connection broke")
  }
  const request = async <T>(work: () => T | PromiseLike<T>): Promise<T> => {
    pass()
    const result = await work()
    pass()
    return result
  }
  const breakConnection = (message: number) => {
    remaining = message
    return () => {
      const broke = remaining <= 0
      remaining = Number.POSITIVE_INFINITY
      return broke
    }
  }
  return { request, breakConnection }
}

type Request = ReturnType<typeof wire>["request"]

/** The adapter with each method as one request. */
function remote(adapter: Adapter, request: Request): Adapter {
  const methods = Object.entries(adapter).map(([name, method]) => [
    name,
    (...args: unknown[]) => request(() => Reflect.apply(method, adapter, args)),
  ])
  return {
    ...Object.fromEntries(methods),
    transaction: (work) => request(async () => adapter.transaction?.((inside) => work(remote(inside, request)))),
  }
}

type Make = (good: MemoryAdapter, request: Request) => Partial<Adapter>

/** Ids of the operations that fail. */
async function failing(make: Make): Promise<string[]> {
  const { request, breakConnection } = wire()
  const good = memoryAdapter()
  const create = () => ({ ...remote(good, request), ...make(good, request) })
  const tests: (() => Promise<void>)[] = []
  testConnectionLoss(
    { name: "x", create, breakConnection, capabilities: allCapabilities, webauthn: true },
    { describe: (_, body) => body(), test: (_, body) => void tests.push(body) },
  )
  const failed: string[] = []
  for (const body of tests) {
    await body().catch((error: Error) => void failed.push(/loss\.\w+/.exec(error.message)?.[0] ?? error.message))
  }
  return failed.toSorted()
}

const defects: readonly (readonly [what: string, make: Make, breaks: readonly string[]])[] = [
  ["each call is one request", () => ({}), []],
  [
    "createUser writes in two steps",
    (good, request) => ({
      createUser: async (user) => {
        await request(() => good.createUser({ ...user, image: null }))
        return request(() => good.updateUser(user))
      },
    }),
    ["loss.createUser"],
  ],
  [
    "updateUser writes in two steps",
    (good, request) => ({
      updateUser: async ({ name, ...user }) => {
        await request(() => good.updateUser(user))
        return request(() => good.updateUser(name === undefined ? user : { ...user, name }))
      },
    }),
    ["loss.updateUser"],
  ],
  [
    "deleteUser deletes the sessions first",
    (good, request) => ({
      deleteUser: async (id) => {
        await request(() => good.deleteSessions(id))
        await request(() => good.deleteUser(id))
      },
    }),
    ["loss.deleteUser"],
  ],
  [
    "an unreachable database has no users",
    (good, request) => ({
      getUserByEmail: async (email) => request(() => good.getUserByEmail(email)).catch(() => null),
    }),
    ["loss.readUser"],
  ],
  [
    "an unreachable database has no sessions",
    (good, request) => ({
      getSessionAndUser: async (token) => request(() => good.getSessionAndUser(token)).catch(() => null),
    }),
    ["loss.getSessionAndUser"],
  ],
  [
    "transaction only calls the callback",
    (good, request) => ({ transaction: async (work) => work(remote(good, request)) }),
    ["loss.transaction"],
  ],
  [
    "linkAccount stores the tokens later",
    (good, request) => ({
      linkAccount: async ({ access_token, ...account }) => {
        await request(() => good.linkAccount(account))
        await request(() => good.updateAccount(access_token === undefined ? account : { ...account, access_token }))
      },
    }),
    ["loss.linkAccount"],
  ],
  [
    "a passkey gets its transports later",
    (good, request) => ({
      createAuthenticator: async ({ transports, ...passkey }) => {
        await request(() => good.deleteAuthenticator(passkey.credentialID))
        await request(() => good.createAuthenticator(passkey))
        await request(() => good.deleteAuthenticator(passkey.credentialID))
        return request(() => good.createAuthenticator({ ...passkey, transports: transports ?? null }))
      },
    }),
    ["loss.createAuthenticator"],
  ],
  [
    "deleteSessions deletes one by one",
    (good, request) => ({
      deleteSessions: async (id) => {
        for (const { sessionToken } of await good.listSessions(id))
          await request(() => good.deleteSession(sessionToken))
      },
    }),
    ["loss.deleteSessions"],
  ],
  [
    "a token is accepted even if it can't be deleted",
    (good, request) => ({
      useVerificationToken: async (key) => {
        const found = good.rows().verificationTokens.find((row) => row.token === key.token) ?? null
        await request(() => good.useVerificationToken(key)).catch(() => null)
        return found
      },
    }),
    ["loss.useVerificationToken"],
  ],
  [
    "writes that fail are ignored",
    (good, request) => ({
      unlinkAccount: async (key) => request(() => good.unlinkAccount(key)).catch(() => null),
      createSession: async (session) => request(() => good.createSession(session)).catch(() => session),
      updateSession: async (session) => request(() => good.updateSession(session)).catch(() => null),
      deleteSession: async (token) => request(() => good.deleteSession(token)).catch(() => null),
      createVerificationToken: async (token) => request(() => good.createVerificationToken(token)).catch(() => null),
      updateAuthenticatorCounter: async (id, counter) =>
        request(() => good.updateAuthenticatorCounter(id, counter)).catch(async () =>
          good.updateAuthenticatorCounter(id, 0),
        ),
    }),
    [
      "loss.createSession",
      "loss.createVerificationToken",
      "loss.deleteSession",
      "loss.unlinkAccount",
      "loss.updateAuthenticatorCounter",
      "loss.updateSession",
    ],
  ],
]

describe("an adapter with one defect fails exactly the related operations", () => {
  test.each(defects)("%s", async (_what, make, breaks) => {
    expect(await failing(make)).toEqual(breaks)
  })
})

test("at least one of these adapters fails each operation", () => {
  const broken = new Set(defects.flatMap(([, , breaks]) => breaks))
  const names: string[] = []
  const options = { name: "x", create: memoryAdapter, breakConnection: () => () => false, webauthn: true }
  testConnectionLoss(
    { ...options, capabilities: allCapabilities },
    { describe: (_, body) => body(), test: (name) => void names.push(name) },
  )
  expect(broken.size).toBe(names.length)
})

test("an adapter that doesn't recover fails each operation that the connection breaks in", async () => {
  let isDead = false
  const failed = await failing((good, request) => ({
    getSessionAndUser: async (token) => {
      if (isDead) throw new Error("The pool is closed")
      return request(() => good.getSessionAndUser(token)).catch((error: unknown) => {
        isDead = true
        throw error
      })
    },
  }))
  expect(failed).toContain("loss.getSessionAndUser")
})

test("a connection that never breaks fails the suite", async () => {
  const tests: (() => Promise<void>)[] = []
  testConnectionLoss(
    { name: "x", create: memoryAdapter, breakConnection: () => () => false },
    { describe: (_, body) => body(), test: (_, body) => void tests.push(body) },
  )
  await expect(tests[0]?.()).rejects.toThrow(
    "breakConnection(1) breaks a connection during the operation: got no break",
  )
})

async function echoServer() {
  const server = createServer((socket) => socket.on("error", () => {}).pipe(socket))
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const proxy = await breakableProxy({ host: "127.0.0.1", port: Object(server.address()).port })
  onTestFinished(async () => {
    await proxy.close()
    server.close()
  })
  return proxy
}

test.each([
  ["request", 1],
  ["response", 2],
])("the proxy breaks the connection instead of forwarding a %s, and accepts new ones", async (_what, message) => {
  const proxy = await echoServer()
  const socket = connect(proxy)
  const heard: string[] = []
  socket.on("data", (chunk) => void heard.push(String(chunk)))
  const stop = proxy.breakConnection(message)
  socket.write("hello")
  await once(socket, "close")
  expect(await stop()).toBe(true)
  expect(heard).toEqual([])
  const next = connect(proxy)
  next.write("again")
  expect(String((await once(next, "data"))[0])).toBe("again")
})

test("the proxy forwards everything after a break is called off", async () => {
  const proxy = await echoServer()
  const stop = proxy.breakConnection(5)
  const socket = connect(proxy)
  expect(await stop()).toBe(false)
  for (let round = 0; round < 10; round += 1) {
    socket.write(`${round}`)
    expect(String((await once(socket, "data"))[0])).toBe(`${round}`)
  }
})
