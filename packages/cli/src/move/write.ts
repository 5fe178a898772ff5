import type { AuthConfig } from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"
import { Failure } from "../failure.js"
import { type Members, membersIn } from "../import/members.js"
import type { Former, FormerAccount, FormerPasskey, FormerUser } from "./former.js"

/** What a move did, or would do. */
export interface Moved {
  readonly users: number
  /** Users who are here already. */
  readonly known: number
  readonly accounts: number
  readonly passwords: number
  readonly passkeys: number
  readonly apps: number
  readonly sessions: number
  /** Users whose email isn't verified, so their password doesn't work until they reset it. */
  readonly unverified: number
  /** What couldn't be moved, by its reason. `users` has the first ids. */
  readonly left: readonly { readonly reason: string; readonly count: number; readonly users: readonly string[] }[]
  readonly notes: readonly string[]
}

export interface MoveOptions {
  readonly isDryRun: boolean
  readonly movesSessions: boolean
  /** Ids of providers here, by those in the other library. */
  readonly providers: Readonly<Record<string, string>>
  /** The type of a provider that isn't in the configuration. */
  readonly typeOf: (provider: string) => "oauth" | "oidc"
}

/** Writes everything in one transaction, which a dry run rolls back. It can run again. @throws Failure */
export async function move(config: AuthConfig, former: Former, options: MoveOptions): Promise<Moved> {
  const { adapter } = config
  if (adapter?.transaction === undefined || adapter.records === undefined || config.records !== undefined)
    throw new Failure("Moving needs an adapter with transactions and records, such as those of @latchkey/sql.")
  let report = new Report()
  try {
    await adapter.transaction(async (inside) => {
      // After a conflict with another transaction, it runs again.
      report = new Report()
      const target = targetOf(config, inside, options, report)
      for (const user of former.users) await moveUser(target, user)
      if (options.isDryRun) throw new RolledBack()
    })
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error
  }
  return report.result(former.notes)
}

class RolledBack extends Error {}

type Count = Exclude<keyof Moved, "left" | "notes">

/** Ids of users that are kept for each reason. */
const idsKept = 1000

class Report {
  readonly #counts: Record<Count, number> = {
    users: 0,
    known: 0,
    accounts: 0,
    passwords: 0,
    passkeys: 0,
    apps: 0,
    sessions: 0,
    unverified: 0,
  }
  readonly #left = new Map<string, { count: number; users: string[] }>()

  count(what: Count): void {
    this.#counts[what]++
  }

  leave(userId: string, reason: string): void {
    const { count, users } = this.#left.get(reason) ?? { count: 0, users: [] }
    if (count < idsKept) users.push(userId)
    this.#left.set(reason, { count: count + 1, users })
  }

  result(notes: readonly string[]): Moved {
    return { ...this.#counts, left: [...this.#left].map(([reason, kept]) => ({ reason, ...kept })), notes }
  }
}

interface Target {
  readonly adapter: Adapter
  readonly members: Members
  /** Types of the configured providers, by their ids. */
  readonly types: ReadonlyMap<string, "oauth" | "oidc">
  readonly passkeyProvider: string | undefined
  readonly options: MoveOptions
  readonly report: Report
}

function targetOf(config: AuthConfig, adapter: Adapter, options: MoveOptions, report: Report): Target {
  const providers = config.providers.map((one) => (typeof one === "function" ? one() : one))
  const types = new Map(providers.map(({ id, type }) => [id, type === "oidc" ? type : "oauth"] as const))
  const passkeyProvider = providers.find(({ type }) => type === "webauthn")?.id
  return { adapter, members: membersIn({ ...config, adapter }), types, passkeyProvider, options, report }
}

async function moveUser(target: Target, user: FormerUser): Promise<void> {
  const id = await userIdOf(target, user)
  if (id === undefined) return
  for (const account of user.accounts) await moveAccount(target, id, account)
  for (const passkey of user.passkeys) await movePasskey(target, id, passkey)
  await movePassword(target, id, user)
  await moveApp(target, id, user)
  if (target.options.movesSessions) await moveSessions(target, id, user)
}

/** Undefined: the user stays behind. */
async function userIdOf(target: Target, user: FormerUser): Promise<string | undefined> {
  const { adapter, members, report } = target
  const email = user.email === undefined ? null : await members.directory.typed(user.email)
  const found = email === null ? null : await members.directory.find(email)
  const reason = user.obstacle ?? (await conflictOf(adapter, user.id, found))
  if (email !== null && reason === undefined)
    return found === null ? created(target, user, email) : known(report, found)
  report.leave(user.id, reason ?? "They have no email of one mailbox")
  return undefined
}

/** @param found the user here with the email */
async function conflictOf(adapter: Adapter, id: string, found: string | null): Promise<string | undefined> {
  if (found === id) return undefined
  if (found !== null) return "Another user here has the email. Decide which of the two stays"
  return isThere(await adapter.getUser?.(id)) ? "Another user here has the id" : undefined
}

function known(report: Report, id: string): string {
  report.count("known")
  return id
}

async function created({ adapter, report }: Target, user: FormerUser, email: string): Promise<string | undefined> {
  const { id, name, image, emailVerified, hash } = user
  const made = await adapter.createUser?.({ id, email, emailVerified, name, image })
  report.count("users")
  if (emailVerified === null && hash !== undefined) report.count("unverified")
  return made?.id
}

function isThere(found: unknown): boolean {
  return found !== null && found !== undefined
}

async function moveAccount(target: Target, userId: string, account: FormerAccount): Promise<void> {
  const { adapter, options, report, types } = target
  const { providerAccountId } = account
  const provider = options.providers[account.provider] ?? account.provider
  const owner = (await adapter.getUserByAccount?.({ provider, providerAccountId })) ?? null
  if (owner?.id === userId) return
  if (owner !== null) return report.leave(userId, `Another user here has the account of ${provider}`)
  const configured = types.get(provider)
  const type = configured ?? options.typeOf(provider)
  await adapter.linkAccount?.({ userId, provider, providerAccountId, type })
  report.count("accounts")
  if (configured !== undefined) return
  const fix = `Add it, or name the one here with --provider ${account.provider}=<id>`
  report.leave(userId, `Their account was moved, but the configuration has no provider "${provider}". ${fix}`)
}

async function movePasskey(target: Target, userId: string, passkey: FormerPasskey): Promise<void> {
  const { adapter, report, passkeyProvider: provider } = target
  const { credentialID, counter, transports, name, createdAt } = passkey
  if (provider === undefined)
    return report.leave(userId, "They have a passkey, and the configuration has no passkey provider")
  if (isThere(await adapter.getAuthenticator?.(credentialID))) return
  await adapter.linkAccount?.({ userId, provider, providerAccountId: credentialID, type: "webauthn" })
  await adapter.createAuthenticator?.({
    userId,
    credentialID,
    providerAccountId: credentialID,
    credentialPublicKey: passkey.publicKey,
    counter,
    credentialDeviceType: passkey.deviceType,
    credentialBackedUp: passkey.isBackedUp,
    transports,
  })
  await adapter.describeAuthenticator?.(credentialID, { name, createdAt })
  report.count("passkeys")
}

async function movePassword({ members, report }: Target, userId: string, { hash }: FormerUser): Promise<void> {
  const { password } = members
  if (hash === undefined) return
  if (password === undefined)
    return report.leave(userId, "They have a password, and the configuration has no module `password()`")
  try {
    if (await password.importHash(userId, hash)) report.count("passwords")
  } catch (error) {
    // The hash can't be used. It isn't quoted.
    if (!(error instanceof TypeError)) throw error
    report.leave(userId, error.message)
  }
}

async function moveApp({ members, report }: Target, userId: string, { app }: FormerUser): Promise<void> {
  const { mfa } = members
  if (app === undefined) return
  if (mfa === undefined)
    throw new Failure(
      "Users have an authenticator app, and nothing would ask for it here. Add `mfa()` of @latchkey/mfa to the modules.",
    )
  if (await mfa.importApp(userId, app)) report.count("apps")
}

async function moveSessions({ adapter, report }: Target, userId: string, { sessions }: FormerUser): Promise<void> {
  for (const { token: sessionToken, expires } of sessions) {
    if (expires <= new Date() || isThere(await adapter.getSessionAndUser?.(sessionToken))) continue
    await adapter.createSession?.({ sessionToken, userId, expires })
    report.count("sessions")
  }
}
