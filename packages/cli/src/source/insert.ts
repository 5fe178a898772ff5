import type { ArrayExpression, ObjectExpression } from "oxc-parser"
import { type Edit, insert } from "./edits.js"
import { lineEnd, namesIn, styleOf } from "./imports.js"
import type { Source } from "./syntax.js"

/** A name that the file doesn't use yet. @param suffix what is added to a name that it does use */
export function freeName(source: Source, wanted: string, suffix: string): string {
  const taken = namesIn(source)
  const names = [
    wanted,
    `${wanted}${suffix}`,
    ...Array.from({ length: 99 }, (_, index) => `${wanted}${suffix}${index + 2}`),
  ]
  return names.find((name) => !taken.has(name)) ?? wanted
}

/** Inserts a property before the others, on its own line if they have their own lines. */
export function propertyEdit({ text, ...source }: Source, object: ObjectExpression, property: string): Edit {
  const first = object.properties[0]
  const { newline } = styleOf({ text, ...source })
  if (first === undefined) return { start: object.start, end: object.end, text: `{ ${property} }` }
  const indent = indentBefore(text, first.start)
  return insert(first.start, indent === undefined ? `${property}, ` : `${property},${newline}${indent}`)
}

/** Inserts after the last element, on its own line if the others have their own lines. */
export function elementEdits(source: Source, array: ArrayExpression, element: string): Edit[] {
  const { text } = source
  const last = array.elements.findLast((one) => one !== null)
  if (last === undefined || last === null) return [insert(array.end - 1, inEmpty(source, array, element))]
  const indent = indentBefore(text, last.start)
  if (indent === undefined) return [insert(last.end, `, ${element}`)]
  const { newline } = styleOf(source)
  const comma = commaAfter(source, last.end)
  if (comma === undefined) {
    return [insert(last.end, ","), insert(lineEnd(text, last.end), `${newline}${indent}${element}`)]
  }
  return [insert(lineEnd(text, comma), `${newline}${indent}${element},`)]
}

/** An empty array may contain a comment and span several lines. */
function inEmpty({ text, ...source }: Source, array: ArrayExpression, element: string): string {
  const inside = text.slice(array.start + 1, array.end - 1)
  if (!inside.includes("\n")) return inside.trim() === "" ? element : ` ${element}`
  const { newline } = styleOf({ text, ...source })
  const outer = /[ \t]*$/.exec(inside)?.[0] ?? ""
  return `  ${element},${newline}${outer}`
}

/** The white space between the start of the line and the offset. Undefined if there is other text. */
function indentBefore(text: string, at: number): string | undefined {
  const line = text.slice(text.lastIndexOf("\n", at - 1) + 1, at)
  return /^[ \t]*$/.test(line) && at > line.length ? line : undefined
}

/** The offset after the next comma. Skips comments. */
function commaAfter({ text, comments }: Source, from: number): number | undefined {
  let at = from
  for (;;) {
    at += /^\s*/.exec(text.slice(at))?.[0].length ?? 0
    const comment = comments.find(({ start }) => start === at)
    if (comment === undefined) return text.charAt(at) === "," ? at + 1 : undefined
    at = comment.end
  }
}
