import fc from "fast-check"
import { startsSession } from "../world/exchange.js"
import { emailOf, victims } from "../world/names.js"
import { hasEmail, hasPasswords } from "../world/settings.js"
import { Violation } from "../world/violation.js"
import { newestFor } from "./mail.js"
import { formOf, post } from "./script.js"
import { steps } from "./step.js"

const spellings = [
  (name: string) => name,
  (name: string) => name.toUpperCase(),
  (name: string) => ` ${name} `,
  (name: string) => name.replace("a", "á"),
  (name: string) => [...name].map((letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0)).join(""),
]

export const guessPasswords = steps({
  does: "the attacker guesses passwords",
  data: fc.record({
    victim: fc.constantFrom(...victims),
    tries: fc.oneof({ weight: 12, arbitrary: fc.constant(2) }, { weight: 1, arbitrary: fc.constant(45) }),
    addresses: fc.constantFrom(1, 40),
  }),
  async run(world, { victim, tries, addresses }) {
    if (!hasPasswords(world.settings)) return
    const form = await formOf(world)
    for (let index = 0; index < tries; index++) {
      const username = spellings[index % spellings.length]?.(victim) ?? victim
      const fields = { ...form.fields, username, password: `guess-${index}` }
      await post(world, "/auth/callback/password", { ...form, fields, address: `203.0.113.${index % addresses}` })
    }
  },
})

/** Tries after which a code is worthless, even the right one. */
const maxTries = 5

export const guessCode = steps({
  does: "the attacker asks for a code for another mailbox, guesses, and then types the right one",
  data: fc.record({ victim: fc.constantFrom(...victims), tries: fc.constantFrom(maxTries, 11), atOnce: fc.boolean() }),
  async run(world, { victim, tries, atOnce }) {
    if (!hasEmail(world.settings)) return
    const { browser } = world.users.mallory
    const before = world.mail.sent.length
    await browser.post("/auth/signin/mail", { csrfToken: (await browser.csrf()) ?? "", email: emailOf(victim) })
    const code = newestFor(world, emailOf(victim))?.code
    if (world.mail.sent.length === before || code === undefined) return
    const form = await formOf(world)
    const wrong = (index: number) => String((Number(code) + index + 1) % 1_000_000).padStart(6, "0")
    const guess = async (text: string, index: number) =>
      await post(world, "/auth/callback/mail", {
        ...form,
        fields: { ...form.fields, code: text },
        address: `203.0.113.${index}`,
      })
    const guesses = Array.from({ length: tries }, (_, index) => async () => guess(wrong(index), index))
    if (atOnce) await Promise.all(guesses.map(async (one) => one()))
    else for (const one of guesses) await one()
    await guess(code, tries)
    const last = world.exchanges.at(-1)
    if (last !== undefined && startsSession(last))
      throw new Violation("limit-counted", `A code worked after ${tries} wrong ones`)
  },
})

export const floodMailbox = steps({
  does: "the attacker asks for many links for another mailbox",
  data: fc.record({
    victim: fc.constantFrom(...victims),
    count: fc.oneof({ weight: 8, arbitrary: fc.constant(2) }, { weight: 1, arbitrary: fc.constant(22) }),
    addresses: fc.constantFrom(1, 15),
  }),
  async run(world, { victim, count, addresses }) {
    if (!hasEmail(world.settings)) return
    const form = await formOf(world)
    for (let index = 0; index < count; index++) {
      const fields = { ...form.fields, email: index % 2 === 0 ? emailOf(victim) : emailOf(victim).toUpperCase() }
      await post(world, "/auth/signin/mail", { ...form, fields, address: `203.0.113.${index % addresses}` })
    }
  },
})
