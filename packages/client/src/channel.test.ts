import { expect, test } from "vitest"
import { newsIn } from "./channel.js"

const about = (data: unknown) => ({ event: "session", data })
const known = { trigger: "getSession", session: { user: { name: "Ada" } }, asOf: 1, base: "/auth" }

test.each([
  [about({ trigger: "getSession" }), { trigger: "getSession" }],
  [about({ trigger: "signout", timestamp: 1 }), { trigger: "signout" }],
  [about(known), { trigger: "getSession", session: known.session, asOf: 1 }],
  [about({ ...known, session: null }), { trigger: "getSession", session: null, asOf: 1 }],
])("%j says %j", (message, news) => {
  expect(newsIn(message, "/auth")).toEqual(news)
})

test.each([
  [undefined],
  [null],
  ["session"],
  [[]],
  [{}],
  [{ event: "message", data: known }],
  [about(undefined)],
  [about("signout")],
  [about([])],
  [about({})],
  [about({ trigger: 7 })],
  [about({ ...known, session: "ada" })],
  [about({ ...known, session: [] })],
  [about({ ...known, session: 7 })],
  [about({ ...known, asOf: "1" })],
  [about({ ...known, asOf: undefined })],
  [about({ ...known, base: "/other" })],
  [about({ ...known, base: undefined })],
])("%j says nothing", (message) => {
  expect(newsIn(message, "/auth")).toBeUndefined()
})
