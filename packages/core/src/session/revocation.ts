import { sha256 } from "../crypto/digest.js"
import type { Adapter } from "../model/adapter.js"
import type { Runtime } from "../primitives/runtime.js"

/**
 * Makes sealed sessions revocable: each carries a `sid`, and is alive only while the store knows it. The rows are
 * ordinary sessions, so that "sign out everywhere" and the deletion of a user reach them.
 */
export interface Revocation {
  issue(userId: string, expires: Date): Promise<string>
  holds(sid: string): Promise<boolean>
  /** Whether the store still knows it. */
  extend(sid: string, expires: Date): Promise<boolean>
  revoke(sid: string): Promise<void>
}

type SessionStore = Required<Pick<Adapter, "createSession" | "getSessionAndUser" | "updateSession" | "deleteSession">>

export function hasSessions(adapter: Adapter | undefined): adapter is Adapter & SessionStore {
  return (
    adapter?.createSession !== undefined &&
    adapter.getSessionAndUser !== undefined &&
    adapter.updateSession !== undefined &&
    adapter.deleteSession !== undefined
  )
}

export function revocation(adapter: SessionStore, runtime: Pick<Runtime, "now" | "uuid">): Revocation {
  async function holds(sid: string): Promise<boolean> {
    const found = await adapter.getSessionAndUser(await storedToken(sid))
    return found ? new Date(found.session.expires).getTime() > runtime.now() : false
  }

  return {
    holds,
    async issue(userId, expires) {
      const sid = runtime.uuid()
      await adapter.createSession({ sessionToken: await storedToken(sid), userId, expires })
      return sid
    },
    async extend(sid, expires) {
      const updated = await adapter.updateSession({ sessionToken: await storedToken(sid), expires })
      return updated ? true : holds(sid)
    },
    async revoke(sid) {
      await adapter.deleteSession(await storedToken(sid))
    },
  }
}

/** The prefix keeps a stolen hash from being taken for a token. */
const hashPrefix = "sha256:"

/** What the store keeps of a session token: enough to recognise it, not enough to use it. */
export async function storedToken(token: string): Promise<string> {
  return hashPrefix + (await sha256(token))
}

export function isStoredForm(token: string): boolean {
  return token.startsWith(hashPrefix)
}
