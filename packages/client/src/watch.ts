import type { Channel } from "./channel.js"
import type { WatchOptions } from "./model.js"
import { endOf, type State } from "./state.js"
import type { Sync } from "./sync.js"

/** Going from window to window and back need not cost a request each time. Milliseconds. */
const freshFor = 5000

/** The longest time that a timer can wait for. Milliseconds. */
const longestWait = 2 ** 31 - 1

interface Parts<S> {
  readonly state: State<S>
  readonly sync: Sync<S>
  readonly channel: Channel<S>
}

/** Reads again when there may be something new. @returns what ends it */
export function watch<S>({ state, sync, channel }: Parts<S>, options: WatchOptions): () => void {
  const { refetchInterval = 0, refetchOnWindowFocus = true, refetchWhenOffline = false } = options
  const stopped = new AbortController()
  const { signal } = stopped
  let timer: ReturnType<typeof setTimeout> | undefined
  let due = 0

  /** One timer for both ends: that of the interval and that of the session. */
  function arm(): void {
    clearTimeout(timer)
    const { data } = state.get()
    if (!data) return
    const end = endOf(data)
    const poll = refetchInterval > 0 ? state.synced + refetchInterval * 1000 * patience(0.1) : Infinity
    due = Math.min(poll, end === state.seenEnd ? Infinity : end + 1000 * patience(1))
    if (due < Infinity) timer = setTimeout(tick, Math.min(due - Date.now(), longestWait))
  }

  function tick(): void {
    if (Date.now() < due) return arm()
    // Going online arms again.
    if (refetchWhenOffline || navigator.onLine) void channel.first(ask)
  }

  /** `isFirst`: no other tab is asking at this moment; if one is, it tells the answer. */
  async function ask(isFirst: boolean): Promise<unknown> {
    const now = Date.now()
    if (now < due) return undefined
    const end = endOf(state.get().data)
    if (end <= now) state.seenEnd = end
    if (isFirst) return sync.read()
    state.synced = now
    return arm()
  }

  state.onSync = arm
  document.addEventListener(
    "visibilitychange",
    () => {
      const isStale = Date.now() - state.synced >= freshFor
      if (refetchOnWindowFocus && isStale && document.visibilityState === "visible") void sync.read()
      arm()
    },
    { signal },
  )
  addEventListener(
    "online",
    () => {
      if (state.failed) void sync.read()
      arm()
    },
    { signal },
  )
  // Back from the memory of the browser: nothing was heard there.
  addEventListener("pageshow", ({ persisted }) => void (persisted && sync.read({ anew: true })), { signal })
  arm()

  return () => {
    stopped.abort()
    clearTimeout(timer)
    state.onSync = () => {}
  }
}

/**
 * All tabs wait for the same moment, and what the first learns puts it off for all: the one in view shall be the first,
 * and no two at once.
 */
function patience(share: number): number {
  const isHidden = document.visibilityState === "hidden"
  return 1 + share * (isHidden ? 1 + 2 * Math.random() : Math.random() / 2)
}
