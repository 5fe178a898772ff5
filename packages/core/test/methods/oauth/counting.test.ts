import { createProvider, faults } from "@latchkey/testing"
import type { Fault } from "@latchkey/testing"
import { expect, test } from "vitest"
import { open } from "../../flows/oauth/app.js"

const rateLimit = { address: () => "203.0.113.7", limits: { callback: { address: { points: 2, seconds: 90 } } } }

test.each<[string, Fault, boolean]>([
  ["that holds", {}, false],
  ["that belongs to no attempt", faults.stateWrong, true],
  ["that is an error", faults.errorWithCode, true],
  ["that the provider contradicts", faults.codeUnknown, true],
  ["whose provider is misconfigured", faults.discoveryWrongIssuer, false],
])("a callback %s counts as an attempt: %4$s", async (_, fault, counts) => {
  const op = createProvider()
  const { browser } = await open([op.provider({ authorization: "https://op.test/authorize" })], { rateLimit })
  op.inject(fault)
  const statuses: number[] = []
  for (let time = 0; time < 3; time++) {
    const tab = browser.fresh()
    await tab.signInWith(op, { as: "ada" })
    statuses.push(tab.trail[0]?.status ?? 0)
  }
  expect(statuses).toEqual([302, 302, counts ? 429 : 302])
})
