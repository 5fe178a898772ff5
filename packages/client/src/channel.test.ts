import { expect, test } from "vitest"
import { parseMessage } from "./channel.js"

const messageWith = (data: unknown) => ({ event: "session", data })
const known = { trigger: "getSession", session: { user: { name: "Ada" } }, asOf: 1, base: "/auth" }

test.each([
  [messageWith({ trigger: "getSession" }), { trigger: "getSession" }],
  [messageWith({ trigger: "signout", timestamp: 1 }), { trigger: "signout" }],
  [messageWith(known), { trigger: "getSession", session: known.session, asOf: 1 }],
  [messageWith({ ...known, session: null }), { trigger: "getSession", session: null, asOf: 1 }],
])("%j is parsed as %j", (message, expected) => {
  expect(parseMessage(message, "/auth")).toEqual(expected)
})

test.each([
  [undefined],
  [null],
  ["session"],
  [[]],
  [{}],
  [{ event: "message", data: known }],
  [messageWith(undefined)],
  [messageWith("signout")],
  [messageWith([])],
  [messageWith({})],
  [messageWith({ trigger: 7 })],
  [messageWith({ ...known, session: "ada" })],
  [messageWith({ ...known, session: [] })],
  [messageWith({ ...known, session: 7 })],
  [messageWith({ ...known, asOf: "1" })],
  [messageWith({ ...known, asOf: undefined })],
  [messageWith({ ...known, base: "/other" })],
  [messageWith({ ...known, base: undefined })],
])("%j is ignored", (message) => {
  expect(parseMessage(message, "/auth")).toBeUndefined()
})
