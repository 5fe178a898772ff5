import { dynamodb, type LatchkeyDynamoDBAdapter } from "@latchkey/dynamodb"
import { beforeAll, describe, expect, test } from "vitest"
import { type Running, startTable } from "./tables.js"

const expires = new Date(1_900_000_000_123)

let running: Running
beforeAll(async () => {
  running = await startTable()
})

/** Rows with unique keys, because all tests share the table. */
function rows() {
  const userId = crypto.randomUUID()
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
type Step = (adapter: LatchkeyDynamoDBAdapter, rows: Rows) => unknown

const none: Step = () => undefined
const createUser: Step = (adapter, { user }) => adapter.createUser(user)

/** An operation, what it needs, and how to see its result. */
const writes: readonly (readonly [string, Step, Step, Step])[] = [
  // The engine gives a user a new id each time.
  [
    "createUser",
    none,
    (a, r) => a.createUser({ ...r.user, id: crypto.randomUUID() }),
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
    none,
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

describe.each(["before", "after"] as const)("the connection is lost %s a request is executed", (when) => {
  /** Loses the connection at each request of `run`, and calls `check` after it came back. */
  async function atEachRequest(prepare: Step, run: Step, check: Step): Promise<number> {
    const adapter = dynamodb(running.open())
    for (let request = 1; ; request += 1) {
      const its = rows()
      await prepare(adapter, its)
      running.breakAt(request, when)
      const outcome = await (async () => run(adapter, its))().then(
        () => "done",
        () => "lost",
      )
      running.repair()
      await check(adapter, its)
      if (outcome === "done") return request
    }
  }

  test.each(writes)("%s can be repeated", async (_name, prepare, run, seen) => {
    const requests = await atEachRequest(prepare, run, async (adapter, its) => {
      // It may be stored already. Then the repetition says that the key is taken.
      await (async () => run(adapter, its))().catch((error: unknown) =>
        expect(error).toMatchObject({ code: "LATCHKEY_UNIQUE" }),
      )
      expect(await seen(adapter, its)).not.toBeNull()
    })
    expect(requests).toBeGreaterThan(1)
  })

  test.each(deletions)("%s can be repeated", async (_name, run, seen) => {
    const requests = await atEachRequest(fill, run, async (adapter, its) => {
      await run(adapter, its)
      expect(await seen(adapter, its)).toBeNull()
    })
    expect(requests).toBeGreaterThan(1)
  })

  test("a deleted user leaves no session, account or passkey behind, and everything can be used again", async () => {
    await atEachRequest(
      fill,
      (adapter, { user }) => adapter.deleteUser(user.id),
      async (adapter, its) => {
        await adapter.deleteUser(its.user.id)
        expect(await adapter.listSessions(its.user.id)).toEqual([])
        const id = crypto.randomUUID()
        await adapter.createUser({ ...its.user, id })
        await adapter.linkAccount({ ...its.account, userId: id })
        await adapter.createAuthenticator({ ...its.passkey, userId: id })
        expect(await adapter.getUserByAccount(its.account)).toMatchObject({ id })
      },
    )
  })

  test("a token is used at most once", async () => {
    const adapter = dynamodb(running.open())
    const { token } = rows()
    await adapter.createVerificationToken(token)
    running.breakAt(1, when)
    await expect(adapter.useVerificationToken(token)).rejects.toThrow(/socket hang up|ECONNRESET/)
    running.repair()
    const again = await adapter.useVerificationToken(token)
    expect(again).toEqual(when === "before" ? token : null)
    expect(await adapter.useVerificationToken(token)).toBeNull()
  })
})

test("a key that is too long is rejected by writes and not found by reads", async () => {
  const adapter = dynamodb(running.open())
  const long = "x".repeat(2000)
  await expect(adapter.createUser({ id: "1", email: long, emailVerified: null })).rejects.toThrow(
    "longer than 1000 bytes",
  )
  expect(await adapter.getUserByEmail(long)).toBeNull()
  expect(await adapter.getUser(long)).toBeNull()
  expect(await adapter.getSessionAndUser(long)).toBeNull()
  expect(await adapter.getAuthenticator(long)).toBeNull()
  expect(await adapter.getAccount(long, "acme")).toBeNull()
  expect(await adapter.useVerificationToken({ identifier: long, token: long })).toBeNull()
  expect(await adapter.getUserByEmail("a\ud800")).toBeNull()
})

test("fields with the names of keys neither move nor replace an item", async () => {
  const adapter = dynamodb(running.open())
  const { user } = rows()
  await adapter.createUser({
    ...user,
    pk: "USER#victim",
    sk: "USER#victim",
    GSI1PK: "USER#v",
    GSI1SK: "USER#v",
  } as typeof user)
  expect(await adapter.getUser("victim")).toBeNull()
  const changes = { id: user.id, pk: "USER#victim", emailClaim: { email: "x" } }
  await adapter.updateUser(changes)
  expect(await adapter.getUser(user.id)).toEqual(user)
})

test("users without an email don't share one", async () => {
  const adapter = dynamodb(running.open())
  const without = (): typeof user =>
    JSON.parse(JSON.stringify({ id: crypto.randomUUID(), email: null, emailVerified: null }))
  const { user } = rows()
  const { id } = await adapter.createUser(without())
  await adapter.createUser(without())
  expect(await adapter.getUserByEmail("null")).toBeNull()
  await adapter.updateUser({ id, email: user.email })
  expect(await adapter.getUserByEmail(user.email)).toMatchObject({ id })
  await adapter.updateUser({ ...without(), id })
  expect(await adapter.getUserByEmail(user.email)).toBeNull()
  await adapter.createUser(user)
})
