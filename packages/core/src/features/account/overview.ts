import { AuthError } from "../../errors.js"
import { maxListed } from "../../limits/of-growth.js"
import { userOfSession } from "../../signin/stored-users.js"
import type { AccountActions, AccountOverview, AccountPart, ModuleSection } from "../../model/account.js"
import type { AdapterUser } from "../../model/adapter.js"
import type { AuthContext } from "../../model/auth.js"
import type { LiveSession } from "../../model/session-strategy.js"
import type { User } from "../../model/user.js"
import type { ModuleUser } from "../../module-kit/model.js"
import { hasSeam, seamOf } from "../../module/seam-of.js"
import { idText, isRecent } from "../../session/live-session.js"
import { listLinkedAccounts } from "./linked-accounts.js"
import { listPasskeys } from "./passkeys.js"
import { type Requirement, problemOf } from "./requirements.js"
import { listSessions } from "./sessions.js"
import type { SignedIn, StoredUser } from "./signed-in.js"

export async function overviewOf(signed: SignedIn): Promise<AccountOverview> {
  const { auth, request, live } = signed
  const user = auth.adapter === undefined ? null : await userOfSession(auth.adapter, live)
  const [passkeys, accounts, sessions] = await Promise.all([
    partOf(signed, user, "passkeys", listPasskeys),
    partOf(signed, user, "accounts", listLinkedAccounts),
    partOf(signed, user, "sessions", listSessions),
  ])
  const shown = shownUser(signed, user)
  const recent = await isRecent(auth, request, live)
  return {
    user: shown,
    passkeys,
    accounts,
    sessions,
    connectable: user === null ? [] : namesOf(auth, ["oauth", "oidc"]),
    passkeyProviders: user === null ? [] : namesOf(auth, ["webauthn"]),
    unavailable: unavailableIn(auth, user),
    isRecent: recent,
    ...(hasSeam(auth) && shown.id !== "" && { sections: await sectionsFor(signed, { ...shown, isRecent: recent }) }),
  }
}

async function sectionsFor({ auth, request }: SignedIn, user: ModuleUser): Promise<readonly ModuleSection[]> {
  return (await seamOf(auth)).sectionsOf(auth, request, user)
}

function shownUser({ live }: SignedIn, user: AdapterUser | null): AccountOverview["user"] {
  const { name, email, image } = user ?? fieldsOf(live)
  return {
    id: user === null ? (live.userId ?? "") : idText(user.id),
    name: name ?? undefined,
    email: email ?? undefined,
    emailVerified: Boolean(user?.emailVerified),
    image: image ?? undefined,
  }
}

function fieldsOf({ content }: LiveSession): Pick<User, "name" | "email" | "image"> {
  if (content.kind === "stored") return content.user
  const { name, email, picture } = content.claims
  return { name: name ?? null, email: email ?? null, image: picture ?? null }
}

/** The user of credentials isn't always in the database. */
const notStored = "The user of this session isn't in the database"

async function partOf<T>(
  { auth, request, live }: SignedIn,
  user: AdapterUser | null,
  what: Requirement,
  list: (stored: StoredUser) => Promise<readonly T[]>,
): Promise<AccountPart<T>> {
  const problem = problemOf(auth, what)
  if (problem !== undefined) return { isAvailable: false, error: problem.type, reason: problem.message }
  const { adapter } = auth
  if (user === null || adapter === undefined) return { isAvailable: false, error: AuthError.type, reason: notStored }
  const items = await list({ auth, request, live, adapter, user, userId: idText(user.id) })
  return { isAvailable: true, items: items.slice(0, maxListed), hasMore: items.length > maxListed }
}

function namesOf({ providers }: AuthContext, types: readonly string[]): readonly { id: string; name: string }[] {
  return [...providers.values()].filter(({ type }) => types.includes(type)).map(({ id, name }) => ({ id, name }))
}

function unavailableIn(auth: AuthContext, user: AdapterUser | null): AccountActions {
  const reason = (what: Requirement) => problemOf(auth, what)?.message ?? (user === null ? notStored : undefined)
  return {
    renamePasskey: reason("renamePasskey"),
    removePasskey: reason("removePasskey"),
    unlinkAccount: reason("unlinkAccount"),
    revokeSession: reason("revokeSession"),
    revokeSessions: reason("revokeSessions"),
    changeEmail: reason("changeEmail"),
    deleteAccount: reason("deleteAccount"),
  }
}
