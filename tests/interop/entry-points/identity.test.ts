import type { AuthConfig } from "@latchkey/core/types"
import { describe, expect, test } from "vitest"
import { doors } from "./doors.js"
import { emailAt, opener } from "./site.js"

const modes = ["compatible", "strict"] as const
const strategies = ["jwt", "database"] as const
const cases = modes.flatMap((mode) => strategies.map((strategy) => [mode, strategy] as const))

const grace = "grace@example.test"

/** Callbacks that take over all data of an update. */
const careless: NonNullable<AuthConfig["callbacks"]> = {
  jwt: ({ token, session }) => ({ ...token, ...session, ...session?.user }),
  session: ({ session, token, user, newSession }) => {
    const shown = { ...session.user, id: user?.id ?? token?.sub, ...newSession?.user }
    return Object.assign({}, session, { user: shown })
  },
}

describe.each(Object.keys(doors))("through %s", (name) => {
  const door = doors[name]
  if (door === undefined) throw new Error("There is no such entry point")

  test.each(cases)("an update of a browser makes no user another one: %s, %s", async (mode, strategy) => {
    const { browser, adapter, op, other } = await opener(
      door,
      mode,
    )({
      config: { session: { strategy }, callbacks: careless },
    })
    await browser.fresh().signInWith(op, { as: "grace" })
    await browser.signInWith(op, { as: "ada" })
    const [graceId = "", adaId = ""] = adapter.rows().users.map(({ id }) => id)
    const stolen = { sub: graceId, id: graceId, userId: graceId, email: grace, exp: 9_999_999_999, sid: "sid" }
    const data = { ...stolen, theme: "dark", user: { ...stolen, name: "Eve" } }
    const body = JSON.stringify({ csrfToken: (await browser.csrf()) ?? "", data })
    const headers = { "content-type": "application/json" }
    const updated = await browser.fetch("/auth/session", { method: "POST", body, headers })
    expect(await updated.json()).toMatchObject({ user: { id: adaId, name: "Eve", email: "ada@example.test" } })
    expect(await browser.session()).toMatchObject({ user: { id: adaId, email: "ada@example.test" } })
    await browser.signInWith(other, { as: "linus", fields: { link: "true" } })
    const linked = adapter.rows().accounts.filter(({ userId }) => userId === graceId)
    expect(linked.map(({ provider }) => provider)).toEqual(["op"])
  })

  test.each(cases)("`linking: explicit` links with `link`, soon after the sign-in: %s, %s", async (mode, strategy) => {
    const { browser, adapter, clock, op, other } = await opener(
      door,
      mode,
    )({
      config: { session: { strategy }, security: { mode, linking: "explicit" } },
    })
    const providersOfAda = () => {
      const [ada] = adapter.rows().users
      return adapter.rows().accounts.flatMap(({ userId, provider }) => (userId === ada?.id ? [provider] : []))
    }
    await browser.signInWith(op, { as: "ada" })
    clock.advance({ minutes: 16 })
    await browser.signInWith(other, { as: "grace", fields: { link: "true" } })
    expect(browser.location).toContain("error=AccessDenied")
    expect(providersOfAda()).toEqual(["op"])
    await browser.signInWith(op, { as: "ada" })
    clock.advance({ minutes: 14 })
    await browser.signInWith(other, { as: "grace", fields: { link: "true" } })
    expect(providersOfAda()).toEqual(["op", "other"])
    expect(await emailAt(browser)).toBe("ada@example.test")
    await browser.signInWith(other, { as: "linus" })
    expect(adapter.rows().users).toHaveLength(2)
  })
})
