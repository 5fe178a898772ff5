import type { ProviderContext } from "../model/provider.js"
import type { TokenSet } from "../model/user.js"

export interface Context {
  readonly tokens: TokenSet
  readonly provider: ProviderContext
}

interface Options {
  readonly method?: "GET" | "POST"
  /** `undefined` takes a header away. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  /** Sent as the body of a POST. */
  readonly json?: unknown
}

/**
 * Asks a service about the signed-in person, for a `userinfo.request`: the access token goes into the header
 * (RFC 6750 §2.1), unless `headers` say otherwise.
 */
export async function ask(
  { tokens, provider }: Context,
  address: string,
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
  return provider.fetch(address, { method, headers: Object.fromEntries(present), ...(body && { body }) })
}

/**
 * The same for an answer that is an object.
 *
 * @throws Error when the service answers with anything but a JSON object and a status of success
 */
export async function fetchJson(
  context: Context,
  address: string,
  options: Options = {},
): Promise<Record<string, unknown>> {
  const response = await ask(context, address, options)
  const answer = response.ok ? object(await response.json()) : undefined
  if (answer !== undefined) return answer
  throw new Error(`The provider's API did not say who it is: it answered with status ${response.status}`)
}

/** What lies in an envelope, or `undefined`. */
export function inside(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>((outer, key) => object(outer)?.[key], value)
}

/** A part of an address that a service named, escaped. */
export function segment(value: unknown): string {
  return encodeURIComponent(typeof value === "number" || typeof value === "string" ? String(value) : "")
}

function object(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined
}
