import type { Route } from "@latchkey/core/module"
import { route } from "@latchkey/core/module"
import type { Context, Result } from "../context.js"
import type { records } from "../records.js"
import type { Site } from "../site.js"
import { OAuthProblem } from "./problem.js"

type Endpoint = (site: Site, context: Context) => Promise<Result>

/** An endpoint for programs, with which scripts of the configured origins may talk too. It reads no cookie. */
export function endpointRoutes(
  site: Site,
  path: string,
  endpoint: Endpoint,
  limit: { readonly limit?: string } = { limit: "token" },
): readonly Route[] {
  const open = { session: "none", csrf: false } as const
  return [
    route<typeof records>("POST", path, { ...open, ...limit }, async (context: Context) => {
      return withHeaders(await answer(site, context, endpoint), crossOrigin(site, context))
    }),
    route<typeof records>("OPTIONS", path, open, async (context: Context) =>
      context.empty(204, preflight(site, context)),
    ),
  ]
}

async function answer(site: Site, context: Context, endpoint: Endpoint): Promise<Result> {
  try {
    return await endpoint(site, context)
  } catch (cause) {
    if (!(cause instanceof OAuthProblem)) throw cause
    const body = { error: cause.code, error_description: cause.message }
    if (cause.code !== "invalid_client") return context.json(body, 400)
    const scheme = context.request.headers.get("authorization") === null ? {} : { "www-authenticate": "Basic" }
    return context.json(body, 401, scheme)
  }
}

function withHeaders(result: Result, headers: Readonly<Record<string, string>>): Result {
  return result.kind === "json" || result.kind === "empty"
    ? { ...result, headers: { ...result.headers, ...headers } }
    : result
}

/** Without credentials, so that cookies are of no use. */
export function crossOrigin({ origins = [] }: Site, { request }: Context): Readonly<Record<string, string>> {
  const origin = request.headers.get("origin")
  const vary = origins.length === 0 ? {} : { vary: "Origin" }
  return origin !== null && origins.includes(origin) ? { ...vary, "access-control-allow-origin": origin } : vary
}

function preflight(site: Site, context: Context): Readonly<Record<string, string>> {
  const headers = crossOrigin(site, context)
  if (headers["access-control-allow-origin"] === undefined) return headers
  return {
    ...headers,
    "access-control-allow-methods": "POST",
    "access-control-allow-headers": "content-type",
    "access-control-max-age": "600",
  }
}
