import { accountFunctions, readingFunctions } from "@latchkey/core/session-reader"
import type { UserAccount } from "@latchkey/core/types"
import { setCookies } from "./actions.js"
import type { Instance } from "./instance.js"
import { currentVisitor } from "./session.js"

/** The functions of the current user's account. The engine loads with the first call. */
export function accountOf<S>(resolve: () => Promise<Instance<S>>): UserAccount {
  const call =
    (name: keyof UserAccount) =>
    async (...args: unknown[]): Promise<unknown> => {
      const [instance, visitor] = [await resolve(), await currentVisitor()]
      const account = (await instance.engine()).account(visitor)
      try {
        return await Reflect.apply(account[name], account, args)
      } finally {
        // A Server Component can't set cookies.
        if (!readingFunctions.has(name)) await setCookies(account.cookies)
      }
    }
  return Object.fromEntries(accountFunctions.map((name) => [name, call(name)])) as unknown as UserAccount
}
