import { expect, test } from "vitest"
import { counting } from "../../../tests/counter.js"
import { cookieOf, twoSessions } from "../../../tests/two-sessions.js"
import type { ConfigQrl, RequestEventCommon } from "../src/model.js"
import { getSession, modules } from "../src/server.js"

test("a loader calls a function of a module that the configuration function returns", async () => {
  const config = counting()
  // Outside of a build, a QRL is the function itself.
  const configQrl = (async () => config) as unknown as ConfigQrl
  const url = new URL("https://app.test/")
  const ev = { env: { get: () => undefined }, url, request: new Request(url) } as unknown as RequestEventCommon
  expect(await modules(configQrl, ev)).toEqual({ counter: { add: expect.any(Function) } })
  const { counter } = (await modules(configQrl, ev)) as { counter: { add(name: string): Promise<number> } }
  expect(await counter.add("visits")).toBe(1)
})

test("the session can be read with the event, except while Qwik generates a page", async () => {
  const config = await twoSessions()
  const configQrl = (async () => config) as unknown as ConfigQrl
  const url = new URL("https://app.test/")
  const eventOf = (cookie: string, platform: object = {}) => {
    const request = new Request(url, { headers: { cookie } })
    const event = { env: { get: () => undefined }, url, method: "GET", request, clientConn: {}, platform }
    return event as unknown as RequestEventCommon
  }
  const cookie = cookieOf(url.origin)
  expect(await getSession(configQrl, eventOf(cookie))).toMatchObject({ user: { email: "ada@app.test" } })
  expect(await getSession(configQrl, eventOf(""))).toBeNull()
  expect(await getSession(configQrl, eventOf(cookie, { static: true }))).toBeNull()
})
