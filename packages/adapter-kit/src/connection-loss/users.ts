import type { Adapter, AdapterUser } from "@latchkey/core/adapters"
import type { Surroundings } from "../conformance/case.js"
import { expectFields, fail } from "../conformance/check.js"
import { accountKey, anAccount, aUser, deletionMethods, instant, unique } from "../conformance/fixtures.js"
import { defineOperation, expectAllOrNothing, expectSame, type Operation } from "./operation.js"

export const userOperations: readonly Operation[] = [
  defineOperation(
    { id: "loss.createUser", name: "a user is created completely or not at all", part: "basic" },
    ["createUser", "getUser", "getUserByEmail"],
    async (adapter, options) => {
      const { id: _, ...fields } = aUser(options, { emailVerified: instant(options) })
      const create = () => adapter.createUser({ ...fields, id: options.newId() })
      const isStored = async () => {
        const found = await adapter.getUserByEmail(fields.email)
        if (found !== null) expectFields("createUser stores all fields", await adapter.getUser(found.id), fields)
        return found !== null
      }
      return { operate: create, verify: (outcome) => expectAllOrNothing(outcome, isStored, create) }
    },
  ),
  defineOperation(
    { id: "loss.updateUser", name: "all given fields of a user change, or none", part: "basic" },
    ["createUser", "updateUser", "getUser", "getUserByEmail"],
    async (adapter, options) => {
      const { id, email: former } = await adapter.createUser(aUser(options))
      const email = `moved.${unique()}@example.com`
      const changes = { name: "Countess", emailVerified: instant(options), email }
      const update = () => adapter.updateUser({ id, ...changes })
      const isStored = async () => {
        const user = await adapter.getUser(id)
        const changed = user?.email === email
        expectFields(
          "updateUser changes all given fields or none",
          user,
          changed ? changes : { email: former, emailVerified: null },
        )
        const [byNew, byOld] = [await adapter.getUserByEmail(email), await adapter.getUserByEmail(former)]
        const found = changed ? byNew : byOld
        expectFields("The user is found by the stored email", found, { id })
        return expectSame("The user is found by one email", { changed, new: byNew !== null, notOld: byOld === null })
      }
      return { operate: update, verify: (outcome) => expectAllOrNothing(outcome, isStored, update) }
    },
  ),
  defineOperation(
    { id: "loss.deleteUser", name: "a user is deleted with everything, or not at all", part: "basic" },
    [...deletionMethods, "getUser"],
    async (adapter, options) => {
      const { id, email } = await adapter.createUser(aUser(options))
      const account = anAccount(id)
      await adapter.linkAccount(account)
      const tokens = [unique(), unique()]
      for (const sessionToken of tokens)
        await adapter.createSession({ sessionToken, userId: id, expires: instant(options) })
      const remove = () => adapter.deleteUser(id)
      const isGone = async () => {
        const sessions = await Promise.all(tokens.map(async (token) => adapter.getSessionAndUser(token)))
        return expectSame("deleteUser deletes everything or nothing", {
          user: (await adapter.getUser(id)) === null,
          email: (await adapter.getUserByEmail(email)) === null,
          account: (await adapter.getUserByAccount(accountKey(account))) === null,
          firstSession: sessions[0] === null,
          secondSession: sessions[1] === null,
        })
      }
      return { operate: remove, verify: (outcome) => expectAllOrNothing(outcome, isGone, remove) }
    },
  ),
  defineOperation(
    { id: "loss.readUser", name: "reading a user rejects or returns them, and never null", part: "basic" },
    ["createUser", "getUser", "getUserByEmail", "linkAccount", "getUserByAccount"],
    async (adapter, options) => {
      const { id, email } = await adapter.createUser(aUser(options))
      const account = anAccount(id)
      await adapter.linkAccount(account)
      const reads = [
        async () => adapter.getUser(id),
        async () => adapter.getUserByEmail(email),
        async () => adapter.getUserByAccount(accountKey(account)),
      ]
      const results: PromiseSettledResult<AdapterUser | null>[] = []
      return {
        operate: async () => {
          for (const read of reads) results.push(...(await Promise.allSettled([read()])))
        },
        verify: async () => {
          for (const result of results)
            if (result.status === "fulfilled")
              expectFields("A read that succeeds returns the user", result.value, { id })
          for (const read of reads) expectFields("The next read returns the user", await read(), { id })
        },
      }
    },
  ),
  defineOperation(
    { id: "loss.transaction", name: "a transaction commits all its writes or none", part: "transaction" },
    ["getUserByEmail", "getUserByAccount", "transaction"],
    async (adapter, options) => {
      const [user, account] = [aUser(options), anAccount("")]
      const signUp = () => adapter.transaction((inside) => signUpIn(inside, user, account, options))
      const isStored = async () => {
        const byEmail = await adapter.getUserByEmail(user.email)
        const byAccount = await adapter.getUserByAccount(accountKey(account))
        return expectSame("A transaction is stored completely or not at all", {
          user: byEmail !== null,
          account: byAccount !== null,
        })
      }
      return { operate: signUp, verify: (outcome) => expectAllOrNothing(outcome, isStored, signUp) }
    },
  ),
]

async function signUpIn(
  inside: Adapter,
  user: AdapterUser,
  account: ReturnType<typeof anAccount>,
  { newId }: Surroundings,
): Promise<void> {
  const created = await inside.createUser?.({ ...user, id: newId() })
  if (!created) fail("The adapter in a transaction has createUser", "no createUser")
  await inside.linkAccount?.({ ...account, userId: created.id })
}
