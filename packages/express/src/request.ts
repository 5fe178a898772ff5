import type { FrameworkRequest, PlainRequest } from "@latchkey/core/integration"
import { expressClient, toRequest } from "@latchkey/core/node-http"
import type { IncomingMessage } from "node:http"
import { type RoutedRequest, targetOf } from "./mount.js"

/**
 * The part of an Express request that this package uses. Requests of Express 4 and 5 match it. `body` and `params` aren't in it:
 * Express infers their types from those of all handlers of a route.
 */
export interface ExpressRequest extends IncomingMessage, RoutedRequest {
  readonly protocol: string
  readonly ip?: string | undefined
  readonly ips?: readonly string[]
  readonly app: { get(setting: string): unknown }
}

const known = new WeakMap<ExpressRequest, { readonly app: object; readonly made: FrameworkRequest }>()

/** The request as a web application sees it. Copying the headers once is enough. */
export function read(req: ExpressRequest): FrameworkRequest {
  const earlier = known.get(req)
  // A mounted app may have another setting `trust proxy`.
  if (earlier?.app === req.app) return earlier.made
  const url = new URL((originOf(req) ?? "http://localhost") + targetOf(req.originalUrl))
  const made = { method: req.method ?? "GET", url, target: req.originalUrl, ...expressClient(req) }
  known.set(req, { app: req.app, made })
  return made
}

/** The request with its body; `undefined` if its host or method is invalid. */
export function requestOf(req: ExpressRequest): PlainRequest | undefined {
  const { url, headers } = read(req)
  return originOf(req) === undefined ? undefined : toRequest(req, url, headers)
}

function originOf(req: ExpressRequest): string | undefined {
  const host = req.headers.host ?? ""
  // A host with `@`, `/` or `?` would change the host or path of the URL that it becomes part of.
  const origin = /^[\w.:[\]-]+$/.test(host) ? `${req.protocol}://${host}` : ""
  return URL.canParse(origin) ? origin : undefined
}
