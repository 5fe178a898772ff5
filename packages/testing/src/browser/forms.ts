/** A form on a page. */
export interface PageForm {
  /** The `action` attribute; `""` is the URL of the page. */
  readonly action: string
  readonly method: "GET" | "POST"
  /** How a POST encodes the fields. */
  readonly enctype: "application/x-www-form-urlencoded" | "multipart/form-data"
  readonly id: string | undefined
  readonly name: string | undefined
  /** The fields that a submission sends: inputs, checked boxes, and the first submit button. */
  readonly fields: Readonly<Record<string, string>>
  /** Whether a script on the page submits the form. */
  readonly auto: boolean
}

type Attributes = ReadonlyMap<string, string>

/** Finds forms in simple, well-formed HTML such as the built-in pages. It isn't a full HTML parser. */
export function formsOf(html: string): readonly PageForm[] {
  const auto = /<script\b[^>]*>[^<]*\.submit\(\)/i.test(html) || /\bonload\s*=\s*"[^"]*\.submit\(\)/i.test(html)
  const found = html
    .replaceAll(/<!--[\s\S]*?-->/g, "")
    .matchAll(/<form\b((?:"[^"]*"|'[^']*'|[^>])*)>([\s\S]*?)<\/form>/gi)
  return [...found].map(([, head = "", body = ""]) => {
    const attributes = readAttributes(head)
    return {
      action: attributes.get("action") ?? "",
      method: attributes.get("method")?.toUpperCase() === "POST" ? "POST" : "GET",
      enctype:
        attributes.get("enctype")?.toLowerCase() === "multipart/form-data"
          ? "multipart/form-data"
          : "application/x-www-form-urlencoded",
      id: attributes.get("id"),
      name: attributes.get("name"),
      fields: fieldsOf(body),
      auto,
    }
  })
}

/** The URL in `<meta http-equiv="refresh">`. */
export function refreshOf(html: string): string | undefined {
  for (const [, head = ""] of html.matchAll(/<meta\b((?:"[^"]*"|'[^']*'|[^>])*)>/gi)) {
    const attributes = readAttributes(head)
    if (attributes.get("http-equiv")?.toLowerCase() !== "refresh") continue
    return /url\s*=\s*['"]?([^'"]+)/i.exec(attributes.get("content") ?? "")?.[1]
  }
  return undefined
}

function fieldsOf(body: string): Readonly<Record<string, string>> {
  const elements = [...body.matchAll(/<(input|button|textarea|select)\b((?:"[^"]*"|'[^']*'|[^>])*)>([^<]*)/gi)]
  const controls = elements.map(([, tag = "", head = "", text = ""]) => ({
    tag: tag.toLowerCase(),
    attributes: readAttributes(head),
    text,
  }))
  const submitter = controls.find(isSubmitter)
  const sent = controls.filter((control) => control === submitter || isSent(control))
  const pairs = sent.flatMap(({ tag, attributes, text }) => {
    const name = attributes.get("name")
    return name === undefined
      ? []
      : [[name, tag === "textarea" ? text : (attributes.get("value") ?? defaultOf(attributes))]]
  })
  return Object.fromEntries(pairs)
}

interface Control {
  readonly tag: string
  readonly attributes: Attributes
}

function isSubmitter({ tag, attributes }: Control): boolean {
  const type = attributes.get("type")?.toLowerCase() ?? (tag === "button" ? "submit" : "text")
  return type === "submit" && !attributes.has("disabled")
}

function isSent({ tag, attributes }: Control): boolean {
  if (attributes.has("disabled") || tag === "button") return false
  const type = attributes.get("type")?.toLowerCase() ?? "text"
  if (type === "checkbox" || type === "radio") return attributes.has("checked")
  return !["submit", "button", "reset", "image", "file"].includes(type)
}

function defaultOf(attributes: Attributes): string {
  return attributes.get("type")?.toLowerCase() === "checkbox" ? "on" : ""
}

function readAttributes(head: string): Attributes {
  const pairs = head.matchAll(/([^\s=/"'>]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g)
  // HTML uses the first of repeated attributes.
  const attributes = new Map<string, string>()
  for (const [, name = "", double, single, bare] of pairs) {
    const key = name.toLowerCase()
    if (!attributes.has(key)) attributes.set(key, unescapeHtml(double ?? single ?? bare ?? ""))
  }
  return attributes
}

const namedEntities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
}

function unescapeHtml(text: string): string {
  return text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (typeof hex === "string") return String.fromCodePoint(Number.parseInt(hex, 16))
    if (typeof decimal === "string") return String.fromCodePoint(Number(decimal))
    return namedEntities[String(name).toLowerCase()] ?? whole
  })
}
