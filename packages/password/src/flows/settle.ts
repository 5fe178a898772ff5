import type { CompletedSignIn } from "@latchkey/core/module"
import { endLinks, forgetLink } from "./links.js"
import { rememberBrowser } from "./sign-in.js"
import { settleUsername } from "./usernames.js"
import { type Background, type Context, idOf, provesMailbox } from "./site.js"

/** After a sign-in with this module or any other method. */
export async function settle(context: Context, signIn: CompletedSignIn): Promise<void> {
  const id = idOf(signIn.user)
  const carried = carriedOf(signIn)
  if (carried !== undefined) await apply(context, signIn, carried)
  else if (signIn.provider !== "password" && provesMailbox(signIn)) await dropUnproven(context, signIn)
  if (signIn.provider === "password") await rememberBrowser(context, id)
}

interface Carried {
  readonly step: "sign-up" | "reset" | "change"
  readonly hash: string
  readonly epoch: number
  readonly endOthers: boolean
  readonly username: string | undefined
}

/** What `prove` said. */
function carriedOf({ carried }: CompletedSignIn): Carried | undefined {
  if (typeof carried !== "object" || carried === null || Array.isArray(carried)) return undefined
  const { step, hash, epoch, endOthers, username } = carried
  if (typeof hash !== "string" || (step !== "sign-up" && step !== "reset" && step !== "change")) return undefined
  const name = typeof username === "string" ? username : undefined
  return { step, hash, epoch: Number(epoch), endOthers: step !== "change" || endOthers === true, username: name }
}

/** The password takes effect now: every guard has agreed, and every factor is proven. */
async function apply(context: Context, signIn: CompletedSignIn, carried: Carried): Promise<void> {
  const { users, emit } = context
  const { user, isNewUser } = signIn
  const { step, hash, epoch, endOthers } = carried
  const owner = { id: idOf(user) }
  if (!(await store(context, owner.id, hash, step === "sign-up" ? undefined : epoch))) {
    await emit("changed", owner, { outcome: "failure", data: { step } })
    return
  }
  await useUp(context, signIn, carried)
  try {
    if (endOthers && !isNewUser) await users.endSessions(owner.id, { except: "current", reason: "password-changed" })
  } finally {
    // The user has to know, also if something of a thief may still work.
    await emit("changed", owner, { data: { step } })
    if (!isNewUser && user.email) await notify(context, user.email)
  }
}

/** The username becomes the user's, and what led to the password works no longer. */
async function useUp(context: Context, { user, isNewUser }: CompletedSignIn, carried: Carried): Promise<void> {
  const { step, username } = carried
  const id = idOf(user)
  if (username !== undefined && isNewUser) await settleUsername(context, username, id)
  if (user.email) await endLinks(context, user.email)
  await context.records.failure.remove({ subject: id })
  if (step !== "change") forgetLink(context)
}

/** @param epoch that the password must have now. `undefined`: any */
async function store(context: Background, userId: string, hash: string, epoch: number | undefined): Promise<boolean> {
  const { records, now } = context
  for (let left = 10; left > 0; left--) {
    const before = await records.password.get({ userId })
    const current = before?.epoch ?? 0
    if (epoch !== undefined && epoch !== current) return false
    const changes = { hash, epoch: current + 1, changedAt: new Date(now()), isProven: true }
    const isStored =
      before === null
        ? await records.password.insert({ userId, ...changes })
        : await records.password.swap(before, changes)
    if (isStored) return true
  }
  return false
}

async function notify(context: Context, to: string): Promise<void> {
  const { app, text, mail } = context
  const subject = text("changedSubject", { app })
  await mail({ to, subject, heading: subject, text: text("changedMail"), isNotice: true })
}

/** A password that was chosen before the mailbox was proven may be a stranger's. */
async function dropUnproven(context: Context, { user }: CompletedSignIn): Promise<void> {
  const { records, users } = context
  const mailbox = users.canonicalEmail(user.email ?? "")
  for (const kind of ["sign-up", "invitation"]) await records.link.remove({ mailbox, kind })
  const userId = idOf(user)
  const stored = await records.password.get({ userId })
  if (stored?.isProven === false) await records.password.remove({ userId })
}
