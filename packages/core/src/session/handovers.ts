import type { Renewal } from "../model/session-strategy.js"
import { type BoundedMap, type OfSite, createBoundedMap, stateOf } from "../primitives/state.js"

/** Stored sessions that were replaced a moment ago, in this process. The keys are the tokens in the database. */
interface Handovers {
  /** What replaced a session. */
  readonly successors: BoundedMap<string, Promise<Renewal>>
  /** The token of the session that was replaced. */
  readonly predecessors: BoundedMap<string, string>
}

const maxHandovers = 10_000

export const handovers: (auth: OfSite) => Handovers = stateOf("handovers", () => ({
  successors: createBoundedMap(maxHandovers),
  predecessors: createBoundedMap(maxHandovers),
}))
