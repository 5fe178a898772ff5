import type { AdapterUser } from "@latchkey/core/adapters"
import { type Context, idOf, type Site } from "./site.js"
import type { FactorForm } from "@latchkey/core/module"

/** 3 to 32 characters. A separator is between others. ASCII only is the strictest restriction level of UTS 39 §5.2. */
const shape = /^[a-z0-9](?:[a-z0-9]|[._-](?=[a-z0-9])){2,31}$/

/** Width and case don't tell usernames apart (RFC 8265 §3.3). `undefined`: it isn't one. */
export function usernameIn(typed: string): string | undefined {
  if (typed.length > 100) return undefined
  const name = typed.normalize("NFKC").trim().toLowerCase()
  return shape.test(name) ? name : undefined
}

/** Usernames that look alike have the same skeleton (UTS 39 §4, as far as ASCII goes). */
function skeletonOf(username: string): string {
  return username.replaceAll("0", "o").replaceAll("1", "l").replaceAll("m", "rn").replaceAll("w", "vv")
}

export function usernameInput({ text }: Context, { usernames }: Site, value?: string): FactorForm["fields"] {
  if (!usernames) return {}
  const rules = { autocomplete: "nickname", autocapitalize: "none", spellcheck: false, required: true, maxlength: 32 }
  return { username: { type: "text", label: text("username"), ...rules, ...(value !== undefined && { value }) } }
}

/** Why it can't be the username of a new user. `undefined`: it can. */
export async function usernameProblem(
  { records, text }: Context,
  { usernames }: Site,
  typed: string,
): Promise<string | undefined> {
  if (!usernames) return undefined
  const name = usernameIn(typed)
  if (name === undefined) return text("usernameRules")
  return (await records.username.get({ skeleton: skeletonOf(name) })) === null ? undefined : text("usernameTaken")
}

/** Seconds. A second factor may hold the sign-in meanwhile. */
const reservedFor = 900

/** Seconds. */
const forever = 100 * 365 * 86_400

/** Keeps the username for the owner of a mailbox, who becomes a user now. `false`: another visitor was faster. */
export async function reserve({ records }: Context, username: string, mailbox: string): Promise<boolean> {
  const skeleton = skeletonOf(username)
  const own = { skeleton, username, mailbox }
  if (await records.username.insert(own, { expiresIn: reservedFor })) return true
  const before = await records.username.get({ skeleton })
  if (before === null || before.userId !== undefined || before.mailbox !== mailbox) return false
  return records.username.swap(before, { username }, { expiresIn: reservedFor })
}

/** The user exists now. */
export async function settleUsername({ records }: Context, username: string, userId: string): Promise<void> {
  const reserved = await records.username.get({ skeleton: skeletonOf(username) })
  if (reserved !== null && reserved.userId === undefined)
    await records.username.swap(reserved, { userId, mailbox: undefined }, { expiresIn: forever })
}

export async function userWithName({ records, users }: Context, typed: string): Promise<AdapterUser | null> {
  const username = usernameIn(typed)
  const found = username === undefined ? null : await records.username.get({ skeleton: skeletonOf(username) })
  // A look-alike isn't the username.
  if (found?.userId === undefined || found.username !== username) return null
  const user = await users.byId(found.userId)
  return user !== null && idOf(user) === found.userId ? user : null
}
