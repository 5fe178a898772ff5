/** Characters of a parameter. */
const longest = 2048

/** A parameter that is text. JSON may have other values, and none is useful as long as this. */
export function textIn(fields: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined
  return typeof value === "string" && value !== "" && value.length <= longest ? value : undefined
}
