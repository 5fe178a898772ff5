import credentials from "@latchkey/core/providers/credentials"
import type { AuthConfig } from "@latchkey/core/types"
import { captureLog, createProvider, visit } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { strict } from "./setup.js"

async function site() {
  const op = createProvider()
  const log = captureLog()
  const browser = await visit({ providers: [op.provider()], logger: log.logger })
  const csrfToken = (await browser.csrf()) ?? ""
  const post = (path: string, fields: Record<string, string> = {}) => browser.post(path, { csrfToken, ...fields })
  const remembered = () => browser.cookies.find(({ name }) => name.includes("callback-url"))?.value
  /** Whether the response sets or clears the cookie. */
  const touched = () => browser.response.headers.getSetCookie().some((line) => line.includes("callback-url"))
  return { op, log, browser, post, remembered, touched }
}

const app = "https://app.test"

test("a sign-in without a provider redirects to the sign-in page and keeps the callback URL", async () => {
  const { browser, post, remembered } = await site()
  await post("/auth/signin", { callbackUrl: "/inbox" })
  expect(new URL(browser.location).pathname).toBe("/auth/signin")
  expect(remembered()).toContain(encodeURIComponent(`${app}/inbox`))
})

test.each(["signin", "callback"])("%s with an unknown provider is refused", async (route) => {
  const { browser, post } = await site()
  await post(`/auth/${route}/nope`)
  expect(browser.response.status).toBeGreaterThanOrEqual(400)
  expect(browser.response.status).toBeLessThan(500)
})

test("the callback URL is taken from the form, then from the query, and none is set without one", async () => {
  const { post, remembered, touched } = await site()
  await post("/auth/signin/op")
  expect(touched()).toBe(false)
  await post("/auth/signin/op?callbackUrl=/query")
  expect(remembered()).toContain(encodeURIComponent(`${app}/query`))
  await post("/auth/signin/op?callbackUrl=/query", { callbackUrl: "/form" })
  expect(remembered()).toContain(encodeURIComponent(`${app}/form`))
})

test("a known callback URL isn't set again", async () => {
  const { post, touched } = await site()
  await post("/auth/signin/op", { callbackUrl: "/inbox" })
  expect(touched()).toBe(true)
  await post("/auth/signin/op", { callbackUrl: "/inbox" })
  expect(touched()).toBe(false)
})

test.each([
  [3800, true],
  [3801, false],
])("an address that takes %s characters in the cookie is remembered: %s", async (length, kept) => {
  const { browser, post, touched } = await site()
  // A slash takes three characters in a cookie. Without slashes, the URL itself would be too long.
  const free = length - encodeURIComponent(`${app}/a`).length
  const path = `/a${"/".repeat(Math.floor(free / 3))}${"a".repeat(free % 3)}`
  await post("/auth/signin/op", { callbackUrl: path })
  expect(browser.location).toContain("https://op.test/")
  expect(touched()).toBe(kept)
})

describe("at the end of the flow", () => {
  async function signingIn(config: Partial<AuthConfig> = {}) {
    const provider = credentials({ credentials: { name: {} }, authorize: () => ({ id: "u1", name: "Ada" }) })
    const browser = await visit({ providers: [provider], ...config })
    const csrfToken = (await browser.csrf()) ?? ""
    /** The response itself, without following its redirect. */
    const finish = async () => {
      await browser.post("/auth/callback/credentials", { csrfToken, name: "ada" })
      const [answer] = browser.trail
      if (answer === undefined) throw new Error("There was no answer")
      return answer
    }
    return { browser, csrfToken, finish }
  }

  const forgotten = (answer: Response) =>
    answer.headers.getSetCookie().filter((line) => line.includes("callback-url") && line.includes("Max-Age=0"))

  test("the callback URL cookie is used and stays; under strict it's cleared", async () => {
    for (const [config, cleared] of [
      [{}, 0],
      [strict, 1],
    ] as const) {
      const { browser, csrfToken, finish } = await signingIn(config)
      await browser.post("/auth/signin", { csrfToken, callbackUrl: "/inbox" })
      const answer = await finish()
      expect(answer.headers.get("location")).toBe(`${app}/inbox`)
      expect(forgotten(answer)).toHaveLength(cleared)
    }
  })

  test("no cookie is cleared if there's none", async () => {
    const answer = await (await signingIn()).finish()
    expect(answer.headers.get("location")).toBe(app)
    expect(forgotten(answer)).toEqual([])
  })
})
