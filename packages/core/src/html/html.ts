import { escapeHtml } from "../primitives/escape-html.js"

/**
 * Escaped text. Only this file can create an instance, so no other object passes for one, except that of a copy of this module: if a
 * bundler makes one, a page has parts of both. No data has a function.
 */
class Escaped<Kind> {
  readonly #text: string
  readonly #kind: Kind
  constructor(text: string, kind: Kind) {
    this.#text = text
    this.#kind = kind
  }
  kind(): Kind {
    return this.#kind
  }
  toString(): string {
    return this.#text
  }
}

/** HTML whose values are escaped. */
export type Html = Escaped<"html">

/** The escaped attributes of one element. Only {@link attributes} creates them. */
export type Attributes = Escaped<"attributes">

function is<Kind>(value: Content, kind: Kind): value is Content & Escaped<Kind> {
  return typeof value === "object" && "kind" in value && typeof value.kind === "function" && value.kind() === kind
}

export type Content = string | Html | readonly Html[] | Attributes | undefined

/**
 * Creates HTML from a template. Inside quotes a value must be text, between elements text or HTML, and inside a tag the
 * result of {@link attributes}. `undefined` renders nothing. For scripts and styles, use {@link inline}.
 *
 * @throws TypeError if the position doesn't allow this type of value
 */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Html {
  const positions = positionsOf(strings)
  const parts = values.map((value, index) => render(value, positions[index]) + (strings[index + 1] ?? ""))
  return new Escaped((strings[0] ?? "") + parts.join(""), "html")
}

type Position = "text" | "tag" | "quoted"

const cache = new WeakMap<TemplateStringsArray, readonly Position[]>()

/** Escaped values contain no `<`, `>` or `"` outside quotes, so the static text alone determines the positions. */
function positionsOf(strings: TemplateStringsArray): readonly Position[] {
  const cached = cache.get(strings)
  if (cached !== undefined) return cached
  if (strings.some((text) => /<(?:script|style)/i.test(text))) {
    throw new TypeError("A template can't contain a script or style element. Use inline() instead.")
  }
  let position: Position = "text"
  const positions = strings.slice(0, -1).map((text) => {
    for (const character of text) position = transitions[position][character] ?? position
    return position
  })
  cache.set(strings, positions)
  return positions
}

const transitions: Readonly<Record<Position, Readonly<Record<string, Position>>>> = {
  text: { "<": "tag" },
  tag: { '"': "quoted", ">": "text" },
  quoted: { '"': "tag" },
}

function render(value: Content, position: Position | undefined): string {
  if (value === undefined) return ""
  if (typeof value === "string" && position !== "tag") return escapeHtml(value)
  if (is(value, "attributes") && position === "tag") return value.toString()
  const parts = is(value, "html") ? [value] : value
  if (position !== "text" || !Array.isArray(parts) || !parts.every((part) => is(part, "html"))) {
    throw new TypeError("This value isn't allowed here. Put text in quotes, and attributes in attributes().")
  }
  return parts.join("")
}

/** Attributes that a configured field may set. None of them runs scripts, loads resources, navigates or styles. */
const allowedNames = new Set(
  (
    "accept autocapitalize autocomplete autocorrect autofocus checked dir disabled enterkeyhint formnovalidate id inputmode lang max maxlength " +
    "min minlength multiple name open pattern placeholder readonly required size spellcheck step tabindex title type value"
  ).split(" "),
)
const allowedPrefixes = /^(?:aria|data)-[a-z][a-z0-9-]*$/
const booleanAttributes = new Set([
  "autofocus",
  "checked",
  "disabled",
  "formnovalidate",
  "multiple",
  "open",
  "readonly",
  "required",
])

/** Merges attributes; later sources win. Skips names that aren't allowed, and objects, functions and symbols. */
export function attributes(...sources: readonly Readonly<Record<string, unknown>>[]): Attributes {
  const result = new Map<string, string>()
  for (const [given, value] of sources.flatMap((source) => Object.entries(source))) {
    const name = given.toLowerCase()
    if (isAllowed(name)) result.set(name, attribute(name, value))
  }
  return new Escaped([...result.values()].join(""), "attributes")
}

/** Whether a configured field may set this attribute. @param name in lowercase */
export function isAllowed(name: string): boolean {
  return allowedNames.has(name) || allowedPrefixes.test(name)
}

function attribute(name: string, value: unknown): string {
  if (booleanAttributes.has(name)) return value === false || value === undefined || value === null ? "" : ` ${name}`
  if (typeof value === "boolean" && (name === "spellcheck" || allowedPrefixes.test(name))) return ` ${name}="${value}"`
  return typeof value === "string" || typeof value === "number" ? ` ${name}="${escapeHtml(String(value))}"` : ""
}

/**
 * A style or script element. Browsers don't decode entities in it, so its text can't be escaped.
 *
 * @throws TypeError if the text could end the element
 */
export function inline(element: "style" | "script", nonce: string, text: string): Html {
  if (endsElement(text)) throw new TypeError(`The ${element} could end early.`)
  return new Escaped(`<${element} nonce="${escapeHtml(nonce)}">${text}</${element}>`, "html")
}

/** A script of another site, which runs when the page is complete. */
export function externalScript(src: string, nonce: string): Html {
  return new Escaped(`<script src="${escapeHtml(src)}" nonce="${escapeHtml(nonce)}" async defer></script>`, "html")
}

/** Whether a style or script could end its element too early, or never (HTML §4.12.1.3). */
export function endsElement(text: string): boolean {
  return /<(!--|\/?(script|style))/i.test(text)
}
