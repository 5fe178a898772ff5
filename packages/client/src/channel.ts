import { isRecord } from "./result.js"
import { isBrowser } from "./transport.js"

/** A message between tabs. */
export interface SessionMessage<S> {
  /** `getSession` or `signout`, the names that Auth.js uses. */
  readonly trigger: string
  /** When `session` was read, in milliseconds since 1970. */
  readonly asOf: number
  /** If it's missing, the receiver asks the server. */
  readonly session?: S | null
}

export interface Channel<S> {
  post(message: SessionMessage<S>): void
  /** @returns a function that stops listening */
  listen(onMessage: (message: Partial<SessionMessage<S>>) => void): () => void
  /** Runs `task` and tells it whether it's the only tab that runs it now. */
  tryExclusive(task: (isExclusive: boolean) => Promise<unknown>): Promise<unknown>
}

/** The channel of Auth.js. After a migration, open tabs may still run it. */
const channelName = "next-auth"

/** @param baseUrl keeps servers below different paths of one origin apart, because their sessions differ */
export function createChannel<S>(baseUrl: () => string): Channel<S> {
  let listening: BroadcastChannel | undefined
  return {
    post(message) {
      const channel = listening ?? openChannel()
      channel?.postMessage({ event: "session", data: { ...message, base: baseUrl() } })
      if (channel !== listening) channel?.close()
    },
    listen(onMessage) {
      const channel = (listening = openChannel())
      channel?.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
        const message = parseMessage<S>(data, baseUrl())
        if (message) onMessage(message)
      })
      return () => {
        channel?.close()
        listening = undefined
      }
    },
    async tryExclusive(task) {
      try {
        const name = channelName + baseUrl()
        return await navigator.locks.request(name, { ifAvailable: true }, async (lock) => task(lock !== null))
      } catch {
        // The Web Locks API needs a secure context and access to storage.
        return task(true)
      }
    },
  }
}

/** Returns `undefined` for anything that isn't a valid message, because any script on the origin can post here. */
export function parseMessage<S>(message: unknown, baseUrl: string): Partial<SessionMessage<S>> | undefined {
  const data = isRecord(message) && message["event"] === "session" ? message["data"] : undefined
  if (!isRecord(data) || typeof data["trigger"] !== "string") return undefined
  const { trigger, session, asOf } = data
  if (session === undefined) return { trigger }
  if (data["base"] !== baseUrl || typeof asOf !== "number" || !(session === null || isRecord(session))) return undefined
  // The other tab got the session from the same server, so its type is `S`.
  return { trigger, session: session as S | null, asOf }
}

/** `undefined` on servers, in browsers without `BroadcastChannel`, and in pages without access to storage. */
function openChannel(): BroadcastChannel | undefined {
  try {
    return isBrowser() ? new BroadcastChannel(channelName) : undefined
  } catch {
    return undefined
  }
}
