/** Parts of a text that are random, with the name that replaces them. */
const randomParts: readonly (readonly [RegExp, string])[] = [
  [/[\w-]{16,}\.[\w-]*\.[\w-]{8,}\.[\w-]+\.[\w-]+/g, "<sealed>"],
  [/[\w-]{16,}\.[\w-]{8,}\.[\w-]{8,}/g, "<signed>"],
  [/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, "<random>"],
  [/[\da-f]{64}(?:\|[\da-f]{64})?/g, "<random>"],
  [/(?<![\w+/-])pA[\w+/]{50,}={0,2}/g, "<public key>"],
  [/(?<![\w+/-])[\w+/-]{43}=?(?![\w+/=-])/g, "<random>"],
  [/\b(code|access|refresh|sid|[a-z]+)-[\w-]{22}\b/g, "<$1>"],
  [/(?<=[?&](?:state|nonce|code_challenge)=)[^&]+/g, "<random>"],
]

const isoDate = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/

/** A copy that two runs can be compared by: without random values, with times relative to now, as JSON. */
export function normalize(value: unknown, depth = 8): unknown {
  if (typeof value !== "object" || value === null) return normalizePrimitive(value)
  if (value instanceof Date) return relative(value)
  if (value instanceof Request) return `<request ${value.method} ${withoutRandom(value.url)}>`
  if (value instanceof Error) return `<${value.name}>`
  if (depth === 0) return "<deep>"
  if (Array.isArray(value)) return value.map((item) => normalize(item, depth - 1))
  return normalizeObject(value, depth)
}

function normalizePrimitive(value: unknown): unknown {
  if (typeof value === "string") return isoDate.test(value) ? relative(new Date(value)) : withoutRandom(value)
  if (typeof value === "number" && isSeconds(value)) return relative(new Date(value * 1000))
  return typeof value === "function" ? "<function>" : value
}

function normalizeObject(value: object, depth: number): unknown {
  const entries = Object.entries(value).filter(([name, item]) => item !== undefined && !isNoise(name))
  return Object.fromEntries(
    entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, item]) => [name, normalize(item, depth - 1)]),
  )
}

/** Claims that are random in every token. */
function isNoise(name: string): boolean {
  return ["jti", "iat", "at_hash", "auth_time", "nonce"].includes(name)
}

export function withoutRandom(text: string): string {
  return randomParts.reduce((result, [pattern, name]) => result.replace(pattern, name), text)
}

function isSeconds(value: number): boolean {
  return Math.abs(value * 1000 - Date.now()) < 400 * 86_400_000
}

/** The time that is left, in seconds. */
export function relative(date: Date): string {
  const seconds = Math.round((date.getTime() - Date.now()) / 1000)
  return Number.isNaN(seconds) ? "<invalid date>" : `now${seconds < 0 ? "" : "+"}${seconds}s`
}
