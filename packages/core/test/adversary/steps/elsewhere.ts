import fc from "fast-check"
import { type Name, origins, victims } from "../world/names.js"
import { isRevocable } from "../world/settings.js"
import { readSession } from "../world/shown-session.js"
import { maxStaleness } from "../world/site.js"
import { Violation } from "../world/violation.js"
import type { Loot, World } from "../world/world.js"
import { signInAtProvider } from "./federated.js"
import { endAll, toStrict } from "./operator.js"
import { leave } from "./session.js"
import { steps } from "./step.js"
import { copy, sendCopies } from "./thief.js"

export const readElsewhere = steps({
  does: "another server reads the copied cookies",
  data: fc.record({ hasAdapter: fc.boolean() }),
  async run(world, { hasAdapter }) {
    await readCopies(world, hasAdapter)
  },
})

export const outlive = steps({
  does: "the attacker copies the cookies of a signed-in user, whose session ends later",
  data: fc.record({
    victim: fc.constantFrom<Name>(...victims),
    switches: fc.boolean(),
    reads: fc.boolean(),
    ends: fc.constantFrom("by the user" as const, "by the site" as const),
    minutes: fc.constantFrom(0, 6),
    at: fc.constantFrom("site" as const, "reader" as const, "edge" as const),
  }),
  async run(world, { victim, switches, reads, ends, minutes, at }) {
    await signInAtProvider(world, victim, "op")
    copy(world, victim)
    if (switches) toStrict(world)
    if (reads) await world.users[victim].browser.session()
    copy(world, victim)
    if (ends === "by the user") await leave(world, victim)
    else endAll(world)
    world.clock.advance({ minutes })
    if (at === "site") await sendCopies(world)
    else await readCopies(world, at === "reader")
  },
})

async function readCopies(world: World, hasAdapter: boolean): Promise<void> {
  const { settings, store, loot } = world
  if (settings.strategy === "database" && !hasAdapter) return
  const reader = world.reader(hasAdapter)
  for (const copied of loot) {
    const headers = new Headers({ cookie: copied.cookie, "x-forwarded-proto": "https" })
    headers.set("x-forwarded-host", new URL(origins.app).host)
    const { session, cookies } = await reader.session({ headers, origin: origins.app })
    if (readSession(session).subject === undefined) continue
    if (isOver(world, copied, hasAdapter || store === undefined))
      throw new Violation("session-ended", `A copy of the cookies of ${copied.from} still is a session for a reader`)
    const isExtended = cookies.some(({ name, value }) => name.includes("session-token") && value !== "")
    if (isExtended && isRevocable(settings) && !hasAdapter)
      throw new Violation("session-ended", "A reader without the adapter extends a session that may be revoked")
  }
}

/** Without the adapter a server learns of a sign-out late, and can't revoke sessions from before the switch. */
function isOver({ settings, clock }: World, { endedAt, isCutOff, isFormer }: Loot, asksDatabase: boolean): boolean {
  if (isCutOff) return true
  if (asksDatabase) return endedAt !== undefined && clock.now() >= endedAt
  if (isFormer && isRevocable(settings)) return true
  return endedAt !== undefined && clock.now() - endedAt > maxStaleness * 1000
}
