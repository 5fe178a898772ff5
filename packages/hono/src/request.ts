import type { Framework } from "@latchkey/core/integration"
import type { Context } from "hono"
import { env } from "hono/adapter"

/** How requests of Hono are read. Cookies are added when the response is complete. */
export const hono: Framework<Context> = {
  basePath: "/auth",
  sentMessage: "This response gets no cookies. Add `app.use(auth.routes)` before the route",
  env: (c) => c && env(c),
  read: (c) => ({
    method: c.req.method,
    url: new URL(c.req.url),
    target: c.req.url,
    headers: c.req.raw.headers,
    address: addressOf(c),
  }),
  toRequest: (c) => (c.req.raw.bodyUsed ? encodedAgain(c) : c.req.raw),
}

/** What the adapters for Node, Bun and Deno pass to Hono. On Workers, it's the bindings of the app. */
interface Connection {
  readonly incoming?: { readonly socket?: { readonly remoteAddress?: string } }
  readonly server?: Server
  readonly remoteAddr?: { readonly hostname?: string }
}

interface Server {
  requestIP?(request: Request): { readonly address: string } | null
}

/** The IP address of the connection. */
function addressOf({ env, req }: Context): string | undefined {
  const given: Connection & Server = env ?? {}
  // Bun passes its server itself, or in an object.
  const bun = given.server ?? given
  return (
    given.incoming?.socket?.remoteAddress ??
    given.remoteAddr?.hostname ??
    (typeof bun.requestIP === "function" ? bun.requestIP(req.raw)?.address : undefined)
  )
}

/** A middleware has read the body, which Hono keeps. */
async function encodedAgain(c: Context): Promise<Request> {
  const { method, url, raw } = c.req
  const headers = new Headers(raw.headers)
  headers.delete("content-length")
  if (!/form-data|x-www-form-urlencoded/.test(headers.get("content-type") ?? ""))
    return new Request(url, { method, headers, body: await c.req.text() })
  const fields = Object.entries(await c.req.parseBody({ all: true }))
  const texts = fields.flatMap(([name, value]) => [value].flat().map((one) => [name, one] as const))
  const body = new URLSearchParams(texts.flatMap(([name, one]) => (typeof one === "string" ? [[name, one]] : [])))
  headers.set("content-type", "application/x-www-form-urlencoded")
  return new Request(url, { method, headers, body })
}

/** If there's another response, Hono copies its headers to the new one, and with them the old cookies. */
export function replace(c: Context, response: Response): void {
  if (c.res === response) return
  c.res = undefined
  c.res = response
}
