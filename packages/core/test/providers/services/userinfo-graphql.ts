import { isObject, type Json } from "../facts.js"
import type { Quirk } from "../service/desk.js"

/** A question in GraphQL, and an answer that holds just what was asked for. */
export const userinfoGraphql: Quirk = {
  userinfo: (answer, { text }, { complain }) => {
    const sent: unknown = JSON.parse(text)
    const query = isObject(sent) ? sent["query"] : undefined
    const words = typeof query === "string" ? (query.match(/\w+|[{}]/g) ?? []) : []
    const [asked] = selection(words[0] === "query" ? words.slice(1) : words)
    if (asked === undefined) complain(`userinfo: ${text} is no GraphQL query`)
    const found = isObject(answer.body) ? pick(answer.body["data"], asked ?? {}) : undefined
    return { ...answer, body: { data: found } }
  },
}

/** The tree of a `{ … }`, and the words after it. */
function selection(words: readonly string[]): [asked: Json | undefined, rest: readonly string[]] {
  if (words[0] !== "{") return [undefined, words]
  const asked: Record<string, unknown> = {}
  let rest: readonly string[] = words.slice(1)
  while (rest[0] !== undefined && rest[0] !== "}") {
    const [name, ...after] = rest
    const [below, left] = selection(after)
    asked[name] = below ?? true
    rest = left
  }
  return [asked, rest.slice(1)]
}

function pick(value: unknown, asked: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => pick(each, asked))
  if (!isObject(value) || !isObject(asked)) return value
  return Object.fromEntries(Object.entries(asked).map(([name, below]) => [name, pick(value[name] ?? null, below)]))
}
