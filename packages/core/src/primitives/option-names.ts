import { nearest } from "./nearest.js"

/** Any value: text, a number, a function, a list, or an object whose names aren't options. */
export const anything = true

/** Key of a function that says whether an object may have another name too. It's then refused only if it's close to a listed one. */
export const others: unique symbol = Symbol("others")

/** The names of the options, and those below each. */
export type OptionNames =
  | typeof anything
  | { readonly [option: string]: OptionNames; readonly [others]?: (name: string) => boolean }

/** Every option of `T`: one that the table lacks, or that only the table has, doesn't compile. */
export type EveryOption<T> = {
  readonly [K in keyof T as string extends K ? never : Extract<K, string>]-?: OptionNames
}

interface UnknownName {
  /** Such as `session.maxage`. */
  readonly path: string
  /** The path that was probably meant. */
  readonly meant: string | undefined
}

export function* unknownNames(value: unknown, names: OptionNames, path: string = ""): Generator<UnknownName> {
  if (names === anything || !isLiteral(value)) return
  for (const [name, below] of Object.entries(value)) {
    const known = Object.hasOwn(names, name) ? names[name] : undefined
    if (known !== undefined) yield* unknownNames(below, known, `${path}${name}.`)
    else if (below !== undefined) yield* unlessFree(name, names, path)
  }
}

function* unlessFree(name: string, names: Exclude<OptionNames, true>, path: string): Generator<UnknownName> {
  const [meant] = nearest(name, Object.keys(names)).map((each) => path + each)
  if (meant !== undefined || names[others]?.(name) !== true) yield { path: path + name, meant }
}

/** An instance of a class has members that aren't options. */
function isLiteral(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}
