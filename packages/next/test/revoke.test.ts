import NextAuth from "@latchkey/next"
import { expect, test } from "vitest"
import { twoSessions } from "../../../tests/two-sessions.js"

test("the server ends every session of a user without a request", async () => {
  const options = await twoSessions()
  await NextAuth(options).revoke("1", "stolen laptop")
  expect(options.adapter.rows().sessions).toEqual([])
})

test("a configuration function gets no request", async () => {
  const options = await twoSessions()
  const seen: unknown[] = []
  const { revoke } = NextAuth((request) => {
    seen.push(request)
    return options
  })
  await revoke("1")
  expect(seen).toEqual([undefined])
  expect(options.adapter.rows().sessions).toEqual([])
})
