import * as authjs from "@auth/core"
import { isDate as isDateOfAuthjs } from "@auth/core/adapters"
import * as latchkey from "@latchkey/core"
import { isDate as isDateHere } from "@latchkey/core/adapters"
import fc from "fast-check"
import { createSubject, outcomeOf, type Subject } from "./subject.js"

const instant = fc
  .record({
    before: fc.constantFrom("", "", "", " ", "x"),
    date: fc.constantFrom("2026-01-01", "2026-13-01", "2026-02-30", "2026-1-1", "20260101", "+012026-01-01"),
    separator: fc.constantFrom("T", "T", "T", " ", ""),
    time: fc.constantFrom("00:00", "23:59:59", "23:59:59.1", "12:00:00.123456", "24:00:00", "29:00", ""),
    zone: fc.constantFrom("Z", "Z", "+01:00", "-0100", "+25:00", "", "z"),
    after: fc.constantFrom("", "", "", " ", " (x)", "x"),
  })
  .map(({ before, date, separator, time, zone, after }) => before + date + separator + time + zone + after)

export const isDate: Subject = createSubject<unknown>({
  name: "isDate",
  args: fc.oneof(instant, instant, fc.anything()),
  theirs: (value) => outcomeOf(() => isDateOfAuthjs(value)),
  ours: (value) => outcomeOf(() => isDateHere(value)),
  rows: {},
})

const names = [
  "providers",
  "session",
  "csrf",
  "signin",
  "signout",
  "callback",
  "verify-request",
  "error",
  "webauthn-options",
]

export const isAuthAction: Subject = createSubject<string>({
  name: "isAuthAction",
  args: fc.oneof(
    fc.constantFrom(...names, "account", "constructor", "__proto__", "Signin", "/signin", ""),
    fc.string(),
  ),
  theirs: (text) => outcomeOf(() => authjs.isAuthAction(text)),
  ours: (text) => outcomeOf(() => latchkey.isAuthAction(text)),
  rows: { "account-route": (_, text) => text === "account" },
})
