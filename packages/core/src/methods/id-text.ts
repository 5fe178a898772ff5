/** Texts that name no user. All users without an id would share that account. */
const noIds: ReadonlySet<string> = new Set(["", "undefined", "null", "NaN", "Infinity", "-Infinity", "[object Object]"])

/** The id that a callback returned, as text. Databases have numbers and big integers. */
export function idText(id: unknown): string | undefined {
  const isScalar = typeof id === "string" || typeof id === "number" || typeof id === "bigint"
  const text = isScalar ? String(id) : ""
  return noIds.has(text) ? undefined : text
}
