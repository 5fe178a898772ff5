import fc from "fast-check"
import { checks } from "./checks/all.js"
import { submit } from "./steps/forms.js"
import { anyStep } from "./steps/all.js"
import type { Step } from "./steps/step.js"
import { meterText } from "./world/costs.js"
import { type Settings, settings } from "./world/settings.js"
import { createWorld, type World } from "./world/world.js"

/** A site, and what its users and attackers do. */
export interface Sequence {
  readonly settings: Settings
  readonly steps: readonly Step[]
}

const maxSteps = 12

export function sequences(mode?: Settings["mode"]): fc.Arbitrary<Sequence> {
  return fc.record({
    settings: mode === undefined ? settings : settings.filter((drawn) => drawn.mode === mode),
    steps: fc.array(anyStep, { maxLength: maxSteps, size: "max" }),
  })
}

/** Plays a sequence, and checks every invariant after each step. */
export async function play({ settings, steps }: Sequence): Promise<void> {
  const world = createWorld(settings)
  const stop = meterText()
  try {
    await signInAttacker(world)
    forget(world)
    for (const step of steps) {
      await step.run(world)
      for (const check of checks) await check(world)
      forget(world)
    }
  } finally {
    stop()
  }
}

/** The attacker is a user of the site too. */
async function signInAttacker({ users: { mallory }, providers }: World): Promise<void> {
  mallory.hasProved = true
  await submit(mallory, "/auth/signin/op")
  await mallory.browser.consentAt(providers.op, { as: "mallory" })
}

function forget({ exchanges, log, store, mail }: World): void {
  exchanges.length = 0
  log.entries.length = 0
  mail.hasFailed = false
  if (store !== undefined) store.hasFailed = false
}
