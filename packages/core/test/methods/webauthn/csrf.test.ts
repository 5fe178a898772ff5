import { expect, test } from "vitest"
import { errorAt, hasSession } from "../../flows/signin/setup.js"
import { ada, answer, issue, send, signUp, site } from "./setup.js"

const wrong = { "no token": "", "a token of another browser": "0".repeat(64) }

test.each(Object.entries(wrong))(
  "a sign-in with %s is refused, and doesn't use up the challenge",
  async (_, csrfToken) => {
    const its = await site()
    await signUp(its)
    const other = its.browser.fresh()
    const response = await answer(its.authenticator, await issue(other))
    await send(other, "authenticate", response, { fields: { csrfToken } })
    expect([errorAt(other), hasSession(other)]).toEqual(["/auth/signin MissingCSRF", false])
    await send(other, "authenticate", response)
    expect(hasSession(other)).toBe(true)
  },
)

test("a registration without a CSRF token stores nothing", async () => {
  const { browser, authenticator, store } = await site()
  const response = await answer(authenticator, await issue(browser, { action: "register", email: ada }))
  await send(browser, "register", response, { fields: { csrfToken: "" } })
  expect(errorAt(browser)).toBe("/auth/signin MissingCSRF")
  expect(store.rows()).toMatchObject({ users: [], accounts: [], authenticators: [] })
})
