import type { AuditEntry } from "./entry.js"

/** A line of JSON for each entry (https://github.com/ndjson/ndjson-spec), without the end of the line. */
export function linesOf(entries: readonly AuditEntry[]): readonly string[] {
  return entries.map((entry) => oneLine(JSON.stringify(entry)))
}

/**
 * JSON escapes the control characters of ASCII. The others end a line for some programs, or change in which order a terminal shows the
 * text, so a visitor could forge an entry with them.
 */
function oneLine(json: string): string {
  return json.replaceAll(unsafe, (character) => character.replaceAll(/[^]/g, escaped))
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`
}

const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
