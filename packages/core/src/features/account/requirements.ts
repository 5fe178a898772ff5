import { MissingAdapter, UnsupportedByAdapter, UnsupportedStrategy, type AuthError } from "../../errors.js"
import type { Adapter } from "../../model/adapter.js"
import type { AuthContext } from "../../model/auth.js"

/** What needs methods of the adapter. */
interface Methods {
  passkeys: "listAuthenticatorsByUserId" | "getAccount"
  renamePasskey: Methods["passkeys"] | "describeAuthenticator"
  removePasskey: Methods["passkeys"] | "unlinkAccount" | "linkAccount"
  accounts: "listAccounts"
  unlinkAccount: "getUserByAccount" | "unlinkAccount" | "linkAccount"
  sessions: "listSessions"
  revokeSession: "listSessions" | "deleteSession"
  revokeSessions: "deleteSessions"
  changeEmail: "updateUser" | "getUserByEmail" | "createVerificationToken" | "useVerificationToken"
  deleteAccount: "deleteUser"
}

export type Requirement = keyof Methods
export type AdapterFor<R extends Requirement> = Adapter & Required<Pick<Adapter, Methods[R]>>

/** With what users can't do without the methods. */
const requirements: {
  readonly [R in Requirement]: { readonly methods: readonly Methods[R][]; readonly purpose: string }
} = {
  passkeys: { methods: ["listAuthenticatorsByUserId", "getAccount"], purpose: "see their passkeys" },
  renamePasskey: {
    methods: ["listAuthenticatorsByUserId", "getAccount", "describeAuthenticator"],
    purpose: "name their passkeys",
  },
  removePasskey: {
    methods: ["listAuthenticatorsByUserId", "getAccount", "unlinkAccount", "linkAccount"],
    purpose: "remove passkeys",
  },
  accounts: { methods: ["listAccounts"], purpose: "see their linked accounts" },
  unlinkAccount: { methods: ["getUserByAccount", "unlinkAccount", "linkAccount"], purpose: "disconnect accounts" },
  sessions: { methods: ["listSessions"], purpose: "see their sessions" },
  revokeSession: { methods: ["listSessions", "deleteSession"], purpose: "end single sessions" },
  revokeSessions: { methods: ["deleteSessions"], purpose: "sign out everywhere" },
  changeEmail: {
    methods: ["updateUser", "getUserByEmail", "createVerificationToken", "useVerificationToken"],
    purpose: "change their email",
  },
  deleteAccount: { methods: ["deleteUser"], purpose: "delete their account" },
}

/** Why this application can't do it. `undefined`: it can. */
export function problemOf(auth: AuthContext, what: Requirement): AuthError | undefined {
  const { adapter } = auth
  const { methods, purpose }: { readonly methods: readonly (keyof Adapter)[]; readonly purpose: string } =
    requirements[what]
  if (adapter === undefined) return new MissingAdapter(`Without an adapter, users can't ${purpose}. Set \`adapter\``)
  if (sessionRequirements.has(what) && !hasRows(auth)) {
    return new UnsupportedStrategy(
      `Sessions in cookies have no record in the database, so users can't ${purpose}. Set \`security.revocableSessions\`, or the session strategy "database"`,
    )
  }
  if (what === "changeEmail" && !hasEmailProvider(auth)) {
    return new MissingAdapter(`Without an email provider, users can't ${purpose}. Add one to \`providers\``)
  }
  const missing = methods.filter((name) => adapter[name] === undefined)
  if (missing.length === 0) return undefined
  return new UnsupportedByAdapter(
    `The adapter lacks ${missing.join(", ")}, so users can't ${purpose}. Add the methods, or use an adapter that has them`,
    { methods: missing },
  )
}

const sessionRequirements: ReadonlySet<Requirement> = new Set(["sessions", "revokeSession", "revokeSessions"])

/** Whether sessions have rows in the database. */
export function hasRows({ strategy, security }: AuthContext): boolean {
  return strategy === "database" || security.revocableSessions
}

function hasEmailProvider({ providers }: AuthContext): boolean {
  return [...providers.values()].some(({ type }) => type === "email")
}

/** @throws UnsupportedByAdapter, UnsupportedStrategy or MissingAdapter */
export function adapterFor<R extends Requirement>(auth: AuthContext, what: R): AdapterFor<R> {
  const problem = problemOf(auth, what)
  if (problem !== undefined) throw problem
  // `problemOf` has looked for each method.
  return auth.adapter as AdapterFor<R>
}
