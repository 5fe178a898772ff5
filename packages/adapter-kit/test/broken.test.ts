import { conformance } from "@latchkey/adapter-kit"
import type { Adapter } from "@latchkey/core/adapters"
import { describe, expect, test } from "vitest"
import { capabilityDefects, passkeyDefects, transactionDefects } from "./optional-defects.js"
import { recordDefects } from "./record-defects.js"
import { sessionDefects, tokenDefects } from "./session-defects.js"
import { accountDefects, userDefects } from "./user-defects.js"
import { absenceDefects, limitDefects, valueDefects } from "./value-defects.js"

const defects = [
  ...userDefects,
  ...accountDefects,
  ...sessionDefects,
  ...tokenDefects,
  ...passkeyDefects,
  ...capabilityDefects,
  ...transactionDefects,
  ...valueDefects,
  ...limitDefects,
  ...absenceDefects,
  ...recordDefects,
]

async function brokenBy(adapter: Adapter): Promise<string[]> {
  const optional = new Set([
    "transaction",
    "listAccounts",
    "updateAccount",
    "updateAuthenticator",
    "deleteAuthenticator",
    "describeAuthenticator",
    "describeSession",
    "listSessions",
    "deleteSessions",
    "getVerificationToken",
    "deleteVerificationTokens",
    "records",
  ])
  const broken: string[] = []
  for (const { id, part, run } of conformance) {
    // The class adapter has no optional members.
    if (adapter.transaction === undefined && (optional.has(part) || part === "extraFields" || part === "uniqueCode"))
      continue
    await run(adapter).catch(() => broken.push(id))
  }
  return broken
}

describe("an adapter with one defect fails exactly the related cases", () => {
  test.each(defects)("$what", async ({ make, breaks }) => {
    expect((await brokenBy(make())).toSorted()).toEqual(breaks.toSorted())
  })
})

test("at least one of these adapters fails each case", () => {
  const broken = new Set(defects.flatMap(({ breaks }) => breaks))
  expect(conformance.map(({ id }) => id).filter((id) => !broken.has(id))).toEqual([])
})
