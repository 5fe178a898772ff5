import type { SessionView, Visitor } from "@latchkey/core/session-reader"
import { cookies, headers } from "next/headers.js"
import { cookieHeader } from "./cookies.js"
import type { Site } from "./site.js"

/** Who asks, as Next.js tells it to pages, actions and route handlers. */
export interface Caller extends Visitor {
  /** As they are now: an action may have changed them. */
  readonly cookie: string
}

/** @throws outside of a request, and where Next.js wants to know that a page depends on one: let it through */
export async function caller(): Promise<Caller> {
  const [given, jar] = await Promise.all([headers(), cookies()])
  return { headers: given, cookie: cookieHeader(jar.getAll()) }
}

interface Read {
  readonly site: object
  readonly cookie: string
  readonly view: Promise<SessionView<unknown>>
}

const reads = new WeakMap<object, Read>()

/** The session of the request at hand, read once for each state of its cookies. No cookie can be set here. */
export async function currentSession<S>(site: Site<S>): Promise<SessionView<S>> {
  const who = await caller()
  const { headers, cookie } = who
  const known = reads.get(headers)
  if (known?.site === site && known.cookie === cookie) return known.view as Promise<SessionView<S>>
  const view = site.reader.session(who, { readOnly: true })
  // Next.js hands out the same headers for the whole request.
  reads.set(headers, { site, cookie, view })
  return view
}
