import type { EndSessionsOptions } from "@latchkey/core/module"
import { type Background, type Context, idOf } from "./context.js"
import type { AnonymousOptions } from "./options.js"
import type { Guest } from "./records.js"

/** Seconds in which `onUpgrade` may run, until another process takes it for lost. */
const busyFor = 300

/** A way to sign in was linked to the anonymous user, who has an account now. Only this browser stays signed in. */
export async function keepId(context: Context, userId: string): Promise<void> {
  await becomeAccount(context, userId, { except: "current" })
}

/** The sessions end first: if that fails, the user is still the anonymous one, and the next sign-in ends them. */
export async function becomeAccount(
  { users, records, emit }: Context,
  userId: string,
  kept: Pick<EndSessionsOptions, "except"> = {},
): Promise<void> {
  await users.endSessions(userId, { ...kept, reason: "anonymous-upgraded" })
  await records.guest.remove({ userId })
  await emit("upgraded", { id: userId })
}

/** The anonymous user signed in as another user. Of parallel sign-ins, the first decides who that is. */
export async function moveTo(
  options: AnonymousOptions,
  context: Background,
  guest: Guest,
  to: string,
): Promise<boolean> {
  if (guest.to !== undefined && guest.to !== to) return false
  const taken = await take(context, guest, to)
  return taken !== null && complete(options, context, taken, to)
}

/** Whose upgrades to this user failed before. A sign-in waits for one page of them, and `sweep` completes the rest. */
export async function waitingFor({ records }: Background, to: string): Promise<readonly Guest[]> {
  return (await records.guest.find({ to })).items
}

/** `null`: it's under way, or another one was faster. */
async function take({ records, now }: Background, guest: Guest, to: string): Promise<Guest | null> {
  if (guest.busyUntil !== undefined && guest.busyUntil.getTime() > now()) return null
  const busyUntil = new Date(now() + busyFor * 1000)
  if (!(await records.guest.swap(guest, { to, busyUntil }))) return null
  return records.guest.get({ userId: guest.userId })
}

async function complete(options: AnonymousOptions, context: Background, guest: Guest, to: string): Promise<boolean> {
  const { users, records, emit } = context
  const { userId } = guest
  try {
    // Nothing of the anonymous user may change while it's moved.
    await users.endSessions(userId)
    if (!guest.isMoved) {
      await move(options, context, userId, to)
      await records.guest.swap(guest, { isMoved: true })
    }
    await users.removeNameless(userId)
    await records.guest.remove({ userId })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.name : "unknown"
    await emit("upgraded", { id: to }, { outcome: "failure", reason })
    const stored = await records.guest.get({ userId })
    if (stored !== null) await records.guest.swap(stored, { busyUntil: undefined })
    throw cause
  }
  await emit("upgraded", { id: to })
  return true
}

/** A user who is gone by now gets nothing. */
async function move({ onUpgrade }: AnonymousOptions, { users }: Background, from: string, to: string): Promise<void> {
  const [anonymous, user] = [await users.byId(from), await users.byId(to)]
  if (anonymous !== null && user !== null && idOf(anonymous) !== idOf(user)) await onUpgrade?.({ anonymous, user })
}
