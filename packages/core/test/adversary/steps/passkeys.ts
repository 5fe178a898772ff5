import fc from "fast-check"
import { names } from "../world/names.js"
import { hasEmail } from "../world/settings.js"
import { steps } from "./step.js"

export const passkeys = steps({
  does: "a user adds a passkey, or signs in with one",
  data: fc.constantFrom(...names),
  async run({ settings, users }, name) {
    if (!hasEmail(settings)) return
    const { browser, authenticator } = users[name]
    if (authenticator.credentials.length > 0) {
      users[name].hasProved = true
      await browser.signInWithPasskey(authenticator)
    } else if ((await browser.session()) !== null) await browser.registerPasskey(authenticator)
  },
})
