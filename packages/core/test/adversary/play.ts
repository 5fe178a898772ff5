import fc from "fast-check"
import { checks } from "./checks/all.js"
import { anyStep } from "./steps/all.js"
import type { Step } from "./steps/step.js"
import { type Settings, settings } from "./world/settings.js"
import { createWorld } from "./world/world.js"

/** A site, and what its users and attackers do. */
export interface Sequence {
  readonly settings: Settings
  readonly steps: readonly Step[]
}

const maxSteps = 12

export function sequences(mode?: Settings["mode"]): fc.Arbitrary<Sequence> {
  return fc.record({
    settings: mode === undefined ? settings : settings.filter((drawn) => drawn.mode === mode),
    steps: fc.array(anyStep, { minLength: 1, maxLength: maxSteps, size: "max" }),
  })
}

/** Plays a sequence, and checks every invariant after each step. */
export async function play({ settings, steps }: Sequence): Promise<void> {
  const world = createWorld(settings)
  for (const step of steps) {
    await step.run(world)
    for (const check of checks) await check(world)
    world.exchanges.length = 0
    world.log.entries.length = 0
  }
}
