/** Markup that only this file can make: every value in it was escaped for the place where it stands. */
class Markup {
  readonly #text: string
  constructor(text: string) {
    this.#text = text
  }
  toString(): string {
    return this.#text
  }
}

/** Attributes of one element, each name on the list of {@link attributes}. */
class AttributeList {
  readonly #text: string
  constructor(text: string) {
    this.#text = text
  }
  toString(): string {
    return this.#text
  }
}

export type Html = Markup
export type Attributes = AttributeList
export type Content = string | Html | readonly Html[] | Attributes | undefined

/**
 * Markup from a template. In an attribute's quotes a value must be text, between elements text or markup, inside a tag
 * it must come from {@link attributes}; `undefined` leaves nothing. Scripts and styles only through {@link inline}.
 *
 * @throws TypeError when a value stands where its kind has no business
 */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Html {
  const places = placesOf(strings)
  const parts = values.map((value, index) => render(value, places[index]) + (strings[index + 1] ?? ""))
  return new Markup((strings[0] ?? "") + parts.join(""))
}

type Place = "text" | "tag" | "quoted"

const known = new WeakMap<TemplateStringsArray, readonly Place[]>()

/** Values cannot change the place, since none of them holds a bare `<`, `>` or `"`: the fixed text alone decides. */
function placesOf(strings: TemplateStringsArray): readonly Place[] {
  const found = known.get(strings)
  if (found !== undefined) return found
  if (strings.some((text) => /<(?:script|style)/i.test(text))) throw misplaced("A script or a style")
  let place: Place = "text"
  const places = strings.slice(0, -1).map((text) => {
    for (const character of text) place = next[place][character] ?? place
    return place
  })
  known.set(strings, places)
  return places
}

const next: Readonly<Record<Place, Readonly<Record<string, Place>>>> = {
  text: { "<": "tag" },
  tag: { '"': "quoted", ">": "text" },
  quoted: { '"': "tag" },
}

function render(value: Content, place: Place | undefined): string {
  if (value === undefined) return ""
  if (typeof value === "string" && place !== "tag") return escapeText(value)
  if (value instanceof AttributeList && place === "tag") return value.toString()
  if (place !== "text") throw misplaced("A value")
  const parts = value instanceof Markup ? [value] : value
  if (!Array.isArray(parts) || !parts.every((part) => part instanceof Markup)) throw misplaced("A value")
  return parts.join("")
}

function misplaced(what: string): TypeError {
  return new TypeError(`${what} stands where it could be read as markup: quote it, or use attributes() or inline()`)
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? "")
}

/** What a developer's form field may set; nothing that runs, loads, navigates or styles. */
const allowedNames = new Set(
  (
    "accept autocapitalize autocomplete autocorrect autofocus checked disabled enterkeyhint id inputmode lang max maxlength " +
    "min minlength multiple name pattern placeholder readonly required size spellcheck step tabindex title type value"
  ).split(" "),
)
const allowedFamilies = /^(?:aria|data)-[a-z][a-z0-9-]*$/
const switches = new Set(["autofocus", "checked", "disabled", "multiple", "readonly", "required"])

/** Attributes from objects, the later winning; names that are not allowed and values that are not text are left out. */
export function attributes(...sources: readonly Readonly<Record<string, unknown>>[]): Attributes {
  const written = new Map<string, string>()
  for (const [given, value] of sources.flatMap((source) => Object.entries(source))) {
    const name = given.toLowerCase()
    if (allowedNames.has(name) || allowedFamilies.test(name)) written.set(name, attribute(name, value))
  }
  return new AttributeList([...written.values()].join(""))
}

function attribute(name: string, value: unknown): string {
  if (switches.has(name)) return value === false || value === undefined || value === null ? "" : ` ${name}`
  if (typeof value === "boolean" && (name === "spellcheck" || allowedFamilies.test(name))) return ` ${name}="${value}"`
  return typeof value === "string" || typeof value === "number" ? ` ${name}="${escapeText(String(value))}"` : ""
}

/**
 * A style or a script. No entity means anything in there, so there must be nothing to escape.
 *
 * @throws TypeError when the text could end the element
 */
export function inline(element: "style" | "script", nonce: string, text: string): Html {
  if (text.includes("<")) throw misplaced("A `<` in a style or a script")
  return new Markup(`<${element} nonce="${escapeText(nonce)}">${text}</${element}>`)
}
