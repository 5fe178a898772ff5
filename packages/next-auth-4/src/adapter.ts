import type { Adapter as EngineAdapter } from "@latchkey/core/adapters"
import type { Adapter } from "./adapters.js"
import { accountOf } from "./callbacks.js"
import type { Anything } from "./model.js"
import { currentVisit } from "./visit.js"

const methods = [
  "getUser",
  "getUserByEmail",
  "getUserByAccount",
  "updateUser",
  "deleteUser",
  "unlinkAccount",
  "createSession",
  "getSessionAndUser",
  "updateSession",
  "deleteSession",
  "createVerificationToken",
  "useVerificationToken",
] as const

/** The adapter, called as version 4 calls it: the database chooses the id of a user, and accounts are of the type `oauth`. */
export function adapterOf(adapter: Adapter): EngineAdapter {
  const given: Anything = adapter
  const called = methods.filter((name) => typeof given[name] === "function")
  return {
    ...Object.fromEntries(called.map((name) => [name, (...args: unknown[]) => given[name](...args)])),
    ...(given.createUser && { createUser: (user: Anything) => given.createUser(newUser(user)) }),
    ...(given.linkAccount && { linkAccount: (account: unknown) => given.linkAccount(accountOf(account)) }),
    ...(given.records && { records: given.records }),
  } as EngineAdapter
}

/** Version 4 didn't take the word of a provider for an email. */
function newUser(given: Anything): Anything {
  const { id: _, ...user } = given
  return currentVisit()?.profile === undefined ? user : { ...user, emailVerified: null }
}
