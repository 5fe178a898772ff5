import type { PlainRequest } from "../model/http.js"

/** The members of a `node:http` request that {@link toRequest} uses. */
export interface NodeRequest {
  readonly method?: string | undefined
  /** Whether a body parser has begun to read the body. */
  readonly readableDidRead: boolean
  /** What the body parser has made of it. */
  readonly body?: unknown
  iterator(options: { readonly destroyOnReturn: boolean }): AsyncIterator<unknown>
  resume(): unknown
}

/** Headers that no longer match a body that was parsed and is encoded again. */
const bodyHeaders = ["content-length", "content-encoding", "transfer-encoding"]

/** Converts the headers of a `node:http` or `node:http2` message to `Headers`, without pseudo-headers such as `:path`. */
export function headersOf(headers: Readonly<Record<string, string | readonly string[] | undefined>>): Headers {
  const copy = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    if (!name.startsWith(":")) for (const one of [value ?? []].flat()) copy.append(name, one)
  }
  return copy
}

/** What a proxy says about a request. Any client can say it too, so use it only if the framework trusts the proxy. */
export function removeForwarded(headers: Headers): void {
  for (const name of ["forwarded", "x-forwarded-host", "x-forwarded-proto", "x-forwarded-port"]) headers.delete(name)
}

/**
 * The scheme and host of a target in absolute form (RFC 9112 §3.2.2). Routers for Node take the host of other schemes, and a host
 * with other characters, for a part of the path.
 */
export const absoluteForm: RegExp = /^https?:\/\/[\w.:[\]-]+(?=[/?]|$)/i

const invalidHost = "host.invalid"

/**
 * The URL of a request. Its target can be in absolute form (RFC 9112 §3.2.2), whose host doesn't count. An invalid host gives
 * one that no site has (RFC 2606 §2), so that no configuration trusts it.
 */
export function urlOf(protocol: string, host: string | undefined, target: string): URL {
  const path = target.replace(absoluteForm, "")
  // A host with `@`, `/` or `?` would change the host or path of the URL that it becomes part of.
  const origin = `${protocol}://${host !== undefined && /^[\w.:[\]-]+$/.test(host) ? host : ""}`
  // A path with two slashes would be a host of its own if it were resolved.
  return new URL(
    (URL.canParse(origin) ? origin : `${protocol}://${invalidHost}`) + (path.startsWith("/") ? path : `/${path}`),
  )
}

/**
 * What the engine reads of a request of a Node server, whose body may have been parsed already. A `Request` would take longer than a
 * session. `undefined`: its host is invalid, its method isn't allowed in a `Request`, or its JSON is nested too deep.
 */
export function toRequest(
  request: NodeRequest,
  { hostname, href: url }: URL,
  headers: Headers,
): PlainRequest | undefined {
  const { method = "GET", body } = request
  if (hostname === invalidHost || /^(?:connect|trace|track)$/i.test(method)) return undefined
  if (method === "GET" || method === "HEAD") return { method, url, headers, body: null }
  if (!request.readableDidRead) return { method, url, headers, body: streamOf(request) }
  const parsed = parsedBody(body, headers)
  return parsed && { method, url, ...parsed }
}

/** A body that was parsed, with the headers that match it. `undefined`: it can't be encoded again. */
function parsedBody(body: unknown, headers: Headers): Pick<PlainRequest, "headers" | "body"> | undefined {
  const own = new Headers(headers)
  for (const name of bodyHeaders) own.delete(name)
  const encoded = encode(body, own.get("content-type") ?? "")
  if (encoded === undefined) return undefined
  // The old boundary and content type don't apply to the form that was encoded again.
  if (encoded instanceof URLSearchParams) own.set("content-type", "application/x-www-form-urlencoded")
  return { headers: own, body: bytesOf(encoded) }
}

function bytesOf(body: Exclude<ReturnType<typeof encode>, undefined>): PlainRequest["body"] {
  return body === null || body instanceof Uint8Array ? body : new TextEncoder().encode(String(body))
}

/**
 * Streams the body, so the reader can stop at its size limit. Then the rest of the body is discarded. With `Readable.toWeb`,
 * it would stay in the connection, which then stalls.
 */
function streamOf(request: NodeRequest): ReadableStream<Uint8Array<ArrayBuffer>> {
  const chunks = request.iterator({ destroyOnReturn: false })
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done === true) controller.close()
      // After `setEncoding()` of the application.
      else if (typeof value === "string") controller.enqueue(new TextEncoder().encode(value))
      else if (value instanceof Uint8Array) controller.enqueue(value as Uint8Array<ArrayBuffer>)
    },
    async cancel() {
      await chunks.return?.()
      request.resume()
    },
  })
}

/** @returns `undefined` if it can't be encoded */
function encode(
  body: unknown,
  contentType: string,
): string | Uint8Array<ArrayBuffer> | URLSearchParams | null | undefined {
  if (body === undefined || body === null) return null
  if (typeof body === "string") return body
  if (body instanceof Uint8Array) return new Uint8Array(body)
  if (contentType.includes("application/json")) return jsonOf(body)
  return /x-www-form-urlencoded|form-data/.test(contentType) ? new URLSearchParams(fieldsOf(body)) : null
}

/** `JSON.parse` reads values that are nested too deep for `JSON.stringify`. */
function jsonOf(body: object): string | undefined {
  try {
    return JSON.stringify(body)
  } catch {
    return undefined
  }
}

/** Form fields in the format that body parsers for Node read: arrays repeat the name, objects add `[key]` to it. */
function fieldsOf(body: object, prefix = ""): [string, string][] {
  return Object.entries(body).flatMap(([key, value]: [string, unknown]) => {
    const name = prefix === "" ? key : `${prefix}[${key}]`
    return [value].flat().flatMap((one): [string, string][] => {
      if (typeof one === "object" && one !== null) return fieldsOf(one, name)
      return typeof one === "string" || typeof one === "number" || typeof one === "boolean" ? [[name, String(one)]] : []
    })
  })
}
