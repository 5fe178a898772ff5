import { AdapterError } from "../../errors.js"
import { maxListed } from "../../limits/of-growth.js"
import type { UserAccount } from "../../model/account.js"
import type { AuthContext } from "../../model/auth.js"
import type { SetCookie } from "../../model/cookie.js"
import type { AuthRequest } from "../../model/http.js"
import type { SecurityEventName } from "../../model/security-event.js"
import { reasonOf } from "../../observability/audit.js"
import { changeEmail, confirmEmail } from "./change-email.js"
import { deleteAccount } from "./delete-account.js"
import { listLinkedAccounts, unlinkAccount } from "./linked-accounts.js"
import { overviewOf } from "./overview.js"
import { listPasskeys, removePasskey, renamePasskey } from "./passkeys.js"
import { canRevokeOthers, listSessions, revokeOtherSessions, revokeSession, revokeSessions } from "./sessions.js"
import { type StoredUser, signedIn, storedUser } from "./signed-in.js"

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
  passkeys: forUser(async (stored) => listed(await listPasskeys(stored))),
  renamePasskey: change("passkey.renamed", async (stored, id, name) => result(await renamePasskey(stored, id, name))),
  removePasskey: change("passkey.removed", async (stored, id) => result(await removePasskey(stored, id))),
  accounts: forUser(async (stored) => listed(await listLinkedAccounts(stored))),
  unlinkAccount: change("account.unlinked", async (stored, key) => result(await unlinkAccount(stored, key))),
  sessions: forUser(async (stored) => listed(await listSessions(stored))),
  revokeSession: change("sessions.revoked", revokeSession),
  revokeOtherSessions: change("sessions.revoked", revokeOtherSessions),
  revokeSessions: change("sessions.revoked", revokeSessions),
  changeEmail: change("email-change.requested", async (stored, email) => result(await changeEmail(stored, email))),
  confirmEmail: change("email.changed", async (stored, { token, email, revokeOtherSessions: endsOthers = false }) => {
    const cookies = await confirmEmail(stored, { token, email })
    if (endsOthers && canRevokeOthers(stored.auth)) await revokeOtherSessions(stored)
    return { value: undefined, cookies }
  }),
  deleteAccount: change("user.deleted", async (stored) => ({ value: undefined, cookies: await deleteAccount(stored) })),
}

type Work<Args extends readonly unknown[], T> = (stored: StoredUser, ...args: Args) => Promise<Outcome<T>>
type ForUser<Args extends readonly unknown[], T> = (
  auth: AuthContext,
  request: AuthRequest,
  ...args: Args
) => Promise<Outcome<T>>

/** Its success has an event. A refusal, and an id that names nothing of this user, are security events too. */
function change<Args extends readonly unknown[], T>(name: SecurityEventName, work: Work<Args, T>): ForUser<Args, T> {
  const run = forUser(work)
  return async (auth, request, ...args) => {
    try {
      const outcome = await run(auth, request, ...args)
      if (outcome.value === false) await auth.audit?.emit({ name, outcome: "failure", reason: "NotFound" })
      return outcome
    } catch (cause) {
      await auth.audit?.emit({ name, outcome: "failure", reason: reasonOf(cause) })
      throw cause
    }
  }
}

/** A user who was deleted meanwhile isn't signed in anymore, and isn't a failure of the adapter. */
function forUser<Args extends readonly unknown[], T>(work: Work<Args, T>): ForUser<Args, T> {
  return async (auth, request, ...args) => {
    const stored = await storedUser(auth, request)
    try {
      return await work(stored, ...args)
    } catch (cause) {
      if (cause instanceof AdapterError) await storedUser(auth, request)
      throw cause
    }
  }
}

function result<T>(value: T): Outcome<T> {
  return { value, cookies: [] }
}

function listed<T>(items: readonly T[]): Outcome<readonly T[]> {
  return result(items.slice(0, maxListed))
}
