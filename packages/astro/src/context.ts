import type { Env, FrameworkRequest } from "@latchkey/core/integration"
import { getEnv } from "astro/env/runtime"

/** What this package uses of the context of a middleware, an endpoint or an action, or of `Astro` in a page. */
export interface AstroContext {
  readonly request: Request
  readonly locals: object
  readonly clientAddress: string
  readonly isPrerendered: boolean
}

/** The variables of the adapter's platform. In development, also those of `.env`, which aren't in `process.env`. */
export function envOf(): Env {
  const dotEnv = (import.meta as ImportMeta & { readonly env?: Env }).env
  return new Proxy<Env>({}, { get: (_, name) => getEnv(String(name)) ?? dotEnv?.[String(name)] })
}

export function readRequest(context: AstroContext): FrameworkRequest {
  const { request } = context
  const url = urlOf(request)
  // The form of an action leads to a page, which is the same URL without this parameter.
  const isForm = url.searchParams.has("_action")
  const shown = new URL(url)
  shown.searchParams.delete("_action")
  return {
    method: request.method,
    url,
    headers: request.headers,
    address: addressOf(context),
    // With `allowedDomains`, it's the first entry of `X-Forwarded-For`.
    isAddressForgeable: true,
    ...(isForm ? { opensPage: true, page: shown.pathname + shown.search } : {}),
  }
}

function addressOf(context: AstroContext): string | undefined {
  try {
    return context.clientAddress
  } catch {
    // Some adapters don't know it.
    return undefined
  }
}

/** Astro replaces a host that `allowedDomains` doesn't have by `localhost`. The engine decides by itself whether to trust it. */
function urlOf(request: Request): URL {
  const url = new URL(request.url)
  const host = request.headers.get("host") ?? ""
  if (/^[\w.:[\]-]+$/.test(host) && URL.canParse(`${url.protocol}//${host}`)) url.host = host
  return url
}

export function toRequest({ request }: AstroContext): Request {
  const url = urlOf(request)
  return url.href === request.url ? request : new Request(url, request)
}
