import fc from "fast-check"

/** What an application can notice of one call: its result, or that it throws, and the arguments of `logger.warn`. */
export interface Outcome {
  readonly result: unknown
  readonly warnings: readonly (readonly unknown[])[]
}

/** What both libraries did with the same arguments. */
export interface Pair {
  readonly theirs: unknown
  readonly ours: unknown
  /** Where in the outcome, such as `result.basePath`. */
  readonly where: string
}

/** A function that both libraries export, random arguments for it, and the rows of docs/differences.md that it shows. */
export interface Definition<A> {
  readonly name: string
  readonly args: fc.Arbitrary<A>
  theirs(args: A): Promise<Outcome>
  ours(args: A): Promise<Outcome>
  /** By the id of the row: whether it explains a difference. */
  readonly rows: Readonly<Record<string, (pair: Pair, args: A) => boolean>>
}

export interface Subject {
  readonly name: string
  readonly rowIds: readonly string[]
  /**
   * Calls both functions with random arguments.
   *
   * @returns the rows that explain differences, and the smallest arguments that show another one
   */
  check(numRuns: number): Promise<{ readonly used: readonly string[]; readonly failure: string | undefined }>
}

export function createSubject<A>(definition: Definition<A>): Subject {
  const { name, args: arbitrary, rows } = definition
  return {
    name,
    rowIds: Object.keys(rows),
    async check(numRuns) {
      const used = new Set<string>()
      const property = fc.asyncProperty(arbitrary, async (args) => {
        const ids = (await differencesOf(definition, args)).map((pair) => rowOf(definition, pair, args))
        for (const id of ids) if (id !== undefined) used.add(id)
        return ids.every((id) => id !== undefined)
      })
      const { FUZZ_SEED = "20261" } = process.env
      const { counterexample } = await fc.check(property, { numRuns, seed: Number(FUZZ_SEED) })
      const failure = counterexample === null ? undefined : await describe(definition, counterexample[0])
      return { used: [...used], failure }
    },
  }
}

async function describe<A>(definition: Definition<A>, args: A): Promise<string> {
  const all = await differencesOf(definition, args)
  const unlisted = all.filter((pair) => rowOf(definition, pair, args) === undefined)
  return JSON.stringify({ function: definition.name, args, unlisted }, undefined, 2)
}

function rowOf<A>({ rows }: Definition<A>, pair: Pair, args: A): string | undefined {
  return Object.keys(rows).find((id) => rows[id]?.(pair, args))
}

async function differencesOf<A>({ theirs, ours }: Definition<A>, args: A): Promise<readonly Pair[]> {
  return differ(plain(await theirs(args)), plain(await ours(args)), "")
}

function differ(theirs: unknown, ours: unknown, where: string): readonly Pair[] {
  if (JSON.stringify(theirs) === JSON.stringify(ours)) return []
  if (!isRecord(theirs) || !isRecord(ours)) return [{ theirs, ours, where }]
  const names = new Set([...Object.keys(theirs), ...Object.keys(ours)])
  return [...names].flatMap((name) => differ(theirs[name], ours[name], where === "" ? name : `${where}.${name}`))
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** A copy as data. What's `undefined` is left out, and names are in order. */
export function plain(value: unknown): unknown {
  if (typeof value === "function") return "<function>"
  if (typeof value === "bigint" || typeof value === "symbol") return String(value)
  if (typeof value !== "object" || value === null) return value
  if (value instanceof URL) return `<URL ${value.href}>`
  if (value instanceof Error) return `<${value.name}: ${value.message}>`
  if (Array.isArray(value)) return value.map(plain)
  const entries = Reflect.ownKeys(value).map((key) => [String(key), plain(Reflect.get(value, key))] as const)
  const present = entries.filter(([, item]) => item !== undefined)
  return Object.fromEntries(present.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

export const threw = "<throws>"

/** Calls a function with a logger that records warnings. */
export async function outcomeOf(
  call: (logger: { readonly warn: (...args: unknown[]) => void }) => unknown,
): Promise<Outcome> {
  const warnings: unknown[][] = []
  const warn = (...args: unknown[]) => void warnings.push(args)
  try {
    return { result: await call({ warn }), warnings }
  } catch {
    return { result: threw, warnings }
  }
}
