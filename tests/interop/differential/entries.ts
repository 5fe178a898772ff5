import type { Context, Difference } from "./compare.js"

/** How the runner recognizes a difference that docs/differences.md lists. */
export interface Entry {
  explains(difference: Difference): boolean
  /**
   * The libraries may hold other data afterwards. If they do, the scenario ends, because what follows would only repeat
   * this difference.
   */
  readonly ends?: boolean
}

export type Entries = Readonly<Record<string, Entry>>

/** The entry that explains a difference. */
export function idOf(difference: Difference, entries: Entries): string | undefined {
  return Object.keys(entries).find((id) => entries[id]?.explains(difference))
}

type Condition = (context: Context, values: { readonly theirs: unknown; readonly ours: unknown }) => boolean

/** Explains differences at these places, in steps for which the condition holds. */
export function at(where: RegExp, holds: Condition = () => true): Entry {
  return { explains: (difference) => where.test(difference.where) && holds(difference.context, difference) }
}

/** Explains everything in the response to one request. If the libraries hold other data afterwards, the scenario ends. */
export function whole(holds: Condition): Entry {
  return { ...at(/./, holds), ends: true }
}

export function any(...entries: readonly Entry[]): Entry {
  return {
    explains: (difference) => entries.some(({ explains }) => explains(difference)),
    ends: entries.some(({ ends }) => ends === true),
  }
}
