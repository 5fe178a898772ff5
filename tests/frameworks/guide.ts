import { readFileSync } from "node:fs"

/** The example of a page in `docs` that contains this text. */
export function exampleOf(page: string, text: string): string {
  const docs = readFileSync(new URL(`../../docs/${page}.md`, import.meta.url), "utf8")
  const [found, ...more] = [...docs.matchAll(/^```\w[^\n]*\n(.*?)^```$/gms)].flatMap(([, example = ""]) =>
    example.includes(text) ? [example] : [],
  )
  if (found === undefined || more.length > 0)
    throw new Error(`docs/${page}.md has not exactly one example with ${text}`)
  return found
}
