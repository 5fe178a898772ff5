import type { ProviderContext } from "../model/oauth-provider.js"
import type { TokenSet } from "../model/user.js"

export interface Context {
  readonly tokens: TokenSet
  readonly provider: ProviderContext
}

interface Options {
  readonly method?: "GET" | "POST"
  /** `undefined` removes a default header. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  /** The body of a POST. */
  readonly json?: unknown
}

/**
 * Calls a service's API with the user's access token, for use in `userinfo.request`. The token is sent as a bearer
 * token (RFC 6750 §2.1) unless `headers` say otherwise.
 */
export async function fetchApi(
  { tokens, provider }: Context,
  url: string,
  { json, method = json === undefined ? "GET" : "POST", headers = {} }: Options = {},
): Promise<Response> {
  const all: Readonly<Record<string, string | undefined>> = {
    accept: "application/json",
    authorization: `Bearer ${tokens.access_token}`,
    "user-agent": "latchkey",
    "content-type": json === undefined ? undefined : "application/json",
    ...headers,
  }
  const present = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  const body = json === undefined ? undefined : JSON.stringify(json)
  return provider.fetch(url, { method, headers: Object.fromEntries(present), ...(body && { body }) })
}

/**
 * Like {@link fetchApi}, for a response that is a JSON object.
 *
 * @throws Error when the status isn't a success or the body isn't a JSON object
 */
export async function fetchJson(
  context: Context,
  url: string,
  options: Options = {},
): Promise<Record<string, unknown>> {
  const response = await fetchApi(context, url, options)
  const { ok, status } = response
  const answer = ok ? object(await response.json().catch(() => undefined)) : undefined
  if (answer !== undefined) return answer
  throw Object.assign(new Error(`The provider's API sent no profile: it answered with status ${status}`), { status })
}

/** The value at a path of keys, or `undefined`. */
export function valueAt(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>((outer, key) => object(outer)?.[key], value)
}

/** Escapes a value that a service sent, for use in a URL. */
export function urlComponent(value: unknown): string {
  return encodeURIComponent(typeof value === "number" || typeof value === "string" ? String(value) : "")
}

function object(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined
}
