import type { Adapter } from "@latchkey/core/adapters"
import { type Cache, orUndefined, sessionCopy } from "./reader.js"

type Updates = Pick<Adapter, "createSession" | "updateSession" | "describeSession" | "updateUser">
type Deletions = Pick<Adapter, "deleteSession" | "deleteSessions" | "deleteUser">

/** A write happens even if Redis is unreachable. A copy from before it may then be used until it expires. */
export function updateMethods(cache: Cache, adapter: Adapter): Updates {
  const { createSession, updateSession, describeSession, updateUser } = adapter
  return {
    ...(createSession && {
      createSession: async (session) => {
        const created = await createSession.call(adapter, session)
        const { ofSession } = cache.keys
        await quietly(cache, async () => cache.unknown.created(await ofSession(session.sessionToken)))
        return created
      },
    }),
    ...(updateSession && {
      updateSession: async (changes) => {
        const update = await startUpdate(cache, (await cache.keys.ofSession(changes.sessionToken)).session)
        const session = await updateSession.call(adapter, changes)
        await update.end(async () => (session ? sessionCopy(cache, session) : undefined))
        return session
      },
    }),
    ...(describeSession && {
      describeSession: async (token, details) => {
        const update = await startUpdate(cache, (await cache.keys.ofSession(token)).session)
        const result = await describeSession.call(adapter, token, details)
        await update.end()
        return result
      },
    }),
    ...(updateUser && {
      updateUser: async (changes) => {
        const update = await startUpdate(cache, cache.keys.ofUser(changes.id))
        const user = await updateUser.call(adapter, changes)
        await update.end()
        return user
      },
    }),
  }
}

/**
 * A deletion doesn't happen if Redis is unreachable, because another process may still have the copy. The mark comes first,
 * so from the moment at which the row is gone, no process uses a copy.
 */
export function deletionMethods(cache: Cache, adapter: Adapter): Deletions {
  const { deleteSession, deleteSessions, deleteUser } = adapter
  return {
    ...(deleteSession && {
      deleteSession: async (token) =>
        deleting(cache, (await cache.keys.ofSession(token)).session, async () => deleteSession.call(adapter, token)),
    }),
    ...(deleteSessions && {
      deleteSessions: (userId) =>
        deleting(cache, cache.keys.ofUser(userId), async () => deleteSessions.call(adapter, userId)),
    }),
    ...(deleteUser && {
      deleteUser: (userId) => deleting(cache, cache.keys.ofUser(userId), async () => deleteUser.call(adapter, userId)),
    }),
  }
}

interface Update {
  /** @param copyOf the new copy. Without it, the next read stores one after some seconds */
  end(copyOf?: () => Promise<string | undefined>): Promise<void>
}

async function startUpdate(cache: Cache, key: string): Promise<Update> {
  const { entries, breaker, ttl } = cache
  const mark = await orUndefined(() => breaker.attempt(() => entries.mark(key, "update")))
  return {
    end: async (copyOf) => {
      if (mark === undefined) return
      await quietly(cache, async () => {
        const text = await copyOf?.()
        await entries.settle(key, mark, text === undefined ? undefined : { text, ttl })
      })
    },
  }
}

async function deleting<T>({ entries, breaker }: Cache, key: string, deleteRow: () => Promise<T>): Promise<T> {
  try {
    await breaker.insist(() => entries.mark(key, "delete"))
  } catch (cause) {
    throw new Error("Nothing was deleted, because Redis is unreachable and may have a copy. Try again later.", {
      cause,
    })
  }
  const result = await deleteRow()
  // If the deletion took longer than the mark stays, a reader may have stored the row again.
  await orUndefined(() => breaker.attempt(() => entries.mark(key, "delete")))
  return result
}

async function quietly({ breaker }: Cache, work: () => Promise<void>): Promise<void> {
  await orUndefined(() => breaker.attempt(work))
}
