import { headersOf, removeForwarded, urlOf } from "./node-request.js"

/** The members of a request of Express that {@link expressClient} uses. Other platforms on Node may lack some. */
export interface ExpressClient {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly socket: { readonly remoteAddress?: string | undefined }
  readonly ip?: string | undefined
  readonly ips?: readonly string[]
  readonly app?: { get(setting: string): unknown }
}

/** What is known about the client of a request and its headers, according to the setting `trust proxy` of Express. */
export interface RequestClient {
  readonly headers: Headers
  readonly address: string | undefined
  readonly isAddressForgeable: boolean
}

/** The client of a request of Express. */
export function expressClient({ headers: given, socket, ip, ips = [], app }: ExpressClient): RequestClient {
  const headers = headersOf(given)
  // Express compiles its setting into this function. Mounted apps inherit it.
  const trust = app?.get("trust proxy fn")
  const trusts = (address: string | undefined, hops: number) =>
    typeof trust === "function" && trust(address, hops) === true
  if (!trusts(socket.remoteAddress, 0)) removeForwarded(headers)
  // Express looks for the first address that it doesn't trust. With `trust proxy: true` there is none, so the client decides.
  const isAddressForgeable = ip !== undefined && ip !== socket.remoteAddress && trusts(ip, ips.length)
  return { headers, address: ip ?? socket.remoteAddress, isAddressForgeable }
}

/** The members of a request of Fastify that {@link readFastify} uses. */
export interface FastifyMessage {
  readonly raw: { readonly socket: { readonly remoteAddress?: string | undefined } }
  readonly method: string
  readonly originalUrl: string
  readonly protocol: string
  readonly host: string
  readonly ip: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** A request of Fastify, as `createIntegration` reads it. */
export function readFastify(
  request: FastifyMessage,
): RequestClient & { readonly method: string; readonly url: URL; readonly target: string } {
  const { method, originalUrl: target, protocol, host, ip: address, raw } = request
  const headers = headersOf(request.headers)
  // If Fastify trusts the proxy, its `protocol` and `host` contain what these say.
  removeForwarded(headers)
  const isAddressForgeable = address !== raw.socket.remoteAddress
  return { method, url: urlOf(protocol, host, target), target, headers, address, isAddressForgeable }
}
