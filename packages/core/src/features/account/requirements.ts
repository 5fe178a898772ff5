import type { AdapterFor, Requirement } from "../../account/requirements.js"
import { type AuthError, InvalidProfile, MissingAdapter, UnsupportedStrategy } from "../../errors.js"
import type { AuthContext } from "../../model/auth.js"
import { hasRows } from "../../session/revocation.js"

/** What needs methods of the adapter. */
interface Methods {
  sessions: "listSessions"
  revokeSession: "listSessions" | "deleteSession"
  revokeSessions: "deleteSessions"
  updateProfile: "updateUser"
  changeEmail: "updateUser" | "getUserByEmail" | "createVerificationToken" | "useVerificationToken"
  deleteAccount: "deleteUser"
}

export type ChangingAdapter = AdapterFor<Methods["changeEmail"]>

export const requirements: { readonly [R in keyof Methods]: Requirement<Methods[R]> } = {
  sessions: { methods: ["listSessions"], ...ofSessions("see their sessions") },
  revokeSession: { methods: ["listSessions", "deleteSession"], ...ofSessions("end single sessions") },
  revokeSessions: { methods: ["deleteSessions"], ...ofSessions("sign out everywhere") },
  updateProfile: { methods: ["updateUser"], purpose: "change their name and image", obstacle: fixedProfile },
  changeEmail: {
    methods: ["updateUser", "getUserByEmail", "createVerificationToken", "useVerificationToken"],
    purpose: "change their email",
    obstacle: withoutEmailProvider,
  },
  deleteAccount: { methods: ["deleteUser"], purpose: "delete their account" },
}

function ofSessions(purpose: string): Pick<Requirement, "purpose" | "obstacle"> {
  const text = `Sessions in cookies have no record in the database, so users can't ${purpose}. Set \`security.revocableSessions\`, or the session strategy "database"`
  return { purpose, obstacle: (auth) => (hasRows(auth) ? undefined : new UnsupportedStrategy(text)) }
}

function fixedProfile({ updateProfile }: AuthContext): AuthError | undefined {
  if (updateProfile !== false) return undefined
  return new InvalidProfile("Users can't change their name and image, because `callbacks.updateProfile` is `false`")
}

function withoutEmailProvider({ providers }: AuthContext): AuthError | undefined {
  if ([...providers.values()].some(({ type }) => type === "email")) return undefined
  return new MissingAdapter("Without an email provider, users can't change their email. Add one to `providers`")
}
