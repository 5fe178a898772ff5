import { NotConfirmed } from "../../errors.js"
import { textOf } from "../../http/auth-request.js"
import type { AuthContext } from "../../model/auth.js"
import type { SetCookie } from "../../model/cookie.js"
import type { AccountStatus, AuthRequest } from "../../model/http.js"
import { account, type Outcome } from "./account.js"
import { storedUser } from "./signed-in.js"

/** What a form of the account page did. */
export interface Acted {
  /** `undefined`: nothing, because the user has no such passkey, account or session. */
  readonly status: AccountStatus | undefined
  readonly cookies: readonly SetCookie[]
  /** No user is signed in anymore in this browser. */
  readonly isSignedOut: boolean
}

type Action = (auth: AuthContext, request: AuthRequest) => Promise<Acted>

/** By the field `action` of the form. */
export const actions: ReadonlyMap<string, Action> = new Map<string, Action>([
  [
    "rename-passkey",
    async (auth, request) =>
      acted("renamed", await account.renamePasskey(auth, request, field(request, "id"), field(request, "name"))),
  ],
  [
    "remove-passkey",
    async (auth, request) => acted("passkey-removed", await account.removePasskey(auth, request, field(request, "id"))),
  ],
  [
    "unlink-account",
    async (auth, request) => {
      const key = { provider: field(request, "provider"), providerAccountId: field(request, "providerAccountId") }
      return acted("disconnected", await account.unlinkAccount(auth, request, key))
    },
  ],
  [
    "revoke-session",
    async (auth, request) => acted("session-ended", await account.revokeSession(auth, request, field(request, "id"))),
  ],
  [
    "revoke-other-sessions",
    async (auth, request) => acted("others-ended", await account.revokeOtherSessions(auth, request)),
  ],
  [
    "revoke-sessions",
    async (auth, request) => ({
      ...acted("session-ended", await account.revokeSessions(auth, request)),
      isSignedOut: true,
    }),
  ],
  [
    "change-email",
    async (auth, request) => {
      const { value, cookies } = await account.changeEmail(auth, request, field(request, "email"))
      return { status: { done: "email-sent", email: value.email }, cookies, isSignedOut: false }
    },
  ],
  [
    "confirm-email",
    async (auth, request) => {
      const link = { token: field(request, "token"), email: field(request, "email") }
      const revokeOtherSessions = field(request, "revokeOtherSessions") !== ""
      return acted("email-changed", await account.confirmEmail(auth, request, { ...link, revokeOtherSessions }))
    },
  ],
  [
    "delete-account",
    async (auth, request) => {
      await assertConfirmed(auth, request)
      return { ...acted("deleted", await account.deleteAccount(auth, request)), isSignedOut: true }
    },
  ],
])

function acted(done: AccountStatus["done"], { value, cookies }: Outcome<unknown>): Acted {
  return { status: value === false ? undefined : { done }, cookies, isSignedOut: false }
}

function field({ body }: AuthRequest, name: string): string {
  return textOf(body[name]) ?? ""
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
