import type { SessionContext } from "../model/auth.js"

/** The configuration for one request: what it logs has no secrets of that request, and its security events belong to it. */
export function forRequest<A extends SessionContext>(auth: A, request: { readonly headers: Headers }): A {
  return { ...auth, logger: auth.logger.forRequest(request), ...auth.audit?.forRequest() }
}
