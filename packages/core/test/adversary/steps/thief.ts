import fc from "fast-check"
import { type Name, origins, victims } from "../world/names.js"
import { Violation } from "../world/violation.js"
import type { World } from "../world/world.js"
import { steps } from "./step.js"

export const copyCookies = steps({
  does: "the attacker copies the cookies of a user",
  data: fc.constantFrom<Name>(...victims),
  async run(world, from) {
    copy(world, from)
  },
})

export function copy({ users, loot, settings }: World, from: Name): void {
  const url = new URL("/auth/session", origins.app)
  const cookie = users[from].browser.jar.header({ url, method: "GET", sameSite: true, navigation: false })
  const isFormer = settings.former !== "none" && settings.mode === "compatible" && !settings.hardened
  if (cookie.includes("session-token")) loot.push({ from, cookie, isFormer, endedAt: undefined, isCutOff: false })
}

export const useCopies = steps({
  does: "the attacker uses the copied cookies",
  data: fc.constantFrom("GET", "HEAD"),
  run: sendCopies,
})

export async function sendCopies(world: World, method = "GET"): Promise<void> {
  for (const { from, cookie, endedAt, isCutOff } of world.loot) {
    const response = await world.send(new Request(`${origins.app}/auth/session`, { method, headers: { cookie } }))
    const hasEnded = isCutOff || (endedAt !== undefined && world.clock.now() >= endedAt)
    if (hasEnded && (await response.text()).length > "null".length)
      throw new Violation("session-ended", `A copy of the cookies of ${from} still is a session`)
  }
}
