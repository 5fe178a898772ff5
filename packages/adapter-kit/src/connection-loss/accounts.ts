import { expectFields } from "../conformance/check.js"
import { accountKey, anAccount, anAuthenticator, aUser } from "../conformance/fixtures.js"
import { readAccount } from "../conformance/values.js"
import { defineOperation, expectAllOrNothing, expectSame, type Operation } from "./operation.js"

export const accountOperations: readonly Operation[] = [
  defineOperation(
    { id: "loss.linkAccount", name: "an account is linked completely or not at all", part: "basic" },
    ["createUser", "linkAccount", "getUserByAccount"],
    async (adapter, options) => {
      const { id } = await adapter.createUser(aUser(options))
      const account = anAccount(id)
      const link = () => adapter.linkAccount(account)
      const isStored = async () => {
        const owner = await adapter.getUserByAccount(accountKey(account))
        if (owner !== null) expectFields("linkAccount links the user", owner, { id })
        const rows = await readAccount(adapter, account)
        for (const row of rows) expectFields("linkAccount stores all fields", row, account)
        return expectSame("An account is found by each method", {
          byAccount: owner !== null,
          ...(adapter.getAccount && { getAccount: rows.length > 0 }),
        })
      }
      return { operate: link, verify: (outcome) => expectAllOrNothing(outcome, isStored, link) }
    },
  ),
  defineOperation(
    { id: "loss.unlinkAccount", name: "an account is unlinked completely or not at all", part: "basic" },
    ["createUser", "linkAccount", "unlinkAccount", "getUserByAccount"],
    async (adapter, options) => {
      const { id } = await adapter.createUser(aUser(options))
      const account = anAccount(id)
      await adapter.linkAccount(account)
      const unlink = () => adapter.unlinkAccount(accountKey(account))
      const isGone = async () => (await adapter.getUserByAccount(accountKey(account))) === null
      return {
        operate: unlink,
        verify: async (outcome) => {
          await expectAllOrNothing(outcome, isGone, unlink)
          await adapter.linkAccount(account)
          const owner = await adapter.getUserByAccount(accountKey(account))
          expectFields("An unlinked account can be linked again", owner, { id })
        },
      }
    },
  ),
  defineOperation(
    { id: "loss.createAuthenticator", name: "a passkey is stored completely or not at all", part: "webauthn" },
    ["createUser", "createAuthenticator", "getAuthenticator", "listAuthenticatorsByUserId"],
    async (adapter, options) => {
      const { id: userId } = await adapter.createUser(aUser(options))
      const passkey = anAuthenticator(userId)
      const create = () => adapter.createAuthenticator(passkey)
      const isStored = async () => {
        const found = await adapter.getAuthenticator(passkey.credentialID)
        if (found !== null) expectFields("createAuthenticator stores all fields", found, passkey)
        const listed = await adapter.listAuthenticatorsByUserId(userId)
        return expectSame("A passkey is found by each method", { found: found !== null, listed: listed.length > 0 })
      }
      return { operate: create, verify: (outcome) => expectAllOrNothing(outcome, isStored, create) }
    },
  ),
  defineOperation(
    {
      id: "loss.updateAuthenticatorCounter",
      name: "a counter is stored, or its passkey is unchanged",
      part: "webauthn",
    },
    ["createUser", "createAuthenticator", "getAuthenticator", "updateAuthenticatorCounter"],
    async (adapter, options) => {
      const { id: userId } = await adapter.createUser(aUser(options))
      const passkey = anAuthenticator(userId)
      await adapter.createAuthenticator(passkey)
      const update = () => adapter.updateAuthenticatorCounter(passkey.credentialID, 7)
      const isStored = async () => {
        const found = await adapter.getAuthenticator(passkey.credentialID)
        const counter = found?.counter === 7 ? 7 : 0
        expectFields("updateAuthenticatorCounter changes only the counter", found, { ...passkey, counter })
        return counter === 7
      }
      return { operate: update, verify: (outcome) => expectAllOrNothing(outcome, isStored, update) }
    },
  ),
]
