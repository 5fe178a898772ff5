import type { Background } from "./context.js"
import { type AnonymousOptions, defaults, type Swept, type SweepOptions } from "./options.js"
import type { Guest } from "./records.js"
import { moveTo } from "./upgrade.js"

const day = 86_400_000

/** One that fails doesn't keep the others from it. */
export async function sweep(
  options: AnonymousOptions,
  context: Background,
  { days = defaults.days }: SweepOptions = {},
): Promise<Swept> {
  if (!(days >= 0)) throw new TypeError("`days` is a number of days, such as 30")
  const before = context.now() - days * day
  const counts = { removed: 0, upgraded: 0 }
  const failed: unknown[] = []
  for await (const guest of guestsIn(context)) {
    try {
      const done = await sweepOne(options, context, guest, before)
      if (done !== undefined) counts[done]++
    } catch (cause) {
      failed.push(cause)
    }
  }
  return { ...counts, failed }
}

async function* guestsIn({ records }: Background): AsyncGenerator<Guest> {
  let after: string | undefined
  do {
    const page = await records.guest.list(after === undefined ? {} : { after })
    yield* page.items
    after = page.next
  } while (after !== undefined)
}

async function sweepOne(
  options: AnonymousOptions,
  context: Background,
  guest: Guest,
  before: number,
): Promise<"removed" | "upgraded" | undefined> {
  const { users, records, emit } = context
  const { userId, to, createdAt } = guest
  if (to !== undefined) return (await moveTo(options, context, guest, to)) ? "upgraded" : undefined
  if (createdAt.getTime() > before || (await users.hasSessions(userId))) return undefined
  // A user with an email, an account or a passkey is one who has an account by now.
  if (await users.removeNameless(userId)) await emit("removed", { id: userId })
  else if ((await users.byId(userId)) !== null) {
    await records.guest.remove({ userId })
    return undefined
  }
  await records.guest.remove({ userId })
  return "removed"
}
