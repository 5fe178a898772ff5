import fc from "fast-check"
import type { World } from "../world/world.js"

/** Something that a user or an attacker does. */
export interface Step {
  readonly text: string
  run(world: World): Promise<void>
}

interface Kind<D> {
  /** As a sentence: "the attacker copies the cookies of a user". */
  readonly does: string
  readonly data: fc.Arbitrary<D>
  run(world: World, data: D): Promise<void>
}

/** Steps of one kind. A failure prints them as `does` and their data. */
export function steps<D>({ does, data, run }: Kind<D>): fc.Arbitrary<Step> {
  return data.map((drawn) => {
    const text = `${does} ${JSON.stringify(drawn)}`
    return { text, run: (world) => run(world, drawn), [fc.toStringMethod]: () => text }
  })
}
