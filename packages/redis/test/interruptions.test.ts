import type { AdapterAccount, AdapterAuthenticator, AdapterUser } from "@latchkey/core/adapters"
import { redis, type RedisAdapter } from "@latchkey/redis"
import { afterAll, describe, expect, test } from "vitest"
import { ioredis, ownPrefix, serverUrl, hasServers } from "./clients.js"
import { Interrupted, interrupted, type Loss, paused } from "./interrupted.js"

const expires = new Date(Date.now() + 3_600_000)

/** What is stored before the interrupted operation: two users, each with two of everything. */
interface World {
  readonly prefix: string
  readonly adapter: RedisAdapter
  /** The adapter of a process that ends during the operation. */
  readonly dying: RedisAdapter
  readonly ada: AdapterUser
  readonly bob: AdapterUser
}

interface Operation {
  readonly name: string
  readonly run: (world: World, adapter: RedisAdapter) => Promise<unknown>
  /** What holds after the operation was repeated. */
  readonly done: (world: World) => Promise<void>
}

const account = (user: { id: string }, providerAccountId: string): AdapterAccount => ({
  userId: user.id,
  type: "oidc",
  provider: "acme",
  providerAccountId,
})

const passkey = (user: { id: string }, credentialID: string): AdapterAuthenticator => ({
  credentialID,
  userId: user.id,
  providerAccountId: credentialID,
  credentialPublicKey: "key",
  counter: 0,
  credentialDeviceType: "multiDevice",
  credentialBackedUp: true,
})

const token = { identifier: "ada@example.com", token: "link", expires }

const operations: readonly Operation[] = [
  {
    name: "createSession",
    run: async ({ ada }, adapter) => adapter.createSession({ sessionToken: "new", userId: ada.id, expires }),
    done: async ({ adapter, ada }) => {
      expect((await adapter.getSessionAndUser("new"))?.user.id).toBe(ada.id)
    },
  },
  {
    name: "updateSession",
    run: async (_, adapter) =>
      adapter.updateSession({ sessionToken: "ada-1", expires: new Date(Date.now() + 7_200_000) }),
    done: async ({ adapter }) => {
      const found = await adapter.getSessionAndUser("ada-1")
      expect(found?.session.expires.getTime()).toBeGreaterThan(expires.getTime())
    },
  },
  {
    name: "deleteSession",
    run: async (_, adapter) => adapter.deleteSession("ada-1"),
    done: async ({ adapter, ada }) => {
      expect(await adapter.getSessionAndUser("ada-1")).toBeNull()
      expect((await adapter.listSessions(ada.id)).map((row) => row.sessionToken)).toEqual(["ada-2"])
    },
  },
  {
    name: "deleteSessions",
    run: async ({ ada }, adapter) => adapter.deleteSessions(ada.id),
    done: async ({ adapter, ada }) => expect(await adapter.listSessions(ada.id)).toEqual([]),
  },
  {
    name: "linkAccount",
    run: async ({ ada }, adapter) => adapter.linkAccount(account(ada, "new")),
    done: async ({ adapter, ada }) => {
      const found = await adapter.getUserByAccount({ provider: "acme", providerAccountId: "new" })
      expect(found?.id).toBe(ada.id)
    },
  },
  {
    name: "unlinkAccount",
    run: async (_, adapter) => adapter.unlinkAccount({ provider: "acme", providerAccountId: "ada-1" }),
    done: async ({ adapter, ada }) => {
      expect((await adapter.listAccounts(ada.id)).map((row) => row.providerAccountId)).toEqual(["ada-2"])
    },
  },
  {
    name: "createAuthenticator",
    run: async ({ ada }, adapter) => adapter.createAuthenticator(passkey(ada, "new")),
    done: async ({ adapter, ada }) => expect((await adapter.getAuthenticator("new"))?.userId).toBe(ada.id),
  },
  {
    name: "deleteAuthenticator",
    run: async (_, adapter) => adapter.deleteAuthenticator("ada-1"),
    done: async ({ adapter }) => expect(await adapter.getAuthenticator("ada-1")).toBeNull(),
  },
  {
    name: "createVerificationToken",
    run: async (_, adapter) => adapter.createVerificationToken({ ...token, token: "new" }),
    done: async ({ adapter }) => {
      await adapter.deleteVerificationTokens(token.identifier)
      expect(await adapter.useVerificationToken({ ...token, token: "new" })).toBeNull()
    },
  },
  {
    name: "deleteVerificationTokens",
    run: async (_, adapter) => adapter.deleteVerificationTokens(token.identifier),
    done: async ({ adapter }) => expect(await adapter.useVerificationToken(token)).toBeNull(),
  },
  {
    name: "useVerificationToken",
    run: async (_, adapter) => adapter.useVerificationToken(token),
    done: async ({ adapter }) => expect(await adapter.useVerificationToken(token)).toBeNull(),
  },
  {
    name: "updateUser with another email",
    run: async ({ ada }, adapter) => adapter.updateUser({ id: ada.id, email: "countess@example.com" }),
    done: async ({ adapter, ada }) => {
      expect((await adapter.getUserByEmail("countess@example.com"))?.id).toBe(ada.id)
      expect(await adapter.getUserByEmail("ada@example.com")).toBeNull()
      const heir = await adapter.createUser({ id: "heir", email: "ada@example.com", emailVerified: null })
      expect((await adapter.getUserByEmail("ada@example.com"))?.id).toBe(heir.id)
    },
  },
]

describe.skipIf(!hasServers)("an operation that is interrupted after any of its steps", () => {
  let server: ReturnType<typeof ioredis> | undefined
  const connected = () => (server ??= ioredis(serverUrl()))
  afterAll(async () => (await server)?.close())

  const world = async (at: number, loss: Loss): Promise<World> => {
    const { client } = await connected()
    const prefix = ownPrefix()
    const adapter = redis(client, { baseKeyPrefix: prefix })
    const [ada, bob] = [await fill(adapter, "ada"), await fill(adapter, "bob")]
    const dying = redis(interrupted(client, at, loss), { baseKeyPrefix: prefix })
    return { prefix, adapter, dying, ada, bob }
  }

  async function fill(adapter: RedisAdapter, id: string): Promise<AdapterUser> {
    const user = await adapter.createUser({ id, email: `${id}@example.com`, emailVerified: null })
    for (const name of [`${id}-1`, `${id}-2`]) {
      await adapter.createSession({ sessionToken: name, userId: id, expires })
      await adapter.linkAccount(account(user, name))
      await adapter.createAuthenticator(passkey(user, name))
    }
    await adapter.createVerificationToken({ ...token, identifier: user.email })
    return user
  }

  /** Runs the check after an interruption at every step, until the operation needs no more steps. */
  async function atEachStep(
    run: Operation["run"],
    check: (world: World, isDone: boolean) => Promise<void>,
  ): Promise<number> {
    for (let at = 0; ; at++) {
      for (const loss of ["command", "answer"] as const) {
        const its = await world(at, loss)
        const [outcome] = await Promise.allSettled([run(its, its.dying)])
        const isDone = outcome.status === "fulfilled"
        if (!isDone) expect(outcome.reason).toBeInstanceOf(Interrupted)
        await check(its, isDone)
        if (isDone) return at
      }
    }
  }

  /** What holds at any time, for everything that can be read. */
  async function expectConsistent({ adapter, ada, bob }: World): Promise<void> {
    for (const name of ["ada-1", "ada-2", "new"]) {
      const session = await adapter.getSessionAndUser(name)
      const sessions = (await adapter.listSessions(ada.id)).map((row) => row.sessionToken)
      expect(sessions.includes(name), `the session ${name} is listed`).toBe(session !== null)
      const owner = await adapter.getUserByAccount({ provider: "acme", providerAccountId: name })
      const accounts = (await adapter.listAccounts(ada.id)).map((row) => row.providerAccountId)
      expect(accounts.includes(name), `the account ${name} is listed`).toBe(owner !== null)
      const key = await adapter.getAuthenticator(name)
      const keys = (await adapter.listAuthenticatorsByUserId(ada.id)).map((row) => row.credentialID)
      expect(keys.includes(name), `the passkey ${name} is listed`).toBe(key !== null)
    }
    for (const email of ["ada@example.com", "countess@example.com"]) {
      const owner = await adapter.getUserByEmail(email)
      if (owner !== null) expect(owner.email).toBe(email)
    }
    expect(await adapter.listSessions(bob.id)).toHaveLength(2)
    expect(await adapter.listAccounts(bob.id)).toHaveLength(2)
    expect(await adapter.listAuthenticatorsByUserId(bob.id)).toHaveLength(2)
  }

  test.each(operations)("$name: leaves a consistent state, and can be repeated", async ({ name, run, done }) => {
    const steps = await atEachStep(run, async (its, isDone) => {
      await expectConsistent(its)
      const [again] = await Promise.allSettled([isDone ? undefined : run(its, its.adapter)])
      // The first attempt may have stored the record before its answer was lost.
      if (again.status === "rejected") expect(again.reason).toMatchObject({ code: "LATCHKEY_UNIQUE" })
      await done(its)
      if (!name.startsWith("updateUser")) await expectConsistent(its)
    })
    expect(steps).toBeGreaterThan(1)
  })

  test("deleteSessions: ends all sessions or none", async () => {
    await atEachStep(
      async ({ ada }, adapter) => adapter.deleteSessions(ada.id),
      async ({ adapter }) => {
        const found = await Promise.all(["ada-1", "ada-2"].map(async (name) => adapter.getSessionAndUser(name)))
        expect(new Set(found.map((row) => row === null)).size).toBe(1)
      },
    )
  })

  test("deleteUser: everything is left or nothing, and a repeated call leaves no key", async () => {
    const { client } = await connected()
    const steps = await atEachStep(
      async ({ ada }, adapter) => adapter.deleteUser(ada.id),
      async (its) => {
        const { adapter, ada, prefix } = its
        await expectConsistent(its)
        const isLeft = (await adapter.getUser(ada.id)) !== null
        expect(await adapter.listSessions(ada.id)).toHaveLength(isLeft ? 2 : 0)
        expect(await adapter.listAccounts(ada.id)).toHaveLength(isLeft ? 2 : 0)
        expect(await adapter.listAuthenticatorsByUserId(ada.id)).toHaveLength(isLeft ? 2 : 0)
        await adapter.deleteUser(ada.id)
        // The email can lead to the deleted user; the next user who wants it takes it over.
        const left = (await client.keys(`${prefix}*ada*`)).filter((key) => !/email:|token/.test(key))
        expect(left).toEqual([])
        const heir = await adapter.createUser({ id: "heir", email: ada.email, emailVerified: null })
        expect(await adapter.getUserByEmail(ada.email)).toEqual(heir)
        await adapter.linkAccount(account(heir, "ada-1"))
      },
    )
    expect(steps).toBeGreaterThan(10)
  })

  test("an account and a passkey of a deleted user can be linked to another user, even if they weren't removed", async () => {
    const { client } = await connected()
    const its = await world(99, "command")
    await client.del(`${its.prefix}user:${its.ada.id}`)
    await its.adapter.linkAccount(account(its.bob, "ada-1"))
    await its.adapter.createAuthenticator(passkey(its.bob, "ada-1"))
    const found = await its.adapter.getUserByAccount({ provider: "acme", providerAccountId: "ada-1" })
    expect(found?.id).toBe(its.bob.id)
    expect(await its.adapter.listAuthenticatorsByUserId(its.bob.id)).toHaveLength(3)
  })

  test("an email that a user is about to take again goes to one user only, also if the key still leads to the former", async () => {
    const { client } = await connected()
    const { adapter, ada, prefix } = await world(99, "command")
    const email = "wanted@example.com"
    // Left over from a change that was interrupted.
    await client.set(`${prefix}user:email:${email}`, ada.id)
    // Before the key is replaced, and before the new email is stored.
    const [taker, former] = [paused(client, 4), paused(client, 5)]
    const open = (each: { readonly client: typeof taker.client }) => redis(each.client, { baseKeyPrefix: prefix })
    const taking = (async () => open(taker).createUser({ id: "eve", email, emailVerified: null }))()
    await taker.reached
    const changing = (async () => open(former).updateUser({ id: ada.id, email }))()
    await former.reached
    taker.release()
    const [taken] = await Promise.allSettled([taking])
    former.release()
    const [changed] = await Promise.allSettled([changing])
    expect([taken.status, changed.status]).toEqual(["fulfilled", "rejected"])
    expect((await adapter.getUserByEmail(email))?.id).toBe("eve")
    expect((await adapter.getUser(ada.id))?.email).toBe(ada.email)
  })

  test.each([
    ["before it's taken from the index", { unlinkAt: 2, linkAt: 99 }],
    ["after it's listed and before it's stored", { unlinkAt: 99, linkAt: 3 }],
  ])("an account that's linked while it's unlinked, %s, is listed", async (_, { unlinkAt, linkAt }) => {
    const { client } = await connected()
    const { adapter, ada, prefix } = await world(99, "command")
    const key = { provider: "acme", providerAccountId: "ada-1" }
    const [unlinker, linker] = [paused(client, unlinkAt), paused(client, linkAt)]
    const open = (each: typeof linker) => redis(each.client, { baseKeyPrefix: prefix })
    const unlink = async () => open(unlinker).unlinkAccount(key)
    const link = async () => open(linker).linkAccount(account(ada, "ada-1"))
    const [[first, last], [held, other]] = [
      unlinkAt < 99 ? [unlink, link] : [link, unlink],
      unlinkAt < 99 ? [unlinker, linker] : [linker, unlinker],
    ]
    const pending = first()
    await held.reached
    await last()
    held.release()
    await pending
    other.release()
    expect((await adapter.getUserByAccount(key))?.id).toBe(ada.id)
    // The latest account has a key of its own, and is listed in any case.
    await adapter.linkAccount(account(ada, "latest"))
    expect(await adapter.listAccounts(ada.id)).toHaveLength(3)
  })

  test("createUser: a user who isn't complete disappears within a minute, and the email is free again", async () => {
    const { client } = await connected()
    const eve = { id: "eve", email: "eve@example.com", emailVerified: null }
    await atEachStep(
      async (_, adapter) => adapter.createUser(eve),
      async ({ adapter, prefix }, isDone) => {
        const key = `${prefix}user:eve`
        const left = await client.pttl(key)
        if (isDone) return expect(left).toBe(-1)
        if (left === -1) return expect(await adapter.getUserByEmail(eve.email)).toEqual(await adapter.getUser("eve"))
        expect(left).toBeLessThanOrEqual(60_000)
        await client.del(key)
        const again = await adapter.createUser({ ...eve, id: "eve-again" })
        expect(await adapter.getUserByEmail(eve.email)).toEqual(again)
      },
    )
  })

  test("createUser: a user who isn't complete stays if they sign in again", async () => {
    const { client } = await connected()
    const eve = { id: "eve", email: "eve@example.com", emailVerified: null }
    const uses: readonly ((adapter: RedisAdapter) => unknown)[] = [
      (adapter) => adapter.updateUser({ id: "eve", emailVerified: new Date() }),
      (adapter) => adapter.linkAccount(account(eve, "eve")),
      (adapter) => adapter.createSession({ sessionToken: "eve", userId: "eve", expires }),
    ]
    for (const use of uses) {
      // The user and the email are stored, and the user still expires.
      const { adapter, dying, prefix } = await world(2, "command")
      await expect(dying.createUser(eve)).rejects.toBeInstanceOf(Interrupted)
      expect(await client.pttl(`${prefix}user:eve`)).toBeGreaterThan(0)
      await use(adapter)
      expect(await client.pttl(`${prefix}user:eve`)).toBe(-1)
    }
  })
})
