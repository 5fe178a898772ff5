import { type InvariantId, invariants } from "../invariants.js"

/** An invariant that doesn't hold. */
export class Violation extends Error {
  override name = "Violation"

  readonly id: InvariantId

  constructor(id: InvariantId, what: string) {
    super(`${id}: ${invariants[id]}\n${what}`)
    this.id = id
  }
}
