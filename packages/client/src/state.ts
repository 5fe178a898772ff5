import type { Snapshot } from "./model.js"
import { isRecord } from "./result.js"

/** What is known, and as of when. */
export interface State<S> {
  get(): Snapshot<S>
  subscribe(listener: () => void): () => void
  /**
   * Takes over what was true at `asOf` (milliseconds since 1970), unless something later is known.
   * `rendered`: it came with the page, and may have been kept for long.
   */
  settle(session: S | null, asOf: number, rendered?: boolean): boolean
  /** The server did not answer: what is known stays, and not knowing ends. */
  fail(): void
  /** When the server was last asked, by whichever tab; milliseconds since 1970. */
  synced: number
  /** The last attempt to ask failed. */
  failed: boolean
  /** An end that needs no look any more, as the session shows it. */
  seenEnd: unknown
  /** Called whenever `synced` is new. */
  onSync: () => void
}

export function hold<S>(initial: S | null | undefined): State<S> {
  const listeners = new Set<() => void>()
  let snapshot = snapshotOf(initial)
  let known = 0

  function set(next: Snapshot<S>): void {
    if (JSON.stringify(next) === JSON.stringify(snapshot)) return
    snapshot = next
    for (const listener of listeners) listener()
  }

  const state: State<S> = {
    get: () => snapshot,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    settle(session, asOf, rendered = false) {
      const now = Date.now()
      // A clock that was set back must not make everything look outdated.
      if (asOf < known && known <= now) return false
      known = asOf
      state.synced = now
      state.failed = false
      // The server saw no end yet: its clock counts.
      if (!rendered && endOf(session) <= now) state.seenEnd = endOf(session)
      set(snapshotOf(session))
      state.onSync()
      return true
    },
    fail() {
      state.synced = Date.now()
      state.failed = true
      if (snapshot.status === "loading") set(snapshotOf<S>(null))
      state.onSync()
    },
    synced: initial === undefined ? 0 : Date.now(),
    failed: false,
    seenEnd: undefined,
    onSync() {},
  }
  return state
}

/** Milliseconds since 1970; never for a session that does not say. */
export function endOf(session: unknown): number {
  const end = isRecord(session) ? Date.parse(String(session["expires"])) : NaN
  return Number.isNaN(end) ? Infinity : end
}

function snapshotOf<S>(session: S | null | undefined): Snapshot<S> {
  if (session === undefined) return { data: undefined, status: "loading" }
  if (session === null) return { data: null, status: "unauthenticated" }
  return { data: session, status: "authenticated" }
}
