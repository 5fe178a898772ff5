import type { Channel } from "./channel.js"
import type { Answer } from "./model.js"
import { isRecord } from "./result.js"
import type { State } from "./state.js"
import type { Wire } from "./wire.js"

/** What the parts of a client share. */
export interface Parts<S> {
  readonly wire: Wire
  readonly state: State<S>
  readonly channel: Channel<S>
}

export interface Reading {
  /** Not one that is under way already. */
  readonly anew?: boolean
  /** The other tabs need not hear. */
  readonly quiet?: boolean
}

export interface Reader<S> {
  /** Asks who is signed in; those who ask at once share one request. */
  read(how?: Reading): Promise<S | null>
  /** Makes a read under way worthless. */
  drop(): void
}

/** @param changes what changes the session at present: a read waits for it */
export function readerOf<S>({ wire, state, channel }: Parts<S>, changes: () => Promise<unknown>): Reader<S> {
  let reading: { readonly result: Promise<S | null>; readonly abort: AbortController } | undefined

  function drop(): void {
    reading?.abort.abort()
    reading = undefined
  }

  function read({ anew = false, quiet = false }: Reading = {}): Promise<S | null> {
    if (anew) drop()
    const abort = new AbortController()
    reading ??= { abort, result: ask(abort.signal, quiet) }
    return reading.result
  }

  async function ask(signal: AbortSignal, quiet: boolean): Promise<S | null> {
    await changes()
    const asOf = Date.now()
    const session = sessionIn(await wire.send("session", { signal })) as S | null | undefined
    // What made it worthless will be known after that.
    if (signal.aborted) return read()
    reading = undefined
    if (session === undefined) {
      state.fail()
      return null
    }
    if (!state.settle(session, asOf)) return state.get().data ?? null
    if (!quiet) channel.tell({ trigger: "getSession", session, asOf })
    return session
  }

  return { read, drop }
}

/** What the server says of the session; `undefined` if it says nothing. Of what shape it is, is the server's word. */
export function sessionIn({ ok, body }: Answer): object | null | undefined {
  return ok && (body === null || isRecord(body)) ? body : undefined
}
