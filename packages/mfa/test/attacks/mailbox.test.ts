import { defineModule, type Module, proven } from "@latchkey/core/module"
import { describe, expect } from "vitest"
import { attackIn } from "../../../../tests/attack.js"
import { emailOf, enrolled, isHeld, modes, newUser, siteOf, submit } from "../site.js"

/** A sign-in that only proves a mailbox, as a reset of a password does. */
const resets: Module = defineModule({
  id: "resets",
  providers: [{ id: "reset", name: "Reset", fields: { email: {} } }],
  load: async () => ({ prove: async (_, { fields }) => proven({ mailbox: String(fields["email"]) }) }),
})

describe.each(modes)("with security: %s, a thief of the mailbox", (security) => {
  const attack = attackIn(security)

  attack("MFA-13", "who resets the password gets no code for the second factor in the same mailbox", async () => {
    const its = await siteOf({}, { security, modules: [resets] })
    const owner = await newUser(its)
    await submit(owner, "enroll", { method: "email" })
    await owner.submitForm("mfa/confirm", { code: its.letters.at(-1)?.code ?? "" })
    const sent = its.letters.length
    const thief = await its.browse()
    await thief.signIn("reset", { email: emailOf("ada") })
    expect(isHeld(thief)).toBe(true)
    expect(thief.text).not.toContain("Send a code by email")
    await thief.submitForm("auth/factor", { action: "email" })
    expect(its.letters).toHaveLength(sent)
    expect(await thief.session()).toBeNull()
  })

  attack("MFA-13", "is asked for the app after a reset of the password", async () => {
    const its = await siteOf({}, { security, modules: [resets] })
    await enrolled(its)
    const thief = await its.browse()
    await thief.signIn("reset", { email: emailOf("ada") })
    expect(isHeld(thief)).toBe(true)
    expect(await thief.session()).toBeNull()
  })
})
