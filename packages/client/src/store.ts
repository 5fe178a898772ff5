import type { Snapshot } from "./model.js"
import { isRecord } from "./result.js"

/** Holds the session of this tab. */
export interface Store<S> {
  get(): Snapshot<S>
  subscribe(listener: () => void): () => void
  /**
   * Sets the session, unless a newer one is known.
   *
   * @param asOf when the session was read, in milliseconds since 1970
   * @param isRendered the session came with the page, which may have been cached
   * @returns whether the session was set
   */
  set(session: S | null, asOf: number, isRendered?: boolean): boolean
  /** Records a failed read. Keeps a known session; `loading` becomes `unauthenticated`. */
  setFailed(): void
  /** When a tab last asked the server, in milliseconds since 1970. */
  lastSync: number
  /** Whether the last read failed. */
  hasFailed: boolean
  /** An expiry that doesn't need another read. In milliseconds since 1970, as in the session. */
  checkedExpiry: unknown
  /** Called when `lastSync` changes. */
  onSync: () => void
}

export function createStore<S>(initial: S | null | undefined): Store<S> {
  const listeners = new Set<() => void>()
  let snapshot = snapshotOf(initial)
  let newest = 0

  function replace(next: Snapshot<S>): void {
    if (JSON.stringify(next) === JSON.stringify(snapshot)) return
    snapshot = next
    for (const listener of listeners) listener()
  }

  const store: Store<S> = {
    get: () => snapshot,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    set(session, asOf, isRendered = false) {
      const now = Date.now()
      // If the clock was set back, `newest` is in the future. Don't ignore every session until then.
      if (asOf < newest && newest <= now) return false
      newest = asOf
      store.lastSync = now
      store.hasFailed = false
      // The server just returned this session, so by its clock it hasn't expired.
      if (!isRendered && expiryOf(session) <= now) store.checkedExpiry = expiryOf(session)
      replace(snapshotOf(session))
      store.onSync()
      return true
    },
    setFailed() {
      store.lastSync = Date.now()
      store.hasFailed = true
      if (snapshot.status === "loading") replace(snapshotOf<S>(null))
      store.onSync()
    },
    lastSync: initial === undefined ? 0 : Date.now(),
    hasFailed: false,
    checkedExpiry: undefined,
    onSync() {},
  }
  return store
}

/** When a session expires, in milliseconds since 1970. `Infinity` if it doesn't say. */
export function expiryOf(session: unknown): number {
  const expiry = isRecord(session) ? Date.parse(String(session["expires"])) : NaN
  return Number.isNaN(expiry) ? Infinity : expiry
}

function snapshotOf<S>(session: S | null | undefined): Snapshot<S> {
  if (session === undefined) return { data: undefined, status: "loading" }
  if (session === null) return { data: null, status: "unauthenticated" }
  return { data: session, status: "authenticated" }
}
