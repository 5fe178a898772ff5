import type { RelayingParty } from "@latchkey/core/providers/webauthn"
import { expect, test } from "vitest"
import { emailOf } from "../../flows/signin/setup.js"
import { ada, issue, origin, site } from "./setup.js"

test("`getUserInfo` and `getRelayingParty` receive the headers and cookies of the request, as in Auth.js", async () => {
  const seen = new Set<unknown>()
  const { browser } = await site({
    provider: {
      getUserInfo: async (_, { headers, cookies }) => {
        seen.add(headers?.["x-tenant"]).add(cookies?.["invitation"])
        return null
      },
      getRelayingParty: (_, { headers }) => {
        seen.add(`of ${headers?.["x-tenant"]}`)
        return { id: "app.test", name: "App", origin }
      },
    },
    kind: "webauthn",
  })
  const headers = { "x-tenant": "acme", cookie: "invitation=42" }
  await browser.fetch("/auth/webauthn-options/webauthn?action=authenticate", { headers })
  expect(seen).toEqual(new Set(["acme", "42", "of acme"]))
})

test("`getRelayingParty` may return several origins, which the library of Auth.js accepts", async () => {
  const party = { id: "app.test", name: "App", origin: ["https://www.app.test", origin] }
  const { browser, authenticator } = await site({
    provider: { getRelayingParty: () => party as unknown as RelayingParty },
  })
  await browser.registerPasskey(authenticator, { fields: { email: ada } })
  expect(await emailOf(browser)).toBe(ada)
  expect(await issue(browser.fresh(), { action: "authenticate" })).toMatchObject({ options: { rpId: "app.test" } })
})
