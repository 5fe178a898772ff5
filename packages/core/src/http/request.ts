import type { AuthRequest } from "../model/http.js"

/** The request as user functions see it: same address and headers, the parsed body as JSON (spec/flows.md §4). */
export function toRequest({ method, origin, path, headers, body }: AuthRequest): Request {
  const bodyless = method !== "POST"
  return new Request(origin + path, { method, headers, ...(bodyless ? {} : { body: JSON.stringify(body) }) })
}

/**
 * Parameters of a callback or an event with the request that led to it, made when somebody looks. It is not
 * enumerable: code that goes through the keys finds those it always found.
 */
export function withRequest<T extends object>(params: T, incoming: AuthRequest): T & { readonly request: Request } {
  let request: Request | undefined
  const get = (): Request => (request ??= toRequest(incoming))
  return Object.defineProperty(params, "request", { get }) as T & { readonly request: Request }
}
