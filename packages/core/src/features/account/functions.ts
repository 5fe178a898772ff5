import { accountParts, change, forUser, listed, result } from "../../account/functions.js"
import { signedIn } from "../../account/signed-in.js"
import type { UserAccount } from "../../model/account.js"
import type { AuthContext } from "../../model/auth.js"
import type { AccountFunctions } from "../../model/features.js"
import { changeEmail, confirmEmail } from "./change-email.js"
import { deleteAccount } from "./delete-account.js"
import { overviewOf } from "./overview.js"
import { updateProfile } from "./profile.js"
import { canRevokeOthers, listSessions, revokeOtherSessions, revokeSession, revokeSessions } from "./sessions.js"

type OwnFunction = Exclude<
  keyof UserAccount,
  "passkeys" | "renamePasskey" | "removePasskey" | "accounts" | "unlinkAccount"
>

/** Those of every user. Features add the others. */
export const ownFunctions: Pick<AccountFunctions<AuthContext>, OwnFunction> = {
  overview: async (auth, request) => result(await overviewOf(await signedIn(auth, request))),
  updateProfile: change("profile.changed", async (stored, changes) => ({
    value: undefined,
    cookies: await updateProfile(stored, changes),
  })),
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

/** With those of features. */
export async function functionsOf(auth: AuthContext): Promise<Partial<AccountFunctions<AuthContext>>> {
  const parts = await accountParts(auth)
  return Object.assign({}, ownFunctions, ...parts.map(({ functions }) => functions))
}
