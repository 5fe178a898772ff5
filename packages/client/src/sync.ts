import type { Channel, News } from "./channel.js"
import type { Answer } from "./model.js"
import { isRecord } from "./result.js"
import type { State } from "./state.js"
import { tokenOf, type Wire } from "./wire.js"

/** Auth.js knows them by these names. */
type Trigger = "getSession" | "signout"

/** Asks the server, and takes over what it says. */
export interface Sync<S> {
  /** Those who ask at once share one request. `anew`: not one that is under way. `quiet`: the other tabs need not hear. */
  read(how?: { readonly anew?: boolean; readonly quiet?: boolean }): Promise<S | null>
  /** What changes the session waits for what changes it already, and makes a read under way worthless. */
  inTurn<T>(change: () => Promise<T>): Promise<T>
  /** What is true from now on: for this tab and the others. */
  establish(session: S | null, trigger: Trigger): void
  /** For the others only. */
  announce(session: S | null, trigger: Trigger): void
  update(data: unknown): Promise<S | null>
  /** Another tab has something to tell. */
  hear(news: Partial<News<S>>): void
}

export function synchronise<S>(wire: Wire, state: State<S>, channel: Channel<S>): Sync<S> {
  let reading: { readonly result: Promise<S | null>; readonly abort: AbortController } | undefined
  let changes: Promise<unknown> = Promise.resolve()

  function drop(): void {
    reading?.abort.abort()
    reading = undefined
  }

  function read({ anew = false, quiet = false } = {}): Promise<S | null> {
    if (anew) drop()
    const abort = new AbortController()
    reading ??= { abort, result: ask(abort.signal, quiet) }
    return reading.result
  }

  async function ask(signal: AbortSignal, quiet: boolean): Promise<S | null> {
    await changes
    const asOf = Date.now()
    const answer = await wire.send("session", { signal })
    if (signal.aborted) return superseded()
    reading = undefined
    const session = sessionIn<S>(answer)
    if (session === undefined) {
      state.fail()
      return null
    }
    if (!state.settle(session, asOf)) return superseded()
    if (!quiet) channel.tell({ trigger: "getSession", session, asOf })
    return session
  }

  async function superseded(): Promise<S | null> {
    await changes
    const { data } = state.get()
    return reading?.result ?? (data === undefined ? read() : data)
  }

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
    const csrfToken = tokenOf(await wire.ask("csrf"))
    const body = JSON.stringify({ csrfToken, data })
    const headers = { "Content-Type": "application/json" }
    const session = sessionIn<S>(await wire.send("session", { method: "POST", body, headers }))
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

/** What the server says of the session; `undefined` if it says nothing. Its shape is the server's word. */
export function sessionIn<S>({ ok, body }: Answer): S | null | undefined {
  return ok && (body === null || isRecord(body)) ? (body as S | null) : undefined
}
