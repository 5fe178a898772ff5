import fc from "fast-check"
import { emailOf, type Name, origins, victims } from "../world/names.js"
import { hasEmail } from "../world/settings.js"
import type { World } from "../world/world.js"
import { submit } from "./forms.js"
import { newestFor } from "./mail.js"
import { plant } from "./planting.js"
import { steps } from "./step.js"

const page = `${origins.foreign}/page`

export const attackersCode = steps({
  does: "a page of another site sends a user's browser to the attacker's callback or link",
  data: fc.record({
    victim: fc.constantFrom(...victims),
    by: fc.constantFrom("op" as const, "mail" as const),
    planted: fc.constantFrom("nowhere" as const, "sibling" as const, "plain" as const),
    name: fc.constantFrom("same" as const, "secure" as const),
  }),
  async run(world, { victim, by, planted, name }) {
    const follow = await { op: beginAtProvider, mail: askForLink }[by](world)
    if (planted !== "nowhere") plant(world, { victim, name, from: planted, path: "/" })
    await follow?.(victim)
  },
})

type Follow = (victim: Name) => Promise<unknown>

/** The attacker consents at the provider, and keeps the callback for another browser. */
async function beginAtProvider({ users, providers }: World): Promise<Follow | undefined> {
  const { browser } = users.mallory
  await submit(users.mallory, "/auth/signin/op")
  if (!browser.location.startsWith(providers.op.issuer)) return undefined
  const answer = await providers.op.authorize(browser.location, { as: "mallory" })
  return async (victim) => await users[victim].browser.follow(answer, page)
}

async function askForLink(world: World): Promise<Follow | undefined> {
  const { users, settings } = world
  if (!hasEmail(settings)) return undefined
  const email = emailOf("mallory")
  await submit(users.mallory, "/auth/signin/mail", { email })
  const link = newestFor(world, email)?.link
  return link === undefined ? undefined : async (victim) => await users[victim].browser.get(link, { from: page })
}
