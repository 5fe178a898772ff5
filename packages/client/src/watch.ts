import type { Channel } from "./channel.js"
import type { WatchOptions } from "./model.js"
import { expiryOf, type Store } from "./store.js"
import type { Sync } from "./sync.js"

/** Milliseconds. Switching between windows shouldn't cost a request each time. */
const freshFor = 5000

/** Milliseconds. `setTimeout` fires immediately for longer delays. */
const maxTimeout = 2 ** 31 - 1

interface WatchContext<S> {
  readonly store: Store<S>
  readonly sync: Sync<S>
  readonly channel: Channel<S>
}

/** Reads the session again when it may have changed. @returns a function that stops */
export function watch<S>({ store, sync, channel }: WatchContext<S>, options: WatchOptions): () => void {
  const { refetchInterval = 0, refetchOnWindowFocus = true, refetchWhenOffline = false } = options
  const stopped = new AbortController()
  const { signal } = stopped
  let timer: ReturnType<typeof setTimeout> | undefined
  let due = 0

  /** Sets one timer for whichever comes first: the end of the interval, or of the session. */
  function schedule(): void {
    clearTimeout(timer)
    const { data } = store.get()
    if (!data) return
    const expiry = expiryOf(data)
    const poll = refetchInterval > 0 ? store.lastSync + refetchInterval * 1000 * jitter(0.1) : Infinity
    due = Math.min(poll, expiry === store.checkedExpiry ? Infinity : expiry + 1000 * jitter(1))
    if (due < Infinity) timer = setTimeout(tick, Math.min(due - Date.now(), maxTimeout))
  }

  function tick(): void {
    if (Date.now() < due) return schedule()
    // Offline, the `online` event schedules the next read.
    if (refetchWhenOffline || navigator.onLine) void channel.tryExclusive(readIfDue)
  }

  /** If another tab is reading now, it posts the result. */
  async function readIfDue(isExclusive: boolean): Promise<unknown> {
    const now = Date.now()
    if (now < due) return undefined
    const expiry = expiryOf(store.get().data)
    if (expiry <= now) store.checkedExpiry = expiry
    if (isExclusive) return sync.read()
    store.lastSync = now
    return schedule()
  }

  store.onSync = schedule
  document.addEventListener(
    "visibilitychange",
    () => {
      const isStale = Date.now() - store.lastSync >= freshFor
      if (refetchOnWindowFocus && isStale && document.visibilityState === "visible") void sync.read()
      schedule()
    },
    { signal },
  )
  addEventListener(
    "online",
    () => {
      if (store.hasFailed) void sync.read()
      schedule()
    },
    { signal },
  )
  // A page in the back/forward cache receives no messages.
  addEventListener("pageshow", ({ persisted }) => void (persisted && sync.read({ fresh: true })), { signal })
  schedule()

  return () => {
    stopped.abort()
    clearTimeout(timer)
    store.onSync = () => {}
  }
}

/**
 * A random factor of at least 1. The tab that reads first resets the timers of the others, so tabs wait for different
 * times, and a visible tab waits for less than hidden ones.
 */
function jitter(share: number): number {
  const isHidden = document.visibilityState === "hidden"
  return 1 + share * (isHidden ? 1 + 2 * Math.random() : Math.random() / 2)
}
