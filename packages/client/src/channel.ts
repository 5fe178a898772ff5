import { isRecord } from "./result.js"
import { inBrowser } from "./wire.js"

/** What one tab tells the others. */
export interface News<S> {
  /** What led to it: `getSession`, `signout`. */
  readonly trigger: string
  /** As of when `session` is true; milliseconds since 1970. */
  readonly asOf: number
  /** Missing: ask the server. */
  readonly session?: S | null
}

export interface Channel<S> {
  tell(news: News<S>): void
  /** Begins to listen. @returns what ends it */
  listen(hear: (news: Partial<News<S>>) => void): () => void
  /** Tells `task` whether no other tab is at it. */
  first(task: (isFirst: boolean) => Promise<unknown>): Promise<unknown>
}

/** The name that Auth.js uses: tabs with the version before are still open when an application changes over. */
const name = "next-auth"

/** @param base sites may have several servers below different paths, whose sessions are not the same */
export function openChannel<S>(base: () => string): Channel<S> {
  let open: BroadcastChannel | undefined
  return {
    tell(news) {
      const channel = open ?? makeChannel()
      channel?.postMessage({ event: "session", data: { ...news, base: base() } })
      if (channel !== open) channel?.close()
    },
    listen(hear) {
      const channel = (open = makeChannel())
      channel?.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
        const news = newsIn<S>(data, base())
        if (news) hear(news)
      })
      return () => {
        channel?.close()
        open = undefined
      }
    },
    async first(task) {
      try {
        return await navigator.locks.request(name + base(), { ifAvailable: true }, async (lock) => task(lock !== null))
      } catch {
        // No locks: not a secure context, or one that may not keep anything.
        return task(true)
      }
    },
  }
}

/** Any script of the site can post here: what makes no sense is not for us. */
export function newsIn<S>(message: unknown, base: string): Partial<News<S>> | undefined {
  const news = isRecord(message) && message["event"] === "session" ? message["data"] : undefined
  if (!isRecord(news) || typeof news["trigger"] !== "string") return undefined
  const { trigger, session, asOf } = news
  if (session === undefined) return { trigger }
  if (news["base"] !== base || typeof asOf !== "number" || !(session === null || isRecord(session))) return undefined
  // The shape is the application's own, as it was in the tab that got it from the server.
  return { trigger, session: session as S | null, asOf }
}

/** Browsers without it, and pages that may not keep anything, have no other tabs to speak to. */
function makeChannel(): BroadcastChannel | undefined {
  try {
    return inBrowser() ? new BroadcastChannel(name) : undefined
  } catch {
    return undefined
  }
}
