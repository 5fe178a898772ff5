import type { CookieJar } from "@latchkey/testing"
import { effectsOf, heldBy } from "./cookies.js"
import { normalize, withoutRandom } from "./normalize.js"
import { summaryOf } from "./page-summary.js"
import type { Plan } from "./plan.js"
import type { Recorded } from "./recorder.js"

/** Everything about one response that users or the application can notice. */
export interface Observation {
  readonly request: { readonly method: string; readonly path: string }
  readonly status: number
  readonly location: string | undefined
  readonly body: unknown
  readonly cookies: ReturnType<typeof effectsOf>
  readonly held: Readonly<Record<string, unknown>>
  readonly calls: Recorded["calls"]
  /** Types of logged errors. */
  readonly errors: readonly string[]
  /** Codes of logged warnings. */
  readonly warnings: readonly string[]
}

export interface Exchange {
  readonly request: Request
  readonly response: Response
  readonly text: string
  readonly jar: CookieJar
  readonly plan: Plan
  readonly secrets: readonly string[]
  readonly recorded: Recorded
}

export async function observe({
  request,
  response,
  text,
  jar,
  plan,
  secrets,
  recorded,
}: Exchange): Promise<Observation> {
  const { method, url } = request
  const body = bodyOf(response, text)
  const location = targetIn(body) ?? response.headers.get("location")
  return {
    request: { method, path: withoutRandom(url) },
    status: response.status,
    location: location === null ? undefined : withoutRandom(absolute(location, url)),
    body: targetIn(body) === undefined ? normalize(body) : "the location as JSON",
    cookies: effectsOf(response.headers.getSetCookie(), plan),
    held: await heldBy(jar, plan, secrets),
    calls: recorded.calls,
    errors: recorded.errors,
    warnings: recorded.warnings,
  }
}

function absolute(location: string, base: string): string {
  if (!URL.canParse(location, base)) return location
  const url = new URL(location, base)
  url.searchParams.sort()
  return url.href
}

/** The target of a redirect that a script asked for as JSON. */
function targetIn(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null || !("url" in body)) return undefined
  return typeof body.url === "string" ? body.url : undefined
}

function bodyOf(response: Response, text: string): unknown {
  const type = response.headers.get("content-type") ?? ""
  if (type.includes("html")) return summaryOf(text)
  if (!type.includes("json")) return text
  return parsed(text)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
