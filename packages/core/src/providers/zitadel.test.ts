import { createProvider } from "@latchkey/testing"
import { expect, test } from "vitest"
import { open, outcome } from "../../test/flows/oauth/app.js"
import ZITADEL from "./zitadel.js"

const audiences = [
  [["69234237810729019@acme", "69234237810729234", "172182"], "home"],
  [["other"], "Configuration"],
  [["https://api.test"], "Configuration"],
  [["69234237810729019@acme", "other"], "Configuration"],
] as const

test.each(audiences)("an ID token that is also for %o ends as %s", async (others, end) => {
  const op = createProvider({ id: "zitadel" })
  const { browser } = await open([{ ...ZITADEL(), options: op.provider() }])
  op.inject({
    idToken: (token) => ({ ...token, claims: { ...token.claims, aud: [op.clientId, ...others], azp: op.clientId } }),
  })
  await browser.signInWith(op, { as: "ada" })
  expect(outcome(browser)).toBe(end)
})
