import type { Adapter, AdapterAccount, AdapterUser } from "@latchkey/core/adapters"
import { afterEach, beforeEach, describe, expect, inject, onTestFinished, test } from "vitest"
import { type LayoutCase, layouts } from "./layouts.js"

/** Where the process runs. The servers are set to another zone; see `places.ts`. */
const zones = ["UTC", "America/New_York", "Asia/Kolkata"]

/** In the hour that New York repeats, and in seconds, because a type of MySQL has no fractions. */
const verified = new Date("2031-11-02T05:30:00Z")
const expires = new Date("2031-11-02T06:30:00Z")

type Full = Required<Pick<Adapter, (typeof methods)[number]>>

const methods = [
  "createUser",
  "getUser",
  "getUserByEmail",
  "getUserByAccount",
  "updateUser",
  "deleteUser",
  "linkAccount",
  "createSession",
  "getSessionAndUser",
  "updateSession",
  "deleteSession",
  "createVerificationToken",
  "useVerificationToken",
] as const

function hasAll(adapter: Adapter | undefined): adapter is Adapter & Full {
  return adapter !== undefined && methods.every((name) => typeof adapter[name] === "function")
}

async function open(of: LayoutCase): Promise<{ ours: Adapter & Full; theirs: Adapter & Full }> {
  const opened = await of.open("swap")
  onTestFinished(() => opened.close())
  const [ours, theirs] = [opened.ours(), opened.theirs]
  if (!hasAll(theirs) || !hasAll(ours)) throw new Error("The published adapter lacks a method")
  return { ours, theirs }
}

const ada = { email: "ada@example.com", name: "Ada", image: "https://example.com/ada.png", emailVerified: verified }
const tokens = {
  access_token: "access",
  refresh_token: "refresh",
  id_token: "id",
  expires_at: 1_950_000_000,
  scope: "openid email",
  token_type: "bearer" as const,
  session_state: "state",
}
const token = { identifier: ada.email, token: "hashed", expires }

async function write(adapter: Full): Promise<{ user: AdapterUser; account: AdapterAccount }> {
  const user = await adapter.createUser({ ...ada, id: crypto.randomUUID() })
  const account = { userId: user.id, type: "oidc", provider: "acme", providerAccountId: "1", ...tokens } as const
  await adapter.linkAccount(account)
  await adapter.createSession({ sessionToken: "session", userId: user.id, expires })
  await adapter.createVerificationToken(token)
  return { user, account }
}

async function expectSame(adapter: Full, user: AdapterUser): Promise<void> {
  const expected = { ...ada, id: user.id }
  expect(await adapter.getUser(user.id)).toMatchObject(expected)
  expect(await adapter.getUserByEmail(ada.email)).toMatchObject(expected)
  expect(await adapter.getUserByAccount({ provider: "acme", providerAccountId: "1" })).toMatchObject(expected)
  expect(await adapter.getSessionAndUser("session")).toMatchObject({
    session: { sessionToken: "session", userId: user.id, expires },
    user: expected,
  })
  expect(await adapter.useVerificationToken({ identifier: token.identifier, token: token.token })).toMatchObject(token)
}

const swappable = layouts.filter(({ layout }) => layout !== "authjs-prisma")

describe.each(swappable)("the tables of $name", (of) => {
  describe.skipIf(of.server !== undefined && inject(of.server) === undefined)("on the server", () => {
    describe.each(zones)("with a process in %s", (zone) => {
      let before: string | undefined
      beforeEach(() => {
        before = process.env["TZ"]
        process.env["TZ"] = zone
      })
      afterEach(() => {
        if (before === undefined) delete process.env["TZ"]
        else process.env["TZ"] = before
      })

      test("are read as the published adapter wrote them", async () => {
        const { ours, theirs } = await open(of)
        const { user, account } = await write(theirs)
        expect(await ours.listAccounts?.(user.id)).toMatchObject([account])
        await expectSame(ours, user)
      })

      test("are written so that the published adapter reads them", async () => {
        const { ours, theirs } = await open(of)
        const { user, account } = await write(ours)
        if (theirs.getAccount) expect(await theirs.getAccount("1", "acme")).toMatchObject(account)
        await expectSame(theirs, user)
      })

      test("are changed by both", async () => {
        const { ours, theirs } = await open(of)
        const { user } = await write(theirs)
        const [later, latest] = [new Date("2032-03-14T07:30:00Z"), new Date("2033-07-01T12:00:00Z")]
        await ours.updateSession({ sessionToken: "session", expires: later })
        await ours.updateUser({ id: user.id, name: "Countess", emailVerified: later })
        expect(await theirs.getSessionAndUser("session")).toMatchObject({
          session: { expires: later },
          user: { name: "Countess", email: ada.email, emailVerified: later },
        })
        await theirs.updateSession({ sessionToken: "session", expires: latest })
        await theirs.updateUser({ id: user.id, email: "countess@example.com" })
        expect(await ours.getSessionAndUser("session")).toMatchObject({
          session: { expires: latest },
          user: { name: "Countess", email: "countess@example.com" },
        })
        await theirs.deleteSession("session")
        expect(await ours.getSessionAndUser("session")).toBeNull()
        await ours.createSession({ sessionToken: "another", userId: user.id, expires })
        await ours.deleteUser(user.id)
        expect(await theirs.getSessionAndUser("another")).toBeNull()
        expect(await theirs.getUserByAccount({ provider: "acme", providerAccountId: "1" })).toBeNull()
      })
    })

    test("aren't changed at the first use", async () => {
      const opened = await of.open("unchanged")
      onTestFinished(() => opened.close())
      const catalog = async () => opened.place.rows(catalogs[of.server ?? "sqlite"])
      const before = await catalog()
      expect(before.length).toBeGreaterThan(10)
      const ours = opened.ours()
      const { id } = await ours.createUser({ ...ada, id: crypto.randomUUID() })
      await ours.createSession({ sessionToken: "session", userId: id, expires })
      expect((await ours.rateLimits.take("key", { points: 1, seconds: 60 })).allowed).toBe(true)
      expect((await ours.rateLimits.take("key", { points: 1, seconds: 60 })).allowed).toBe(false)
      expect(await catalog()).toEqual(before)
    })

    test("get only what they lack by a plan, once, and the published adapter works as before", async () => {
      const opened = await of.open("planned")
      onTestFinished(() => opened.close())
      const [ours, theirs] = [opened.ours(), opened.theirs]
      if (!hasAll(theirs)) throw new Error("The published adapter lacks a method")
      const { user } = await write(theirs)
      const planned = await ours.plan()
      expect(planned.join("\n")).toMatch(/latchkey_rate_limits/)
      for (const statement of planned)
        expect(statement).toMatch(/^(?:create (?:unique )?(?:index|table)|alter table \S+ add column) /)
      await ours.migrate()
      expect(await ours.plan()).toEqual([])
      const problems = (await ours.check()).filter(({ problem }) => !problem.includes("has no foreign key"))
      expect(problems).toEqual([])
      expect((await ours.rateLimits.take("key", { points: 1, seconds: 60 })).allowed).toBe(true)
      expect(await opened.place.rows("select points from latchkey_rate_limits")).toHaveLength(1)
      await expectSame(theirs, user)
      await theirs.createUser({ ...ada, id: crypto.randomUUID(), email: "grace@example.com" })
    })
  })
})

const catalogs = {
  postgres:
    "select table_name, column_name, data_type, is_nullable, column_default from information_schema.columns where table_schema = 'public' order by 1, 2",
  mariadb:
    "select table_name, column_name, column_type, is_nullable from information_schema.columns where table_schema = database() order by 1, 2",
  sqlite: "select m.name as t, p.* from sqlite_master m join pragma_table_info(m.name) p order by 1, 2",
}
