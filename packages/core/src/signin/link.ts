import type { AdapterUser } from "../model/adapter.js"
import type { Facts, LinkDecision } from "../model/signin.js"

export const emailInUse = "another user has the same email"

/** Whose the proven account is from now on. link.test.ts has every row of this table. */
export function decideLink({ owner, current, sameEmail, trustsEmail }: Facts): LinkDecision {
  if (owner !== null) {
    return current === null || current.id === owner.id ? resume(owner) : refuse("the account belongs to another user")
  }
  if (current !== null) return link(current)
  if (sameEmail === null) return { kind: "create" }
  return trustsEmail ? link(sameEmail) : refuse(emailInUse)
}

/** The user with a mailbox's email is its owner. */
export function decideMailbox(owner: AdapterUser | null): LinkDecision {
  return owner === null ? { kind: "create" } : resume(owner)
}

const resume = (user: AdapterUser): LinkDecision => ({ kind: "resume", user })
const link = (user: AdapterUser): LinkDecision => ({ kind: "link", user })
const refuse = (reason: string): LinkDecision => ({ kind: "refuse", reason })
