import { PrismaAdapter as Published } from "@auth/prisma-adapter"
import type { Adapter } from "@latchkey/core/adapters"
import { PrismaAdapter } from "@latchkey/prisma"
import { describe, expect, inject, test } from "vitest"
import { type Client, overMariadb, overPg, overSqlite } from "./clients.js"

type Pair = Readonly<Record<"ours" | "theirs", Required<Adapter>>>

const expires = new Date("2031-03-30T01:30:00.789Z")

async function fill(adapter: Required<Adapter>) {
  const user = await adapter.createUser({
    id: "given",
    name: "Ada 👩‍🚀",
    email: "ada@example.com",
    emailVerified: expires,
    image: "https://example.com/ada.png",
  })
  const account = {
    userId: user.id,
    type: "oidc",
    provider: "acme",
    providerAccountId: "Ada-1",
    access_token: "at",
    refresh_token: "rt",
    id_token: "it",
    expires_at: 1_900_000_000,
    token_type: "bearer",
    scope: "openid",
    session_state: "s",
  } as const
  await adapter.linkAccount(account)
  const session = { sessionToken: "session-token", userId: user.id, expires }
  await adapter.createSession(session)
  const token = { identifier: "ada@example.com", token: "hash", expires }
  await adapter.createVerificationToken(token)
  const passkey = {
    credentialID: "Y3JlZA==",
    userId: user.id,
    providerAccountId: "Y3JlZA==",
    credentialPublicKey: "a2V5",
    counter: 7,
    credentialDeviceType: "multiDevice",
    credentialBackedUp: true,
    transports: "internal,hybrid",
  }
  await adapter.createAuthenticator(passkey)
  return { user, account, session, token, passkey }
}

async function expectAll(adapter: Required<Adapter>, stored: Awaited<ReturnType<typeof fill>>): Promise<void> {
  const { user, account, session, token, passkey } = stored
  const { provider, providerAccountId } = account
  expect(await adapter.getUser(user.id)).toEqual(user)
  expect(await adapter.getUserByEmail(user.email)).toEqual(user)
  expect(await adapter.getUserByAccount({ provider, providerAccountId })).toEqual(user)
  expect(await adapter.getAccount(providerAccountId, provider)).toMatchObject(account)
  expect(await adapter.getSessionAndUser(session.sessionToken)).toMatchObject({ session, user })
  expect(await adapter.getAuthenticator(passkey.credentialID)).toEqual(passkey)
  expect(await adapter.listAuthenticatorsByUserId(user.id)).toEqual([passkey])
  expect(await adapter.useVerificationToken({ identifier: token.identifier, token: token.token })).toEqual(token)
}

function readsAndWrites(name: string, open: () => Promise<Pair>): void {
  describe(`${name} over its tables`, () => {
    test("has what @auth/prisma-adapter stored", async () => {
      const { ours, theirs } = await open()
      await expectAll(ours, await fill(theirs))
    })

    test("stores what @auth/prisma-adapter reads", async () => {
      const { ours, theirs } = await open()
      await expectAll(theirs, await fill(ours))
    })

    test("changes and deletes rows of @auth/prisma-adapter", async () => {
      const { ours, theirs } = await open()
      const { user, account, session, passkey } = await fill(theirs)
      await ours.updateUser({ id: user.id, name: "Countess" })
      await ours.updateAccount({ ...account, access_token: "fresh" })
      await ours.updateSession({ sessionToken: session.sessionToken, expires: new Date("2033-01-01T00:00:00Z") })
      await ours.updateAuthenticator(passkey.credentialID, { counter: 8, credentialBackedUp: false })
      expect(await theirs.getUser(user.id)).toEqual({ ...user, name: "Countess", updatedAt: expect.any(Date) })
      expect(await theirs.getAccount(account.providerAccountId, "acme")).toMatchObject({
        ...account,
        access_token: "fresh",
      })
      expect((await theirs.getSessionAndUser(session.sessionToken))?.session.expires.getUTCFullYear()).toBe(2033)
      expect(await theirs.getAuthenticator(passkey.credentialID)).toMatchObject({
        counter: 8,
        credentialBackedUp: false,
      })
      await ours.deleteUser(user.id)
      expect(await theirs.getUser(user.id)).toBeNull()
      expect(await theirs.getSessionAndUser(session.sessionToken)).toBeNull()
      expect(await theirs.getAuthenticator(passkey.credentialID)).toBeNull()
    })
  })
}

/** Both adapters over the same tables. */
function pair(client: Client): Pair {
  // The methods are the same, and the types of their dates and accounts come from another package.
  const theirs: object = Published(client as Parameters<typeof Published>[0])
  return { ours: PrismaAdapter(client) as Required<Adapter>, theirs: theirs as Required<Adapter> }
}

readsAndWrites("SQLite", async () => pair(await overSqlite("published")))
describe.skipIf(inject("postgres") === undefined)("on a server", () => {
  let count = 0
  readsAndWrites("PostgreSQL", async () => pair(await overPg(`prisma_pair_${++count}`, "published")))
})
describe.skipIf(inject("mariadb") === undefined)("on a server", () => {
  let count = 0
  readsAndWrites("MariaDB", async () => pair(await overMariadb(`prisma_pair_${++count}`, "published")))
})
