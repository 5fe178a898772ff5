import fc from "fast-check"
import { emailOf, victims } from "../world/names.js"
import { readSession } from "../world/shown-session.js"
import { Violation } from "../world/violation.js"
import type { World } from "../world/world.js"
import { steps } from "./step.js"

const claims = [
  "sub",
  "id",
  "sid",
  "email",
  "email_verified",
  "exp",
  "iat",
  "nbf",
  "jti",
  "auth_time",
  "iss",
  "aud",
  "name",
]
const places = ["top", "user", "prototype"] as const

export const update = steps({
  does: "the attacker updates the attacker's own session with data",
  data: fc.record({
    victim: fc.constantFrom(...victims),
    claims: fc.uniqueArray(fc.constantFrom(...claims), { minLength: 1, maxLength: 4 }),
    place: fc.constantFrom(...places),
  }),
  async run(world, { victim, claims, place }) {
    const { browser } = world.users.mallory
    const first = readSession(await browser.session())
    // The database may fail once, so one read doesn't show that no user is signed in.
    const before = first.subject === undefined ? readSession(await browser.session()) : first
    const forged = Object.fromEntries(claims.map((claim) => [claim, valueOf(world, victim, claim)]))
    const data = { top: forged, user: { user: forged }, prototype: { constructor: forged } }[place]
    const text = JSON.stringify({ csrfToken: (await browser.csrf()) ?? "", data })
    const body = place === "prototype" ? text.replace('"constructor"', '"__proto__"') : text
    await browser.fetch("/auth/session", { method: "POST", body, headers: { "content-type": "application/json" } })
    const after = readSession(await browser.session())
    if (after.subject !== undefined && (after.subject !== before.subject || after.email !== before.email))
      throw new Violation("identity-fixed", `The session was ${JSON.stringify(before)} and is ${JSON.stringify(after)}`)
  },
})

function valueOf({ ledger, clock }: World, victim: (typeof victims)[number], claim: string): unknown {
  const [subject] = [...ledger.subjects].find(([, owners]) => owners.has(victim)) ?? [`password-${victim}`]
  const year = Math.floor(clock.now() / 1000) + 365 * 86_400
  const values: Readonly<Record<string, unknown>> = {
    sub: subject,
    id: subject,
    email: emailOf(victim),
    email_verified: true,
    name: victim,
  }
  return values[claim] ?? year
}
