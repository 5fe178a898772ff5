import type { SessionView } from "@latchkey/core/session-reader"
import { cookies, headers } from "next/headers.js"
import { cookieHeader } from "./cookies.js"
import type { Site } from "./site.js"

/** Who asks, as Next.js tells it to pages, actions and route handlers. */
export interface Caller {
  /** The same object for the whole request. */
  readonly request: object
  readonly headers: Headers
  /** The cookies as they are now: an action may have changed them. */
  readonly cookie: string
}

/** @throws outside of a request, and where Next.js wants to know that a page depends on one: let it through */
export async function caller(): Promise<Caller> {
  const given = await headers()
  const jar = await cookies()
  const cookie = cookieHeader(jar.getAll())
  const copy = new Headers(given)
  copy.set("cookie", cookie)
  return { request: given, headers: copy, cookie }
}

interface Read {
  readonly site: object
  readonly cookie: string
  readonly view: Promise<SessionView<unknown>>
}

const reads = new WeakMap<object, Read>()

/** The session of the request at hand, read once for each state of its cookies. No cookie can be set here. */
export async function currentSession<S>(site: Site<S>): Promise<SessionView<S>> {
  const { request, headers, cookie } = await caller()
  const known = reads.get(request)
  if (known?.site === site && known.cookie === cookie) return known.view as Promise<SessionView<S>>
  const view = site.reader.session({ headers }, { readOnly: true })
  reads.set(request, { site, cookie, view })
  return view
}
