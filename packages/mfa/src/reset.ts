import type { User } from "@latchkey/core/types"
import type { Background, Context } from "./context.js"
import { forgetDevices } from "./devices.js"
import { dateIn, notify } from "./notices.js"

/** Removes the factor later, so that the user can object. A second call doesn't move the time. `null`: there's no factor. */
export async function startReset(
  { records, now, emit }: Background,
  userId: string,
  delay: number,
): Promise<Date | null> {
  if ((await records.factor.get({ userId })) === null) return null
  const readyAt = new Date(now() + delay * 1000)
  if (await records.reset.insert({ userId, readyAt })) {
    await emit("reset-started", { id: userId })
    return readyAt
  }
  return (await records.reset.get({ userId }))?.readyAt ?? readyAt
}

export async function notifyOfReset(context: Context, { id, email }: Addressee, at: Date): Promise<void> {
  await notify(context, id, { to: email, notice: "mailReset", values: { date: dateIn(context, at) } })
}

interface Addressee {
  readonly id: string
  readonly email?: string | null | undefined
}

/** `false`: there was none. */
export async function cancelReset({ records, emit }: Background, userId: string): Promise<boolean> {
  if ((await records.reset.take({ userId })) === null) return false
  await emit("reset-canceled", { id: userId })
  return true
}

/** Removes the factor if its time has come. The user is signing in, and has proven the first factor. */
export async function completeReset(context: Context, user: User & { readonly id: string }): Promise<boolean> {
  const { records } = context
  const userId = user.id
  if (!isReady(context, await records.reset.get({ userId }))) return false
  // It may be canceled at the same time, and another one may have begun.
  const taken = await records.reset.take({ userId })
  if (taken === null) return false
  if (!isReady(context, taken)) {
    await records.reset.insert(taken)
    return false
  }
  await forgetDevices(context, userId)
  await records.factor.remove({ userId })
  await context.emit("reset-done", { id: userId })
  await notify(context, userId, { to: user.email, notice: "mailResetDone" })
  return true
}

function isReady({ now }: Background, reset: { readonly readyAt: Date } | null): boolean {
  return reset !== null && reset.readyAt.getTime() <= now()
}
