import { NotConfirmed } from "../../errors.js"
import { acted, field } from "../../account/functions.js"
import { storedUser } from "../../account/signed-in.js"
import type { AuthContext } from "../../model/auth.js"
import type { AccountPart } from "../../model/features.js"
import type { AuthRequest } from "../../model/http.js"
import { ownFunctions } from "./functions.js"

/** By the field `action` of the form. */
export const ownActions: AccountPart<AuthContext>["actions"] = {
  "update-profile": async (auth, request) => {
    // An empty field removes what's stored. A form without the field leaves it.
    const sent = (name: "name" | "image") => (name in request.body ? { [name]: field(request, name) } : {})
    const changes = { ...sent("name"), ...sent("image") }
    return acted("profile-changed", await ownFunctions.updateProfile(auth, request, changes))
  },
  "revoke-session": async (auth, request) =>
    acted("session-ended", await ownFunctions.revokeSession(auth, request, field(request, "id"))),
  "revoke-other-sessions": async (auth, request) =>
    acted("others-ended", await ownFunctions.revokeOtherSessions(auth, request)),
  "revoke-sessions": async (auth, request) => ({
    ...acted("session-ended", await ownFunctions.revokeSessions(auth, request)),
    isSignedOut: true,
  }),
  "change-email": async (auth, request) => {
    const { value, cookies } = await ownFunctions.changeEmail(auth, request, field(request, "email"))
    return { status: { done: "email-sent", email: value.email }, cookies, isSignedOut: false }
  },
  "confirm-email": async (auth, request) => {
    const link = { token: field(request, "token"), email: field(request, "email") }
    const revokeOtherSessions = field(request, "revokeOtherSessions") !== ""
    return acted("email-changed", await ownFunctions.confirmEmail(auth, request, { ...link, revokeOtherSessions }))
  },
  "delete-account": async (auth, request) => {
    await assertConfirmed(auth, request)
    return { ...acted("deleted", await ownFunctions.deleteAccount(auth, request)), isSignedOut: true }
  },
}

/**
 * The user has typed the email of the account. Without an email, the box is checked.
 *
 * @throws NotConfirmed
 */
async function assertConfirmed(auth: AuthContext, request: AuthRequest): Promise<void> {
  const { user } = await storedUser(auth, request)
  const typed = field(request, "confirm").trim().toLowerCase()
  const wanted = typeof user.email === "string" ? user.email.trim().toLowerCase() : "on"
  if (typed === wanted) return
  await auth.audit?.emit({ name: "user.deleted", outcome: "failure", reason: NotConfirmed.type })
  throw new NotConfirmed("The confirmation is missing. Send the user's email as `confirm`")
}
