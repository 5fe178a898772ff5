import { fromJson, toJson } from "./codec.js"
import type { Stored } from "./schema.js"

/** What a user sees about a session or a passkey. Dates are stored in milliseconds since 1970. */
type Details = Readonly<Record<string, string | Date | null | undefined>>

/** As JSON. Details that aren't given stay as they are. */
export function mergeDetails(stored: Stored | null | undefined, given: object): string {
  const changes = Object.entries(given as Details).filter(([, value]) => value !== undefined)
  const plain = changes.map(([name, value]) => [name, value instanceof Date ? value.getTime() : value] as const)
  return toJson({ ...(stored ? fromJson(stored) : {}), ...Object.fromEntries(plain) })
}

/** Every number among the details is a time. */
export function detailsOf(stored: Stored | null | undefined): { readonly details?: Details } {
  if (stored === null || stored === undefined) return {}
  const entries = Object.entries(fromJson(stored)).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === "number" ? new Date(value) : value,
  ])
  return { details: Object.fromEntries(entries) }
}
