import type { InvariantId } from "../invariants.js"

/** One text in a source file, and the text without the fix. */
export interface Edit {
  /** Relative to `packages/core`, such as `"src/http/csrf.ts"`, or from the root: `"packages/next/src/renewal.ts"`. */
  readonly file: string
  /** Occurs exactly once in the file. */
  readonly replace: string
  readonly with: string
}

interface Reopening extends Edit {
  /** What an attacker can do again, unique: "a visitor replaces acr_values". */
  readonly name: string
  /** Further edits, if the fix is in more than one place. */
  readonly also?: readonly Edit[]
}

/** Random sequences have to find the hole. */
interface FoundByPlay {
  /** The invariant that breaks without the fix. */
  readonly breaks: InvariantId
}

/** The test has to fail. It's enough if no sequence reaches the hole, such as one of an integration. */
interface FoundByTest {
  readonly test: {
    /** From the root: `"packages/core/test/attacks/csrf.test.ts"`. */
    readonly file: string
    readonly title: string
  }
}

/** A fix, and how to take it out again. */
export type Hole = Reopening & ((FoundByPlay & Partial<FoundByTest>) | (FoundByTest & Partial<FoundByPlay>))
