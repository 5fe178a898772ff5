import { escapeHtml } from "../primitives/escape-html.js"

/** HTML whose values are escaped. */
export class Markup {
  readonly #text: string
  constructor(text: string) {
    this.#text = text
  }
  toString(): string {
    return this.#text
  }
}

/** Creates HTML from a template. Escapes all values that aren't {@link Markup}. */
export function markup(texts: TemplateStringsArray, ...values: readonly (string | Markup)[]): Markup {
  return new Markup(texts.reduce((before, text, index) => before + render(values[index - 1] ?? "") + text))
}

export function joined(parts: readonly Markup[]): Markup {
  return new Markup(parts.join(""))
}

/** The zero-width space becomes an entity, because it's invisible in the source of an email. */
function render(value: string | Markup): string {
  return value instanceof Markup ? value.toString() : escapeHtml(value).replaceAll("\u200b", "&#8203;")
}
