import { type Html, html } from "./html.js"

/** A text with HTML in place of its placeholders. */
export function phrase(text: string, values: Readonly<Record<string, Html>>): Html {
  const parts = text.split(/\{(\w+)\}/).map((part, index) => {
    if (index % 2 === 0) return html`${part}`
    return (Object.hasOwn(values, part) ? values[part] : undefined) ?? html`${`{${part}}`}`
  })
  return html`${parts}`
}
