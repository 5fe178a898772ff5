import { hubIds } from "./providers.js"
import { isName, type Name, names, ownerOfEmail } from "./names.js"
import type { Rows, Store } from "./store.js"

/** Who is really who: what the engine has to find out, and the suite knows. */
export interface Ledger {
  /** A sign-in began a session for this subject with this account. */
  signedIn(subject: string, account: AccountName): void
  /** The users a subject belongs to. More than one is a takeover. */
  ownersOf(subject: string): ReadonlySet<Name>
  /** Ids that an attacker can know, as ids are no secrets. */
  readonly subjects: ReadonlyMap<string, ReadonlySet<Name>>
}

export interface AccountName {
  readonly provider: string
  readonly id: string
}

export function createLedger(store: Store | undefined, passkeyOwner: (id: string) => Name | undefined): Ledger {
  const subjects = new Map<string, Set<Name>>()
  const ownerOf = (account: AccountName) => accountOwner(account, passkeyOwner)
  return {
    subjects,
    signedIn(subject, account) {
      const owner = ownerOf(account)
      if (owner !== undefined) subjects.set(subject, (subjects.get(subject) ?? new Set()).add(owner))
    },
    ownersOf(subject) {
      // The database knows better: an account may have been unlinked.
      return new Set(store === undefined ? subjects.get(subject) : ownersIn(store.rows(), subject, ownerOf))
    },
  }
}

/** The users whose accounts and proven emails a stored user has. */
export function ownersIn(
  { users, accounts }: Rows,
  id: string,
  ownerOf: (account: AccountName) => Name | undefined,
): readonly Name[] {
  const user = users.find((one) => one.id === id)
  const proven = user?.verified === true ? [ownerOfEmail(user.email)] : [ownerOfPassword(id)]
  const linked = accounts.filter(({ userId }) => userId === id).map(ownerOf)
  return [...proven, ...linked].filter((name) => name !== undefined)
}

/** The application made these ids. */
function ownerOfPassword(id: string): Name | undefined {
  return names.find((name) => id === `password-${name}`)
}

function accountOwner({ provider, id }: AccountName, passkeyOwner: (id: string) => Name | undefined): Name | undefined {
  const owners: Readonly<Record<string, () => Name | undefined>> = {
    op: () => (isName(id) ? id : undefined),
    // The attacker runs it, so every account there is the attacker's.
    rogue: () => "mallory",
    hub: () => names.find((name) => hubIds[name] === id),
    mail: () => ownerOfEmail(id),
    password: () => ownerOfPassword(id),
    passkey: () => passkeyOwner(id),
  }
  return owners[provider]?.()
}
