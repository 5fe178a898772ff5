import fc from "fast-check"
import { type Name, victims } from "../world/names.js"
import { hasPasswords } from "../world/settings.js"
import { submit } from "./forms.js"
import { typeRightPassword } from "./password.js"
import { formOf, post } from "./script.js"
import { steps } from "./step.js"

/** From the user's own network, or from so many addresses that only the limit of the user counts them. */
const attacks = {
  near: { tries: 11, addressOf: (_: number, own: string) => own },
  far: { tries: 32, addressOf: (index: number) => `203.0.113.${index}` },
} as const

export const lockOut = steps({
  does: "a user signs in with a password, and again after the attacker guessed",
  data: fc.record({
    victim: fc.constantFrom<Name>(...victims),
    from: fc.constantFrom("near" as const, "near" as const, "near" as const, "far" as const),
    leaves: fc.boolean(),
  }),
  async run(world, { victim, from, leaves }) {
    if (!hasPasswords(world.settings)) return
    const user = world.users[victim]
    await typeRightPassword(world, victim)
    const { tries, addressOf } = attacks[from]
    const form = await formOf(world)
    for (let index = 0; index < tries; index++) {
      const fields = { ...form.fields, username: victim, password: `guess-${index}` }
      await post(world, "/auth/callback/password", { ...form, fields, address: addressOf(index, user.address) })
    }
    if (leaves) await submit(user, "/auth/signout")
    await typeRightPassword(world, victim)
  },
})
