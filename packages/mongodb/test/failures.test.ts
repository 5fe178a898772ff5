import { type LatchkeyMongoDBAdapter, mongodb, type MongoSource } from "@latchkey/mongodb"
import { type MongoClient, ObjectId } from "mongodb"
import { beforeAll, describe, expect, test } from "vitest"
import { freePort } from "../../../tests/servers/process.js"
import { open } from "./clients.js"
import { type StandIn, startStandIn } from "./server/start.js"

const expires = new Date(1_900_000_000_123)

let standIn: StandIn
beforeAll(async () => {
  standIn = await startStandIn()
})

/** Rows with unique keys, because all tests share the server. */
function rows() {
  const userId = new ObjectId().toHexString()
  const email = `${userId}@example.com`
  return {
    user: { id: userId, email, emailVerified: null },
    newEmail: `new.${email}`,
    account: { userId, type: "oauth", provider: "acme", providerAccountId: userId } as const,
    session: { sessionToken: `s${userId}`, userId, expires },
    token: { identifier: email, token: "t", expires },
    passkey: {
      credentialID: `c${userId}`,
      userId,
      providerAccountId: "c",
      credentialPublicKey: "k",
      counter: 0,
      credentialDeviceType: "multiDevice",
      credentialBackedUp: true,
    },
  }
}

type Rows = ReturnType<typeof rows>
type Step = (adapter: LatchkeyMongoDBAdapter, rows: Rows) => unknown

const createUser: Step = (adapter, { user }) => adapter.createUser(user)

/** An operation, what it needs, and how to see its result. */
const writes: readonly (readonly [string, Step, Step, Step])[] = [
  // The engine gives a user a new id each time.
  [
    "createUser",
    () => undefined,
    (a, r) => a.createUser({ ...r.user, id: "new" }),
    (a, r) => a.getUserByEmail(r.user.email),
  ],
  [
    "updateUser",
    createUser,
    (a, r) => a.updateUser({ id: r.user.id, email: r.newEmail }),
    (a, r) => a.getUserByEmail(r.newEmail),
  ],
  ["linkAccount", createUser, (a, r) => a.linkAccount(r.account), (a, r) => a.getUserByAccount(r.account)],
  [
    "createSession",
    createUser,
    (a, r) => a.createSession(r.session),
    (a, r) => a.getSessionAndUser(r.session.sessionToken),
  ],
  [
    "createVerificationToken",
    () => undefined,
    (a, r) => a.createVerificationToken(r.token),
    (a, r) => a.useVerificationToken(r.token),
  ],
  [
    "createAuthenticator",
    createUser,
    (a, r) => a.createAuthenticator(r.passkey),
    (a, r) => a.getAuthenticator(r.passkey.credentialID),
  ],
]

const fill: Step = async (adapter, { user, account, session, passkey }) => {
  await adapter.createUser(user)
  await adapter.linkAccount(account)
  await adapter.createSession(session)
  await adapter.createAuthenticator(passkey)
}

const deletions: readonly (readonly [string, Step, Step])[] = [
  ["deleteUser", (a, r) => a.deleteUser(r.user.id), (a, r) => a.getUserByEmail(r.user.email)],
  ["deleteSessions", (a, r) => a.deleteSessions(r.user.id), (a, r) => a.getSessionAndUser(r.session.sessionToken)],
  [
    "deleteSession",
    (a, r) => a.deleteSession(r.session.sessionToken),
    (a, r) => a.getSessionAndUser(r.session.sessionToken),
  ],
  ["unlinkAccount", (a, r) => a.unlinkAccount(r.account), (a, r) => a.getUserByAccount(r.account)],
  [
    "deleteAuthenticator",
    (a, r) => a.deleteAuthenticator(r.passkey.credentialID),
    (a, r) => a.getAuthenticator(r.passkey.credentialID),
  ],
]

describe.each(["before", "after"] as const)("the connection is lost %s a command is executed", (when) => {
  /** Loses the connection at each command of `run`, and calls `check` after it came back. */
  async function atEachCommand(prepare: Step, run: Step, check: Step): Promise<number> {
    const adapter = mongodb(open(standIn.url))
    await adapter.createVerificationToken({ ...rows().token })
    for (let command = 1; ; command += 1) {
      const its = rows()
      await prepare(adapter, its)
      standIn.breakAt(command, when)
      const outcome = await (async () => run(adapter, its))().then(
        () => "done",
        () => "lost",
      )
      standIn.repair()
      await check(adapter, its)
      if (outcome === "done") return command
    }
  }

  test.each(writes)("%s can be repeated", async (_name, prepare, run, seen) => {
    const commands = await atEachCommand(prepare, run, async (adapter, its) => {
      // It may be stored already. Then the repetition says that the key is taken.
      await (async () => run(adapter, its))().catch((error: unknown) =>
        expect(error).toMatchObject({ code: "LATCHKEY_UNIQUE" }),
      )
      expect(await seen(adapter, its)).not.toBeNull()
    })
    expect(commands).toBeGreaterThan(1)
  })

  test.each(deletions)("%s can be repeated", async (_name, run, seen) => {
    const commands = await atEachCommand(fill, run, async (adapter, its) => {
      await run(adapter, its)
      expect(await seen(adapter, its)).toBeNull()
      const user = await adapter.getUser(its.user.id)
      expect(user?.id ?? null).toBe(run === deletions[0]?.[1] ? null : its.user.id)
    })
    expect(commands).toBeGreaterThan(1)
  })

  test("a token is used at most once", async () => {
    const adapter = mongodb(open(standIn.url))
    const { token } = rows()
    await adapter.createVerificationToken(token)
    standIn.breakAt(1, when)
    await expect(adapter.useVerificationToken(token)).rejects.toThrow("closed")
    standIn.repair()
    expect(await adapter.useVerificationToken(token)).toEqual(when === "before" ? token : null)
    expect(await adapter.useVerificationToken(token)).toBeNull()
  })
})

test("a server that stops makes each operation reject", async () => {
  const { url, stop } = await startStandIn()
  const adapter = mongodb(open(url.replace("serverSelectionTimeoutMS=5000", "serverSelectionTimeoutMS=50")))
  const { user } = rows()
  await adapter.createUser(user)
  await stop()
  await expect(adapter.getUser(user.id)).rejects.toThrow(/closed|ECONNREFUSED/)
  await expect(adapter.getUserByEmail(user.email)).rejects.toThrow(/closed|ECONNREFUSED/)
})

describe("MongoDB is down at the first request", () => {
  const sources: readonly (readonly [string, (client: MongoClient) => MongoSource])[] = [
    ["a client", (client) => client],
    ["a promise of a client", (client) => Promise.resolve(client)],
    ["a function that returns a client", (client) => () => client],
  ]

  test.each(sources)("with %s, users can sign in once it's up", async (_name, sourceOf) => {
    const port = await freePort()
    const client = open(`mongodb://127.0.0.1:${port}/test?serverSelectionTimeoutMS=500`)
    const adapter = mongodb(sourceOf(client))
    const { user, session } = rows()
    await expect(adapter.getSessionAndUser("unknown")).rejects.toThrow("ECONNREFUSED")
    await expect(adapter.createUser(user)).rejects.toThrow("ECONNREFUSED")
    await startStandIn(port)
    const create = async () => adapter.createUser(user)
    await expect.poll(() => create().catch(String)).toMatchObject(user)
    await adapter.createSession(session)
    expect((await adapter.getSessionAndUser(session.sessionToken))?.user).toMatchObject(user)
  })

  test("a client that the application closed stays closed", async () => {
    const { url } = await startStandIn()
    const client = open(url)
    const adapter = mongodb(client)
    expect(await adapter.getUser("unknown")).toBeNull()
    await client.close()
    await expect(adapter.getUser("unknown")).rejects.toThrow("Client must be connected")
  })
})
