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

/**
 * The words that may have been meant, closest first. Two letters in the wrong order count as one mistake, and a word that
 * begins like the typed one is close. Case doesn't count.
 */
export function nearest(typed: string, words: readonly string[]): readonly string[] {
  const limit = Math.max(1, Math.floor(typed.length / 3))
  return words
    .map((word) => ({ word, mistakes: mistakesBetween(typed.toLowerCase(), word.toLowerCase()) }))
    .filter(({ mistakes }) => mistakes <= limit)
    .toSorted((a, b) => a.mistakes - b.mistakes)
    .map(({ word }) => word)
}

function mistakesBetween(typed: string, word: string): number {
  return word !== typed && word.startsWith(typed) ? 1 : distance(typed, word)
}

/** Optimal string alignment: how many letters to insert, remove, replace or swap. */
function distance(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, column) => column)]
  for (let row = 1; row <= one.length; row++) {
    const cells = [row]
    for (let column = 1; column <= other.length; column++) {
      const cell = (up: number, left: number) => (up === 0 ? cells : rows[row - up])?.[column - left] ?? 0
      const isSame = one[row - 1] === other[column - 1]
      const isSwapped =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      const least = Math.min(cell(1, 0) + 1, cell(0, 1) + 1, cell(1, 1) + (isSame ? 0 : 1))
      cells.push(isSwapped ? Math.min(least, cell(2, 2) + 1) : least)
    }
    rows.push(cells)
  }
  return rows.at(-1)?.at(-1) ?? 0
}
