import type { Storage } from "../flavors/flavor.js"

/** What a user sees about a session or a passkey. Dates are stored in milliseconds since 1970. */
export function storingDetails(json: Storage): Storage {
  return {
    ...json,
    encode: (details) => json.encode(mapValues(details, (value) => (value instanceof Date ? value.getTime() : value))),
    // Every number among the details is a time.
    decode: (stored) =>
      mapValues(json.decode(stored), (value) => (typeof value === "number" ? new Date(value) : value)),
  }
}

function mapValues(fields: unknown, change: (value: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(Object(fields)).map(([name, value]) => [name, change(value)]))
}
