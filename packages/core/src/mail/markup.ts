/** Escapes every value, so that no text can become markup; only {@link Markup} stays as it is. */
export function markup(texts: TemplateStringsArray, ...values: readonly (string | Markup)[]): Markup {
  return new Markup(texts.reduce((done, text, index) => done + written(values[index - 1] ?? "") + text))
}

/** Markup that only this file can make. */
export class Markup {
  readonly #text: string
  constructor(text: string) {
    this.#text = text
  }
  toString(): string {
    return this.#text
  }
}

export function joined(parts: readonly Markup[]): Markup {
  return new Markup(parts.join(""))
}

function written(value: string | Markup): string {
  return value instanceof Markup
    ? value.toString()
    : value.replace(/[&<>"'\u200b]/g, (character) => entities.get(character) ?? "")
}

const entities: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&#39;"],
  ["\u200b", "&#8203;"],
])
