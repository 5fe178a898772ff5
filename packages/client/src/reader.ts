import type { Channel } from "./channel.js"
import type { Answer } from "./model.js"
import { isRecord } from "./result.js"
import type { Store } from "./store.js"
import type { Transport } from "./transport.js"

/** What the parts of a client share. */
export interface ClientContext<S> {
  readonly transport: Transport
  readonly store: Store<S>
  readonly channel: Channel<S>
}

export interface ReadOptions {
  /** Start a new request, even if a read is in progress. */
  readonly fresh?: boolean
  /** Don't send the session to other tabs. */
  readonly quiet?: boolean
}

export interface Reader<S> {
  /** Reads the session from the server. Parallel calls share one request. */
  read(options?: ReadOptions): Promise<S | null>
  /** Ignores the result of a read in progress. Its callers wait for the next one. */
  cancel(): void
}

/** @param pendingChanges sign-ins, sign-outs and updates in progress, which a read waits for */
export function createReader<S>(
  { transport, store, channel }: ClientContext<S>,
  pendingChanges: () => Promise<unknown>,
): Reader<S> {
  let current: { readonly result: Promise<S | null>; readonly abort: AbortController } | undefined

  function cancel(): void {
    current?.abort.abort()
    current = undefined
  }

  function read({ fresh = false, quiet = false }: ReadOptions = {}): Promise<S | null> {
    if (fresh) cancel()
    const abort = new AbortController()
    current ??= { abort, result: fetchSession(abort.signal, quiet) }
    return current.result
  }

  async function fetchSession(signal: AbortSignal, quiet: boolean): Promise<S | null> {
    await pendingChanges()
    const asOf = Date.now()
    const session = sessionIn(await transport.send("session", { signal })) as S | null | undefined
    // Canceled because the session changes. Wait for the change, then read again.
    if (signal.aborted) return read()
    current = undefined
    if (session === undefined) {
      store.setFailed()
      return null
    }
    if (!store.set(session, asOf)) return store.get().data ?? null
    if (!quiet) channel.post({ trigger: "getSession", session, asOf })
    return session
  }

  return { read, cancel }
}

/**
 * The session in a response, or `undefined` if the response has none. Its shape is what the server's callbacks return. Without a
 * session, next-auth 4 answers `{}`.
 */
export function sessionIn({ ok, body }: Answer): object | null | undefined {
  if (ok && isRecord(body) && Object.keys(body).length === 0) return null
  return ok && (body === null || isRecord(body)) ? body : undefined
}
