import { accountFunctions, readingFunctions, type UserAccount } from "../model/account.js"
import type { Awaitable } from "../primitives/awaitable.js"
import type { Calls } from "./calls.js"
import { keep, markChanged, requireUnsent, visitorOf } from "./state.js"

/** The functions of an account. Each call keeps the cookies that it sets, for later calls and for the response. */
export function accountOf<E extends object>(
  calls: Calls<E>,
  event: E,
  changed?: () => Awaitable<unknown>,
): UserAccount {
  const state = calls.stateOf(event)
  const call =
    (name: keyof UserAccount) =>
    async (...args: unknown[]): Promise<unknown> => {
      const isChange = !readingFunctions.has(name)
      if (isChange) requireUnsent(state, event)
      const { server } = await calls.authFor(event)
      const account = server.account(visitorOf(state, event))
      try {
        return await Reflect.apply(account[name], account, args)
      } finally {
        // The next read of the session finds what the call has left of it.
        if (isChange) markChanged(state)
        keep(state, event, account.cookies)
        if (isChange) await changed?.()
      }
    }
  return Object.fromEntries(accountFunctions.map((name) => [name, call(name)])) as unknown as UserAccount
}
