import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { hasSession } from "../flows/signin/setup.js"
import { site, victim } from "./email-setup.js"

attack(
  "LINK-02",
  "only a boolean `true` as `email_verified` verifies an email, not a string or a list",
  async (mode) => {
    for (const claim of [[true], ["true"], "true"]) {
      const its = await site(mode)
      const provider = its.op.provider({ allowEmailAccountLinking: "verified" })
      its.op.people["eve"] = { email: victim, email_verified: claim as never }
      const { visit } = await import("@latchkey/testing")
      const browser = await visit({ ...its.config, providers: [provider] }, { clock: its.clock })
      await its.store.createUser({ id: "owner", email: victim, emailVerified: new Date(0) })
      await browser.signInWith(its.op, { as: "eve" })
      expect(hasSession(browser), JSON.stringify(claim)).toBe(false)
      expect(its.store.rows().accounts).toEqual([])
    }
  },
)
