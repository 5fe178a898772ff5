import { createProvider, lies } from "@latchkey/testing"
import type { Lies } from "@latchkey/testing"
import { expect, test } from "vitest"
import { open } from "../../flows/oauth/app.js"

const rateLimit = { address: () => "203.0.113.7", limits: { callback: { address: { points: 2, seconds: 90 } } } }

test.each<[string, Lies, boolean]>([
  ["that holds", {}, false],
  ["that belongs to no attempt", lies.stateWrong, true],
  ["that is an error", lies.errorWithCode, true],
  ["that the provider contradicts", lies.codeUnknown, true],
  ["whose provider is misconfigured", lies.discoveryWrongIssuer, false],
])("an answer %s counts as an attempt: %4$s", async (_, lie, counts) => {
  const op = createProvider()
  const { browser } = await open([op.provider({ authorization: "https://op.test/authorize" })], { rateLimit })
  op.lie(lie)
  const statuses: number[] = []
  for (let time = 0; time < 3; time++) {
    const tab = browser.fresh()
    await tab.signInWith(op, { as: "ada" })
    statuses.push(tab.trail[0]?.status ?? 0)
  }
  expect(statuses).toEqual([302, 302, counts ? 429 : 302])
})
