import type { News } from "./channel.js"
import { type Parts, type Reader, readerOf, sessionIn } from "./reader.js"
import { tokenOf } from "./wire.js"

/** Auth.js knows them by these names. */
type Trigger = "getSession" | "signout"

/** Asks the server, and takes over what it says. */
export interface Sync<S> extends Pick<Reader<S>, "read"> {
  /** What changes the session waits for what changes it already: neither's cookies replace the other's out of turn. */
  inTurn<T>(change: () => Promise<T>): Promise<T>
  /** What is true from now on: for this tab and the others. */
  establish(session: S | null, trigger: Trigger): void
  /** For the others only. */
  announce(session: S | null, trigger: Trigger): void
  update(data: unknown): Promise<S | null>
  /** Another tab has something to tell. */
  hear(news: Partial<News<S>>): void
}

export function synchronise<S>(parts: Parts<S>): Sync<S> {
  const { wire, state, channel } = parts
  let changes: Promise<unknown> = Promise.resolve()
  const { read, drop } = readerOf(parts, () => changes)

  function inTurn<T>(change: () => Promise<T>): Promise<T> {
    drop()
    const done = changes.then(change)
    changes = done.catch(() => {})
    return done
  }

  function announce(session: S | null, trigger: Trigger): void {
    channel.tell({ trigger, session, asOf: Date.now() })
  }

  function establish(session: S | null, trigger: Trigger): void {
    state.settle(session, Date.now())
    announce(session, trigger)
  }

  async function write(data: unknown): Promise<S | null> {
    const before = state.get().status
    const body = JSON.stringify({ csrfToken: tokenOf(await wire.ask("csrf")), data })
    const headers = { "Content-Type": "application/json" }
    const session = sessionIn(await wire.send("session", { method: "POST", body, headers })) as S | null | undefined
    if (session === undefined) return null
    // Another tab signed in or out meanwhile: which of the two the server saw last, only it knows.
    if (state.get().status !== before) void read({ anew: true })
    else establish(session, "getSession")
    return session
  }

  return {
    read,
    inTurn,
    establish,
    announce,
    async update(data) {
      if (state.get().status === "loading") await read()
      return data === undefined ? read({ anew: true }) : inTurn(() => write(data))
    },
    hear({ trigger, session, asOf = Date.now() }) {
      const told = trigger === "signout" ? null : session
      if (told !== undefined) state.settle(told, asOf)
      // A tab with Auth.js only says that there is something to ask for.
      if (session === undefined) void read({ anew: true, quiet: true })
    },
  }
}
