import type { AdapterUser } from "@latchkey/core/adapters"
import type { Background, Context } from "./context.js"
import { startOf } from "./keys.js"
import { dateIn, notify } from "./notices.js"
import type { Settings } from "./options.js"
import { ownerOf } from "./owners.js"
import type { KeyRecord } from "./records.js"

/** Milliseconds between two writes of the last use. */
const hour = 3_600_000

/** Milliseconds after which an email that couldn't be sent is tried again. */
const day = 86_400_000

/** Keeps when the key was used, at most hourly, and reminds its owner of the end. */
export async function noteUse(settings: Settings, context: Context, key: KeyRecord, user: AdapterUser): Promise<void> {
  const now = context.now()
  const isStale = key.lastUsedAt === undefined || now - key.lastUsedAt.getTime() >= hour
  const isDue = canRemind(context, key)
  if (!isStale && !isDue) return
  const changes = { ...(isStale && { lastUsedAt: new Date(now) }), ...(isDue && { remindAt: undefined }) }
  // Of parallel uses, one writes.
  if (!(await context.records.key.swap(key, changes))) return
  if (isStale) await context.emit("used", { id: key.userId }, { data: { keyId: key.id } })
  if (isDue) await remindOf(settings, context, { key, user })
}

/** Whether the owner gets an email about the end now. */
function canRemind({ canMail, now }: Background, { remindAt, expiresAt }: KeyRecord): boolean {
  if (!canMail || remindAt === undefined || expiresAt === undefined) return false
  return remindAt.getTime() <= now() && now() < expiresAt.getTime()
}

/** Reminds the owners of all keys that end soon, used or not. @returns how many emails were sent */
export async function remindAll(settings: Settings, context: Background): Promise<number> {
  let sent = 0
  let after: string | undefined
  do {
    const page = await context.records.key.list(after === undefined ? {} : { after })
    for (const key of page.items.filter((each) => canRemind(context, each))) {
      const owner = await ownerOf(settings, context, key.userId)
      if (owner === null || !(await context.records.key.swap(key, { remindAt: undefined }))) continue
      if (await remindOf(settings, context, { key, user: owner.user })) sent++
    }
    after = page.next
  } while (after !== undefined)
  return sent
}

interface Due {
  readonly key: KeyRecord
  readonly user: AdapterUser
}

/** The URL is that of the configuration: a program that uses a key may have written the one of the request. */
async function remindOf({ prefix }: Settings, background: Background, { key, user }: Due): Promise<boolean> {
  const { name, expiresAt, userId } = key
  const isSent = await notify(background, {
    userId,
    to: user.email,
    notice: "mailExpires",
    values: (context) => ({
      name: `${name} (${startOf(prefix, key)})`,
      date: expiresAt === undefined ? "" : dateIn(context, expiresAt),
    }),
  })
  if (isSent) await background.emit("reminded", { id: userId }, { data: { keyId: key.id } })
  else await tryTomorrow(background, key)
  return isSent
}

async function tryTomorrow({ records, now }: Background, { id }: KeyRecord): Promise<void> {
  const key = await records.key.get({ id })
  if (key !== null) await records.key.swap(key, { remindAt: new Date(now() + day) })
}
