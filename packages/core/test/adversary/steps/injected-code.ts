import fc from "fast-check"
import { origins, victims } from "../world/names.js"
import { submit } from "./forms.js"
import { steps } from "./step.js"

export const injectedCode = steps({
  does: "the attacker puts a user's authorization code into the attacker's own attempt",
  data: fc.record({ victim: fc.constantFrom(...victims), at: fc.constantFrom("op", "rogue", "hub") }),
  async run({ users, providers }, { victim, at }) {
    const user = users[victim].browser
    await submit(users[victim], "/auth/signin/op")
    const { browser } = users.mallory
    await submit(users.mallory, `/auth/signin/${at}`)
    if (!user.location.startsWith(origins.op) || browser.location.startsWith(origins.app)) return
    const answer = await providers.op.authorize(user.location, { as: victim })
    if (answer.method !== "GET") return
    const code = new URL(answer.location).searchParams.get("code") ?? ""
    const state = new URL(browser.location).searchParams.get("state") ?? ""
    for (const provider of ["op", at])
      await browser.get(`/auth/callback/${provider}?${new URLSearchParams({ code, state, iss: origins.op })}`)
  },
})
