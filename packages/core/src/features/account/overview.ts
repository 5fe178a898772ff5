import { listedFor, reasonAgainst } from "../../account/requirements.js"
import type { SignedIn } from "../../account/signed-in.js"
import { AuthError } from "../../errors.js"
import type { AccountOverview, ModuleSection, Unavailable } from "../../model/account.js"
import type { AdapterUser } from "../../model/adapter.js"
import type { LiveSession } from "../../model/session-strategy.js"
import type { User } from "../../model/user.js"
import type { ModuleUser } from "../../module-kit/phases.js"
import { hasSeam, seamOf } from "../../module/seam-of.js"
import { idText, isRecent } from "../../session/live-session.js"
import { userOfSession } from "../../signin/stored-users.js"
import { requirements } from "./requirements.js"
import { listSessions } from "./sessions.js"

export async function overviewOf(signed: SignedIn): Promise<AccountOverview> {
  const { auth, request, live } = signed
  const user = auth.adapter === undefined ? null : await userOfSession(auth.adapter, live)
  const [sessions, ...parts] = await Promise.all([
    listedFor(signed, user, requirements.sessions, listSessions),
    ...auth.features.accountParts.map(async (load) => (await load()).overview(signed, user)),
  ])
  const shown = shownUser(signed, user)
  const recent = await isRecent(auth, request, live)
  const reason = (what: keyof typeof requirements) => reasonAgainst(auth, user, requirements[what])
  const own: AccountOverview = {
    user: shown,
    passkeys: missing,
    accounts: missing,
    sessions,
    connectable: [],
    passkeyProviders: [],
    unavailable: {
      renamePasskey: missing.reason,
      removePasskey: missing.reason,
      unlinkAccount: missing.reason,
      revokeSession: reason("revokeSession"),
      revokeSessions: reason("revokeSessions"),
      updateProfile: reason("updateProfile"),
      changeEmail: reason("changeEmail"),
      deleteAccount: reason("deleteAccount"),
    },
    isRecent: recent,
    ...(hasSeam(auth) && shown.id !== "" && { sections: await sectionsFor(signed, { ...shown, isRecent: recent }) }),
  }
  return parts.reduce<AccountOverview>(
    (all, { unavailable, ...part }) => ({ ...all, ...part, unavailable: { ...all.unavailable, ...unavailable } }),
    own,
  )
}

/** Until the feature says what there is. */
const missing: Unavailable = { isAvailable: false, error: AuthError.type, reason: "This application can't do it" }

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
