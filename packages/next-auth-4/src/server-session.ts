import { addCookies } from "@latchkey/core/node-http"
import { secretOf, serverFor } from "./config.js"
import { headersOf, siteOf } from "./request.js"
import type { Anything } from "./model.js"
import type { AuthOptions } from "./types.js"
import { during } from "./visit.js"

/** The options without providers, which reading a session doesn't need. One object for each object of options. */
const readers = new WeakMap<object, AuthOptions>()

function readerFor(options: AuthOptions): AuthOptions {
  const secret = secretOf(options)
  // The hash that stands in for a missing secret is that of all options, providers included.
  const reader = readers.get(options) ?? { ...options, ...(secret !== undefined && { secret }), providers: [] }
  readers.set(options, reader)
  return reader
}

/** The session of a request of the Pages Router. A renewed session is written to the response. */
export async function sessionFor(req: Anything, res: Anything, options: AuthOptions): Promise<unknown> {
  const { session, cookies } = await read(options, { headers: req.headers, cookies: req.cookies })
  addCookies(res, cookies)
  return session
}

/** The session of the request that Next.js answers. No cookie can be set. */
export async function sessionHere(options: AuthOptions): Promise<unknown> {
  const next = await import("next/headers.js")
  const [headers, cookies] = await Promise.all([next.headers(), next.cookies()])
  const pairs = cookies.getAll().map(({ name, value }) => [name, value] as const)
  const { cookie: _, ...others } = Object.fromEntries(headers)
  const visitor = { headers: others, cookies: Object.fromEntries(pairs) }
  const { session } = await read(options, visitor, { readOnly: true })
  if (session === null) return null
  // Version 4 leaves it out here, so that a component that is rendered again isn't another one.
  const { expires: __, ...shown }: Anything = session
  return shown
}

interface Given {
  readonly headers: Record<string, Anything>
  readonly cookies?: Record<string, string | undefined> | undefined
}

async function read(options: AuthOptions, { headers: given, cookies }: Given, how?: { readonly readOnly: boolean }) {
  const site = siteOf(given)
  const server = serverFor(readerFor(options), site)
  const incoming = { method: "GET", headers: given, cookies, query: {}, segments: ["session"] }
  return during({ incoming }, async () =>
    server.session({ headers: headersOf({ headers: given, cookies }), origin: site.origin }, how),
  )
}
