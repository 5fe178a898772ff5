import { expect } from "vitest"

/** One element of a page, with entities decoded. */
export interface Element {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
}

const token =
  /<!DOCTYPE html>|<(?<raw>style|script) nonce="[A-Za-z0-9+/=]+">[^<]*<\/\k<raw>>|<\/[a-z0-9]+>|<(?<name>[a-z0-9]+)(?<list>(?: [a-z-]+(?:="[^"<>]*")?)*)>|(?<text>(?:[^<>"'&]|&(?:amp|lt|gt|quot|#39);)+)/y

/** Parses only the markup that the pages use: any other `<`, `>`, quote or ampersand is a failure. */
export function elementsOf(page: string): readonly Element[] {
  const elements: Element[] = []
  token.lastIndex = 0
  while (token.lastIndex < page.length) {
    const at = token.lastIndex
    const { groups } = token.exec(page) ?? {}
    expect(groups, `unexpected markup: ${page.slice(at, at + 80)}`).toBeDefined()
    const { raw, name = raw, list = "" } = groups ?? {}
    if (name !== undefined) elements.push({ name, attributes: attributesOf(list) })
  }
  return elements
}

function attributesOf(list: string): ReadonlyMap<string, string> {
  const found = list.matchAll(/ (?<name>[a-z-]+)(?:="(?<value>[^"]*)")?/g)
  return new Map([...found].map(({ groups }) => [groups?.["name"] ?? "", decoded(groups?.["value"] ?? "")]))
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" }

function decoded(text: string): string {
  return text.replace(/&(?<name>[a-z0-9#]+);/g, (_, name: string) => entities[name] ?? "?")
}

/** Elements that configured content may add and a request may not. */
const ours: ReadonlySet<string> = new Set(
  "html head meta title style body div main h1 h2 ul li p a form input label button span hr img section pre strong bdi script noscript details summary svg path".split(
    " ",
  ),
)
const running = /^(?:on|style$|srcdoc$|formaction$|background$|target$|ping$)/

/** A page contains only known elements, which run and load nothing, and links only to this site. */
export function expectTame(page: string, origin: string): readonly Element[] {
  const elements = elementsOf(page)
  for (const { name, attributes } of elements) {
    expect(ours, name).toContain(name)
    for (const attribute of attributes.keys()) expect(attribute).not.toMatch(running)
    const returning = attributes.get("name") === "callbackUrl" ? attributes.get("value") : undefined
    const [action, href] = [attributes.get("action"), attributes.get("href")]
    for (const address of [action, href, returning])
      if (address !== undefined) expect(new URL(address, origin).origin).toBe(origin)
  }
  return elements
}
