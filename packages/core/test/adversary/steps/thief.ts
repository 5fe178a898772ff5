import fc from "fast-check"
import { origins, victims } from "../world/names.js"
import { Violation } from "../world/violation.js"
import type { World } from "../world/world.js"
import { steps } from "./step.js"

export const copyCookies = steps({
  does: "the attacker copies the cookies of a user",
  data: fc.constantFrom(...victims),
  async run({ users, loot }, from) {
    const url = new URL("/auth/session", origins.app)
    const cookie = users[from].browser.jar.header({ url, method: "GET", sameSite: true, navigation: false })
    if (cookie.includes("session-token")) loot.push({ from, cookie, hasEnded: false })
  },
})

export const useCopies = steps({
  does: "the attacker uses the copied cookies",
  data: fc.constantFrom("GET", "HEAD"),
  async run(world, method) {
    for (const copy of world.loot) {
      const response = await request(world, copy.cookie, method)
      if (copy.hasEnded && (await response.text()).length > "null".length)
        throw new Violation("session-ended", `A copy of the cookies of ${copy.from} still is a session`)
    }
  },
})

async function request(world: World, cookie: string, method: string): Promise<Response> {
  return await world.send(new Request(`${origins.app}/auth/session`, { method, headers: { cookie } }))
}
