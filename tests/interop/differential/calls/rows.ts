import type { Pair } from "./subject.js"

/** `warn-details`: the same codes in the same order. */
export function sameCodes({ where, theirs, ours }: Pair): boolean {
  return where === "warnings" && JSON.stringify(codesOf(theirs)) === JSON.stringify(codesOf(ours))
}

function codesOf(warnings: unknown): readonly unknown[] {
  return Array.isArray(warnings) ? warnings.map((args: unknown) => (Array.isArray(args) ? args[0] : args)) : []
}

/** `slashes-in-paths`: the same path or URL without repeated slashes and without the one at the end. */
export function sameButSlashes({ theirs, ours }: Pair): boolean {
  return typeof ours === "string" && typeof theirs === "string" && shortened(theirs) === shortened(ours)
}

function shortened(text: string): string {
  return text.replaceAll(/(?<!:)\/{2,}/g, "/").replace(/(?<=.)\/$/, "")
}
