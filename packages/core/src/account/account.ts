import { maxListed } from "../limits/of-growth.js"
import type { UserAccount } from "../model/account.js"
import type { AuthContext } from "../model/auth.js"
import type { SetCookie } from "../model/cookie.js"
import type { AuthRequest } from "../model/http.js"
import { changeEmail, confirmEmail } from "./change-email.js"
import { deleteAccount } from "./delete-account.js"
import { listLinkedAccounts, unlinkAccount } from "./linked-accounts.js"
import { overviewOf } from "./overview.js"
import { listPasskeys, removePasskey, renamePasskey } from "./passkeys.js"
import { canRevokeOthers, listSessions, revokeOtherSessions, revokeSession, revokeSessions } from "./sessions.js"
import { signedIn, storedUser } from "./signed-in.js"

/** What a function returned, and the cookies to set because of it. */
export interface Outcome<T> {
  readonly value: T
  readonly cookies: readonly SetCookie[]
}

type Implementation<F> = F extends (...args: infer Args) => Promise<infer Value>
  ? (auth: AuthContext, request: AuthRequest, ...args: Args) => Promise<Outcome<Value>>
  : never

/** Each function looks up the user of the request, and acts only on what belongs to them. */
export const account: { readonly [name in keyof UserAccount]: Implementation<UserAccount[name]> } = {
  overview: async (auth, request) => result(await overviewOf(await signedIn(auth, request))),
  passkeys: async (auth, request) => listed(await listPasskeys(await storedUser(auth, request))),
  renamePasskey: async (auth, request, id, name) =>
    result(await renamePasskey(await storedUser(auth, request), id, name)),
  removePasskey: async (auth, request, id) => result(await removePasskey(await storedUser(auth, request), id)),
  accounts: async (auth, request) => listed(await listLinkedAccounts(await storedUser(auth, request))),
  unlinkAccount: async (auth, request, key) => result(await unlinkAccount(await storedUser(auth, request), key)),
  sessions: async (auth, request) => listed(await listSessions(await storedUser(auth, request))),
  revokeSession: async (auth, request, id) => revokeSession(await storedUser(auth, request), id),
  revokeOtherSessions: async (auth, request) => revokeOtherSessions(await storedUser(auth, request)),
  revokeSessions: async (auth, request) => revokeSessions(await storedUser(auth, request)),
  changeEmail: async (auth, request, email) => result(await changeEmail(await storedUser(auth, request), email)),
  async confirmEmail(auth, request, { token, email, revokeOtherSessions: endsOthers = false }) {
    const stored = await storedUser(auth, request)
    const cookies = await confirmEmail(stored, { token, email })
    if (endsOthers && canRevokeOthers(auth)) await revokeOtherSessions(stored)
    return { value: undefined, cookies }
  },
  deleteAccount: async (auth, request) => ({
    value: undefined,
    cookies: await deleteAccount(await storedUser(auth, request)),
  }),
}

function result<T>(value: T): Outcome<T> {
  return { value, cookies: [] }
}

function listed<T>(items: readonly T[]): Outcome<readonly T[]> {
  return result(items.slice(0, maxListed))
}
