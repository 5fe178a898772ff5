import type { Happening } from "../model/audit.js"
import type { EventCallbacks } from "../model/callbacks.js"

type Message<N extends keyof EventCallbacks> = Parameters<NonNullable<EventCallbacks[N]>>[0]

/** The security event that follows from an event. Failures have no events of their own, except for `signInFailure`. */
export const derivedEvents: { readonly [N in keyof EventCallbacks]?: (message: Message<N>) => Happening } = {
  signIn: ({ user, account, isNewUser }) => ({
    ...by(user, "sign-in"),
    data: { provider: account?.provider, method: account?.type, isNewUser },
  }),
  signOut: (message) => by({ id: endedUser(message) }, "sign-out"),
  createUser: ({ user }) => by(user, "user.created"),
  updateUser: ({ user }) => by(user, "email.verified"),
  linkAccount: ({ user, account }) => ({
    ...by(user, account.type === "webauthn" ? "passkey.added" : "account.linked"),
    data: { provider: account.provider },
  }),
  unlinkAccount: ({ user, account }) => ({
    ...by(user, account.type === "webauthn" ? "passkey.removed" : "account.unlinked"),
    data: { provider: account.provider },
  }),
  removePasskey: ({ user }) => by(user, "passkey.removed"),
  renamePasskey: ({ user }) => by(user, "passkey.renamed"),
  revokeSessions: ({ user, scope, count }) => ({ ...by(user, "sessions.revoked"), data: { scope, count } }),
  requestEmailChange: ({ user }) => by(user, "email-change.requested"),
  changeEmail: ({ user }) => by(user, "email.changed"),
  deleteUser: ({ user }) => by(user, "user.deleted"),
}

/** Something that the user has done. */
function by({ id }: { readonly id?: string | undefined }, name: Happening["name"]): Happening {
  return { name, outcome: "success", user: id, by: "subject" }
}

function endedUser(message: Message<"signOut">): string | undefined {
  return "token" in message ? message.token?.sub : message.session?.userId
}
