import { expect, test } from "vitest"
import { ask, modes, siteOf } from "./site.js"

/** What a visitor types, the calling code of the configuration, and the number that gets the code. `null`: it's refused. */
const typed: readonly (readonly [string, string | undefined, string | null])[] = [
  ["+44 07700 900123", undefined, "+447700900123"],
  ["+44 (0)7700 900123", undefined, "+447700900123"],
  ["0044 07700 900123", undefined, "+447700900123"],
  ["+49 0151 23456789", undefined, "+4915123456789"],
  ["+33 06 12 34 56 78", undefined, "+33612345678"],
  ["+44 007700 900123", undefined, null],
  ["+39 06 698 12345", undefined, "+390669812345"],
  ["+39 (0)6 698 12345", undefined, "+390669812345"],
  ["0039 (0)6 698 12345", undefined, "+390669812345"],
  ["+225 07 01 02 03 04", undefined, "+2250701020304"],
  ["+1 1 555 555 0100", undefined, null],
  ["+1 555 555 0100", undefined, "+15555550100"],
  ["07700 900123", "+44", "+447700900123"],
  ["7700 900123", "+44", "+447700900123"],
  ["0044 7700 900123", "+44", "+447700900123"],
  ["007700900123", "+44", null],
  ["447700900123", "+44", null],
  ["+33 6 12 34 56 78", "+44", "+33612345678"],
  ["06 698 12345", "+39", "+390669812345"],
  ["391 234 5678", "+39", "+393912345678"],
  ["39 391 234 5678", "+39", null],
  ["45 12 34 56", "+45", "+4545123456"],
  ["45 20 12 34 56", "+45", null],
  ["91234 56789", "+91", "+919123456789"],
  ["1 555 555 0100", "+1", "+15555550100"],
  ["555 555 0100", "+1", "+15555550100"],
  ["07 01 02 03 04", "+225", null],
]

test.each(modes)("a number has one spelling, and what could be several numbers is refused (%s)", async (mode) => {
  const found: unknown[] = []
  for (const [number, country] of typed) {
    const site = siteOf({ mode, country })
    await ask(await site.open(), number)
    found.push([number, country, site.messages[0]?.to ?? null])
  }
  expect(found).toEqual(typed)
})
