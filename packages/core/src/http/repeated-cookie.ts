/** Whether a `Cookie` header has several cookies with this name, or with one of its parts (`name.0`), and different values. */
export function isRepeated(header: string | null, name: string): boolean {
  const found = new Map<string, string>()
  for (const pair of header?.split(";") ?? []) {
    const [key = ""] = pair.split("=", 1)
    const own = key.trim()
    if (own !== name && !own.startsWith(`${name}.`)) continue
    const value = pair.slice(key.length + 1).trim()
    if ((found.get(own) ?? value) !== value) return true
    found.set(own, value)
  }
  return false
}
