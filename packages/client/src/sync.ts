import type { SessionMessage } from "./channel.js"
import { type ClientContext, createReader, type Reader, sessionIn } from "./reader.js"
import { csrfTokenIn } from "./transport.js"

/** The names that Auth.js uses. */
type Trigger = "getSession" | "signout"

/** Keeps this tab, the server and the other tabs in sync. */
export interface Sync<S> extends Pick<Reader<S>, "read"> {
  /** Runs changes of the session one after the other, so that their responses set cookies in order. */
  runExclusive<T>(change: () => Promise<T>): Promise<T>
  /** Sets the session in this tab and in the others. */
  commit(session: S | null, trigger: Trigger): void
  /** Sets the session in the other tabs only. */
  broadcast(session: S | null, trigger: Trigger): void
  update(data: unknown): Promise<S | null>
  onMessage(message: Partial<SessionMessage<S>>): void
}

export function createSync<S>(context: ClientContext<S>): Sync<S> {
  const { transport, store, channel } = context
  let changes: Promise<unknown> = Promise.resolve()
  const { read, cancel } = createReader(context, () => changes)

  function runExclusive<T>(change: () => Promise<T>): Promise<T> {
    cancel()
    const done = changes.then(change)
    changes = done.catch(() => {})
    return done
  }

  function broadcast(session: S | null, trigger: Trigger): void {
    channel.post({ trigger, session, asOf: Date.now() })
  }

  function commit(session: S | null, trigger: Trigger): void {
    store.set(session, Date.now())
    broadcast(session, trigger)
  }

  async function postUpdate(data: unknown): Promise<S | null> {
    const statusBefore = store.get().status
    const body = JSON.stringify({ csrfToken: csrfTokenIn(await transport.get("csrf")), data })
    const headers = { "Content-Type": "application/json" }
    const answer = await transport.send("session", { method: "POST", body, headers })
    const session = sessionIn(answer) as S | null | undefined
    if (session === undefined) return null
    // Another tab signed in or out in the meantime. Ask the server which happened last.
    if (store.get().status !== statusBefore) void read({ fresh: true })
    else commit(session, "getSession")
    return session
  }

  return {
    read,
    runExclusive,
    commit,
    broadcast,
    async update(data) {
      if (store.get().status === "loading") await read()
      return data === undefined ? read({ fresh: true }) : runExclusive(() => postUpdate(data))
    },
    onMessage({ trigger, session, asOf = Date.now() }) {
      const received = trigger === "signout" ? null : session
      if (received !== undefined) store.set(received, asOf)
      // Tabs that run Auth.js send messages without a session.
      if (session === undefined) void read({ fresh: true, quiet: true })
    },
  }
}
