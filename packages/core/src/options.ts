import { type EveryOption, type OptionNames, anything, others, unknownNames } from "./primitives/option-names.js"

export { nearest } from "./primitives/option-names.js"
export { anything, type EveryOption, type OptionNames, others }

/**
 * Refuses an option that isn't known, such as a misspelled one, which would otherwise have no effect.
 *
 * @throws TypeError that names the option, and the one that was probably meant
 * @example
 * ```ts
 * import { anything, assertOptions, type EveryOption } from "@latchkey/core/options"
 *
 * interface StoreOptions {
 *   readonly prefix?: string
 *   readonly tables?: { readonly users?: string }
 * }
 * const names: EveryOption<StoreOptions> = { prefix: anything, tables: { users: anything } }
 *
 * export function store(options: StoreOptions): void {
 *   assertOptions("store", options, names)
 * }
 * ```
 */
export function assertOptions(caller: string, options: unknown, names: OptionNames): void {
  const [first] = unknownNames(options, names)
  if (first === undefined) return
  const advice = first.meant === undefined ? "Remove it." : `Did you mean \`${first.meant}\`?`
  throw new TypeError(`\`${caller}\` has no option \`${first.path}\`. ${advice}`)
}
