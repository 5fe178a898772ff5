import type { Background } from "./context.js"
import type { ApiKey } from "./index.js"
import type { KeyRecord } from "./records.js"

// Reading and ending keys. What creates them is in `create.ts` and `rotate.ts`.

/** The keys of a user, the latest first. */
export async function keysOf({ records }: Background, userId: string): Promise<readonly KeyRecord[]> {
  const { items } = await records.key.find({ userId })
  return items.toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime())
}

/** Without secrets. */
export function shownKey(prefix: string, key: KeyRecord): ApiKey {
  return {
    keyId: key.id,
    start: startOf(prefix, key),
    userId: key.userId,
    name: key.name,
    scopes: key.scopes,
    createdAt: key.createdAt,
    expiresAt: key.expiresAt ?? null,
    lastUsedAt: key.lastUsedAt ?? null,
  }
}

/** How the key begins, by which its user recognizes it. */
export function startOf(prefix: string, { id }: Pick<KeyRecord, "id">): string {
  return `${prefix}_${id}`
}

export interface NamedKey {
  readonly id: string
  /** Only a key of this user. @default of any user */
  readonly userId?: string | undefined
}

/** `null`: there's no such key, or it's another user's. */
export async function findKey({ records }: Background, { id, userId }: NamedKey): Promise<KeyRecord | null> {
  const key = id === "" ? null : await records.key.get({ id })
  return key === null || (userId !== undefined && key.userId !== userId) ? null : key
}

/** Of parallel calls, one gets the key. `null`: there's no such key. */
export async function endKey(context: Background, named: NamedKey): Promise<KeyRecord | null> {
  if ((await findKey(context, named)) === null) return null
  return context.records.key.take({ id: named.id })
}

/** Also a creation that is under way: it finds that the keys have ended since it began. */
export async function endKeysOf(context: Background, userId: string): Promise<void> {
  const { key } = context.records
  await endRing(context, userId)
  const { items } = await key.find({ userId })
  for (const { id } of items) await key.remove({ id })
}

async function endRing({ records: { ring }, now }: Background, userId: string): Promise<void> {
  for (let left = 30; left > 0; left--) {
    const before = await ring.get({ userId })
    const ended = { ids: [], endedAt: new Date(now()) }
    if (before === null ? await ring.insert({ userId, ...ended }) : await ring.swap(before, ended)) return
  }
  throw new Error("Too many keys of one user were created while all were revoked")
}
