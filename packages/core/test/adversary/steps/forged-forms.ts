import fc from "fast-check"
import type { Fields } from "@latchkey/testing"
import { emailOf, type Name, origins, passwordOf, victims } from "../world/names.js"
import { readSession } from "../world/shown-session.js"
import { Violation } from "../world/violation.js"
import type { World } from "../world/world.js"
import { steps } from "./step.js"

/** What other sites would like a user's browser to do. */
const wishes: Readonly<Record<string, Fields>> = {
  "/auth/callback/password": { username: "mallory", password: passwordOf("mallory") },
  "/auth/signout": {},
  "/auth/session": { data: "{}" },
  "/auth/signin/mail": { email: emailOf("mallory") },
  "/auth/signin/op": { link: "true" },
}

/**
 * Without the prefix, a sibling domain can plant the cookie of a token under compatible, and a browser that names no sender
 * then signs in if no user is signed in. docs/security/hardening.md says so.
 */
function hasPlantedToken({ settings, users }: World, victim: Name): boolean {
  return settings.mode === "compatible" && settings.plainCsrf && users[victim].isDisturbed
}

export const forgedForm = steps({
  does: "a page of another site submits a form in a user's browser",
  data: fc.record({
    victim: fc.constantFrom(...victims),
    path: fc.constantFrom(...Object.keys(wishes)),
    from: fc.constantFrom("sibling" as const, "foreign" as const),
    token: fc.constantFrom("none" as const, "own" as const),
    body: fc.constantFrom("form" as const, "text" as const),
    old: fc.boolean(),
  }),
  async run(world, { victim, path, from, token, body, old }) {
    const { users, providers, exchanges } = world
    const { browser } = users[victim]
    const before = readSession(await browser.session())
    const csrfToken = token === "own" ? ((await users.mallory.browser.csrf()) ?? "") : ""
    const fields = { ...wishes[path], csrfToken }
    const page = `${origins[from]}/page`
    world.hasOldBrowsers = old && !hasPlantedToken(world, victim)
    if (body === "form") await browser.post(path, fields, { from: page })
    else {
      const headers = { "content-type": "text/plain" }
      await browser.fetch(path, { method: "POST", body: JSON.stringify(fields), from: page, headers })
    }
    world.hasOldBrowsers = false
    // A provider at which the user is known would answer at once.
    if (exchanges.some(({ answer }) => answer.get("location")?.startsWith(providers.op.issuer) === true))
      throw new Violation("not-forged", `${origins[from]} began a sign-in in the browser of ${victim}`)
    if (readSession(await browser.session()).subject !== before.subject)
      throw new Violation("not-forged", `POST ${path} from ${origins[from]} changed the session of ${victim}`)
  },
})
