import { AuthError, MissingAdapter, UnsupportedByAdapter } from "../errors.js"
import { maxListed } from "../limits/of-growth.js"
import type { AccountPart as Listed } from "../model/account.js"
import type { Adapter, AdapterUser } from "../model/adapter.js"
import type { AuthContext } from "../model/auth.js"
import { idText } from "../session/live-session.js"
import type { SignedIn, StoredUser } from "./signed-in.js"

/** What a function of the account needs. */
export interface Requirement<M extends keyof Adapter = keyof Adapter> {
  /** Of the adapter. */
  readonly methods: readonly M[]
  /** What users can't do without them. */
  readonly purpose: string
  /** Why the configuration rules it out. `undefined`: it doesn't. */
  obstacle?(auth: AuthContext): AuthError | undefined
}

/** An adapter that has the methods. */
export type AdapterFor<M extends keyof Adapter> = Adapter & Required<Pick<Adapter, M>>

/** Why this application can't do it. `undefined`: it can. */
export function problemOf(auth: AuthContext, requirement: Requirement): AuthError | undefined {
  const { adapter } = auth
  const { methods, purpose } = requirement
  if (adapter === undefined) return new MissingAdapter(`Without an adapter, users can't ${purpose}. Set \`adapter\``)
  const obstacle = requirement.obstacle?.(auth)
  if (obstacle !== undefined) return obstacle
  const missing = methods.filter((name) => adapter[name] === undefined)
  if (missing.length === 0) return undefined
  return new UnsupportedByAdapter(
    `The adapter lacks ${missing.join(", ")}, so users can't ${purpose}. Add the methods, or use an adapter that has them`,
    { methods: missing },
  )
}

/** @throws UnsupportedByAdapter, UnsupportedStrategy or MissingAdapter */
export function adapterFor<M extends keyof Adapter>(auth: AuthContext, requirement: Requirement<M>): AdapterFor<M> {
  const problem = problemOf(auth, requirement)
  if (problem !== undefined) throw problem
  // `problemOf` has looked for each method.
  return auth.adapter as AdapterFor<M>
}

/** The user of credentials isn't always in the database. */
const notStored = "The user of this session isn't in the database"

/** What the account page lists, or why it can't. */
export async function listedFor<T>(
  { auth, request, live }: SignedIn,
  user: AdapterUser | null,
  requirement: Requirement,
  list: (stored: StoredUser) => Promise<readonly T[]>,
): Promise<Listed<T>> {
  const problem = problemOf(auth, requirement)
  if (problem !== undefined) return { isAvailable: false, error: problem.type, reason: problem.message }
  const { adapter } = auth
  if (user === null || adapter === undefined) return { isAvailable: false, error: AuthError.type, reason: notStored }
  const items = await list({ auth, request, live, adapter, user, userId: idText(user.id) })
  return { isAvailable: true, items: items.slice(0, maxListed), hasMore: items.length > maxListed }
}

/** Why the user can't do it. `undefined`: they can. */
export function reasonAgainst(
  auth: AuthContext,
  user: AdapterUser | null,
  requirement: Requirement,
): string | undefined {
  return problemOf(auth, requirement)?.message ?? (user === null ? notStored : undefined)
}
