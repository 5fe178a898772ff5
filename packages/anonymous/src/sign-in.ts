import {
  type CompletedSignIn,
  type Owner,
  type Proven,
  proven,
  type SignInAttempt,
  type Verdict,
} from "@latchkey/core/module"
import { forgetBrowser, isOfBrowser, nameBrowser } from "./browser.js"
import { type Context, idOf } from "./context.js"
import type { AnonymousOptions } from "./options.js"
import type { Guest } from "./records.js"
import { becomeAccount, keepId, moveTo, waitingFor } from "./upgrade.js"

const own = "anonymous"

/** A new user without an email. A signed-in user stays signed in: this proves nothing, so it must not take their place. */
export async function prove(context: Context): Promise<Proven> {
  const { users, text, page, request, captcha, limit } = context
  if ((await context.user()) !== null) {
    const { callbackUrl } = request.fields
    const url = typeof callbackUrl === "string" && callbackUrl !== "" ? callbackUrl : "/"
    return proven({ show: await context.redirect({ url }) })
  }
  if (!users.canEndSessions) throw new TypeError(needsRows)
  const error = await captcha("sign-up")
  if (error !== undefined) {
    const values =
      typeof request.fields["callbackUrl"] === "string" ? { callbackUrl: request.fields["callbackUrl"] } : {}
    const form = { kind: "form", route: own, signIn: true, captcha: "sign-up", values, submit: text("guest") } as const
    return proven({ show: await page({ title: text("guest"), error, status: 400, blocks: [form] }) })
  }
  await limit("create")
  return proven({ account: null, amr: null })
}

/** After an upgrade, a copy of the anonymous session must not be a way into the account. */
export const needsRows =
  'Sessions of anonymous users have to end when they sign in. Set the session strategy "database", or `security.revocableSessions`'

/** What is linked to an anonymous user becomes the way into their account, so it has to be their own browser. */
export async function guard(context: Context, { user, isNewUser, current }: SignInAttempt): Promise<Verdict> {
  if (isNewUser || current?.id !== idOf(user)) return { kind: "allow" }
  const guest = await context.records.guest.get({ userId: current.id })
  if (guest === null || (await isOwn(context, guest))) return { kind: "allow" }
  return { kind: "deny", reason: "the anonymous user was created in another browser, or signed in as another user" }
}

/** An email is a way into the account, like what is linked. */
export async function mayChangeEmail(context: Context, { id }: Owner): Promise<boolean> {
  const guest = await context.records.guest.get({ userId: id })
  return guest === null || isOwn(context, guest)
}

async function isOwn(context: Context, guest: Guest): Promise<boolean> {
  return guest.to === undefined && (await isOfBrowser(context, guest))
}

/** Nothing replaces the token of this session, so a copy would be in the account. The user signs in with the email. */
export async function emailChanged(context: Context, { id }: Owner): Promise<boolean> {
  if ((await context.records.guest.get({ userId: id })) === null) return false
  await becomeAccount(context, id)
  return true
}

export async function after(options: AnonymousOptions, context: Context, signIn: CompletedSignIn): Promise<void> {
  const id = idOf(signIn.user)
  if (signIn.provider === own) return welcome(context, id)
  const { records } = context
  // A user who signs in with anything else has an account, also if the process ended when it was linked.
  if ((await records.guest.get({ userId: id })) !== null) {
    forgetBrowser(context)
    return keepId(context, id)
  }
  // Before this one is among those that failed.
  const former = await waitingFor(context, id)
  const guest = await guestOf(context, signIn)
  const failed: unknown[] = []
  const fails = (cause: unknown) => failed.push(cause)
  if (guest !== null) await leave(options, context, guest, id).catch(fails)
  for (const one of former) if (one.userId !== guest?.userId) await moveTo(options, context, one, id).catch(fails)
  if (failed.length > 0) throw new AggregateError(failed, "Not everything of anonymous users could be moved")
}

async function leave(options: AnonymousOptions, context: Context, guest: Guest, to: string): Promise<void> {
  const { records, users } = context
  forgetBrowser(context)
  // One who has an email is no longer anonymous.
  if ((await users.byId(guest.userId))?.email) await records.guest.remove({ userId: guest.userId })
  else await moveTo(options, context, guest, to)
}

/** The anonymous user of this browser. One who signed out before this sign-in may be another person. */
async function guestOf(context: Context, { current }: CompletedSignIn): Promise<Guest | null> {
  const guest = current === undefined ? null : await context.records.guest.get({ userId: current.id })
  return guest !== null && (await isOfBrowser(context, guest)) ? guest : null
}

async function welcome(context: Context, userId: string): Promise<void> {
  const { records, now, emit } = context
  const browser = await nameBrowser(context)
  await records.guest.insert({ userId, browser, createdAt: new Date(now()), isMoved: false })
  await emit("created", { id: userId })
}
