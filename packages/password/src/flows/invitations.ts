import type { SignInAttempt, Verdict } from "@latchkey/core/module"
import type { PasswordOptions } from "../options.js"
import { sendLink } from "./links.js"
import { type Background, provesMailbox, type Site } from "./site.js"

/** Whether this visitor may become a user, in any way to sign in. */
export async function guardSignUp(
  { signUp }: Pick<Site, "signUp">,
  context: Background,
  attempt: SignInAttempt,
): Promise<Verdict> {
  if (!attempt.isNewUser || signUp === "open") return { kind: "allow" }
  if (signUp === "invitation" && (await isInvited(context, attempt))) return { kind: "allow" }
  return { kind: "deny", reason: signUp === "closed" ? "sign-up is closed" : "the email isn't invited" }
}

/** By the link of the invitation, or in a way that proves the mailbox that was invited. */
async function isInvited({ records, users }: Background, attempt: SignInAttempt): Promise<boolean> {
  const { user, carried } = attempt
  if (typeof carried === "object" && carried !== null && !Array.isArray(carried) && carried["isInvited"] === true)
    return true
  if (!user.email || !provesMailbox(attempt)) return false
  const invitation = await records.link.get({ mailbox: users.canonicalEmail(user.email), kind: "invitation" })
  return invitation?.token !== undefined
}

/** @returns `false` if a user has the email */
export async function invite(
  { signUp }: Pick<PasswordOptions, "signUp">,
  context: Background,
  email: string,
): Promise<boolean> {
  if (signUp === "closed")
    throw new TypeError('No user can be invited while `signUp` is "closed". Use "invitation" instead')
  const to = context.users.typedEmail(email)
  if (to === null) throw new TypeError("The invitation isn't for one email. Pass an email such as ada@example.com")
  if ((await context.users.byEmail(to)) !== null) return false
  await sendLink(await context.atSite(), { email: to, user: null, letter: "invite" })
  await context.emit("invited", null)
  return true
}

/** @returns `false` if the email had no invitation */
export async function uninvite({ records, users }: Background, email: string): Promise<boolean> {
  const key = { mailbox: users.canonicalEmail(email), kind: "invitation" }
  return (await records.link.take(key))?.token !== undefined
}
