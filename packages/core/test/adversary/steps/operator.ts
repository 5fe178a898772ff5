import fc from "fast-check"
import { names } from "../world/names.js"
import type { World } from "../world/world.js"
import { steps } from "./step.js"

export const switchToStrict = steps({
  does: "the site is switched to strict",
  data: fc.constant("deploy"),
  async run(world) {
    toStrict(world)
  },
})

export function toStrict(world: World): void {
  if (world.settings.former !== "none") world.deploy({ settings: { ...world.settings, mode: "strict" } })
}

export const endAllSessions = steps({
  does: "the site signs every user out",
  data: fc.constant("notBefore"),
  async run(world) {
    endAll(world)
  },
})

export function endAll(world: World): void {
  const { clock, users, loot } = world
  clock.advance({ seconds: 1 })
  world.deploy({ notBefore: new Date(clock.now()) })
  clock.advance({ seconds: 1 })
  for (const name of names) users[name].hasProved = false
  for (const copy of loot) copy.isCutOff = true
}
