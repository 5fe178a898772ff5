import type { AuthRequest } from "../model/http.js"

/** Names that a form or JSON has more than once, by its parsed fields. Only the last value is among them. */
const repeatedFields = new WeakMap<AuthRequest["body"], ReadonlySet<string>>()

/** Remembers the names that a body repeats, for {@link repeatedIn}. */
export function rememberRepeated(body: AuthRequest["body"], all: Iterable<string>): AuthRequest["body"] {
  const names = repeatedNames(all)
  if (names.size > 0) repeatedFields.set(body, names)
  return body
}

/** Names with more than one value in the query, in the form, or split between them. The parsed values hide all but one. */
export function repeatedIn({ path, body }: Pick<AuthRequest, "path" | "body">): ReadonlySet<string> {
  const query = new URL(path, "http://localhost").searchParams
  const inBoth = Object.keys(body).filter((name) => query.has(name))
  return new Set([...repeatedNames(query.keys()), ...inBoth, ...(repeatedFields.get(body) ?? [])])
}

function repeatedNames(names: Iterable<string>): ReadonlySet<string> {
  const seen = new Set<string>()
  return new Set([...names].filter((name) => seen.size === seen.add(name).size))
}
