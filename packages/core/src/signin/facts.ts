import { sameMailbox } from "../http/email-address.js"
import type { Adapter, AdapterUser } from "../model/adapter.js"
import type { LiveSession } from "../model/auth.js"
import type { AccountProof, Facts } from "../model/signin.js"
import { idText } from "../session/user-id.js"

/** The user who holds the proven account or mailbox. */
export async function ownerOf(
  adapter: Adapter,
  proof: { kind: "account"; account: AccountProof["account"] } | { kind: "mailbox"; email: string },
): Promise<AdapterUser | null> {
  return proof.kind === "account" ? userWithAccount(adapter, proof.account) : userWithEmail(adapter, proof.email)
}

/** OpenID Connect Core §2: `sub` is case-sensitive. A store that compares loosely would sign in somebody else. */
async function userWithAccount(
  adapter: Adapter,
  { provider, providerAccountId }: AccountProof["account"],
): Promise<AdapterUser | null> {
  const user = (await adapter.getUserByAccount?.({ provider, providerAccountId })) ?? null
  const row = user === null ? null : ((await adapter.getAccount?.(providerAccountId, provider)) ?? null)
  return row === null || idText(row.providerAccountId) === providerAccountId ? user : null
}

/** The store may compare more loosely than mailboxes do: a look-alike is not the owner. */
async function userWithEmail(adapter: Adapter, email: string): Promise<AdapterUser | null> {
  const user = (await adapter.getUserByEmail?.(email)) ?? null
  return user !== null && sameMailbox(user.email, email) ? user : null
}

/** What the linking policy decides on, for the account of a provider. */
export async function gatherFacts(
  adapter: Adapter,
  proof: AccountProof,
  owner: AdapterUser | null,
  current: AdapterUser | null,
): Promise<Facts> {
  const asksEmail = owner === null && current === null && typeof proof.user.email === "string"
  const sameEmail = asksEmail ? await userWithEmail(adapter, proof.user.email ?? "") : null
  return { owner, current, sameEmail, trustsEmail: sameEmail !== null && trustsEmail(proof, sameEmail) }
}

/** `dangerous` believes a provider unless it denies the address; `verified` wants both sides proven. */
function trustsEmail({ provider, emailVerified }: AccountProof, { emailVerified: stored }: AdapterUser): boolean {
  if (provider.type !== "oauth" && provider.type !== "oidc") return false
  if (provider.emailLinking === "dangerous") return emailVerified !== false
  return provider.emailLinking === "verified" && emailVerified === true && stored !== null && stored !== undefined
}

/** The user behind the session of this browser; `null` when the session or the user is gone. */
export async function currentUser(adapter: Adapter, live: LiveSession | null): Promise<AdapterUser | null> {
  if (live === null) return null
  if (live.content.kind === "stored") return live.content.user
  return live.userId === undefined ? null : ((await adapter.getUser?.(live.userId)) ?? null)
}
