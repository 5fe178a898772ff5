import { defineModule } from "@latchkey/core/module"
import { expect, test } from "vitest"
import { enrolled, held, isHeld, newUser, signedIn, signInByLink, siteOf, submit } from "./site.js"

const threeDays = { hours: 72 }
const admin = new Request("https://app.test/admin", { headers: { host: "app.test" } })

test("a reset removes the factor after three days, and emails say so before and after", async () => {
  const site = await siteOf()
  const { id } = await enrolled(site)
  const reset = await site.server.startReset({ id, email: "ada@users.test" }, admin)
  expect(reset?.readyAt.getTime()).toBe(site.clock.now() + 72 * 3_600_000)
  expect(site.letters.at(-1)).toMatchObject({ to: "ada@users.test", text: expect.stringContaining("will be removed") })
  site.clock.advance({ hours: 72, seconds: -1 })
  expect(isHeld(await held(site))).toBe(true)
  site.clock.advance({ seconds: 1 })
  const browser = await held(site)
  expect(await browser.session()).not.toBeNull()
  expect(await site.server.isEnrolled(id)).toBe(false)
  expect(site.letters.at(-1)?.text).toContain("was removed from your account")
  expect(site.events.map(({ name }) => name)).toEqual(expect.arrayContaining(["mfa.reset-started", "mfa.reset-done"]))
})

test("nothing is removed without the first factor", async () => {
  const site = await siteOf()
  const { id } = await enrolled(site)
  await site.server.startReset({ id })
  site.clock.advance(threeDays)
  expect(await site.server.isEnrolled(id)).toBe(true)
})

test("a mailbox alone never removes the factor", async () => {
  const site = await siteOf()
  const { id } = await enrolled(site)
  const browser = await site.browse()
  await signInByLink(site, browser, "ada")
  site.clock.advance(threeDays)
  await signInByLink(site, browser, "ada")
  expect(isHeld(browser)).toBe(true)
  expect(await site.server.isEnrolled(id)).toBe(true)
})

test("a second call doesn't make it sooner or later", async () => {
  const site = await siteOf()
  const { id } = await enrolled(site)
  const first = await site.server.startReset({ id })
  site.clock.advance({ hours: 10 })
  expect(await site.server.startReset({ id })).toEqual(first)
})

test("the user cancels it on the account page", async () => {
  const site = await siteOf()
  const person = await enrolled(site)
  await site.server.startReset({ id: person.id })
  await person.browser.get("/auth/account")
  expect(person.browser.text).toContain("Your second step will be removed on")
  await submit(person.browser, "cancel-reset")
  expect(site.letters.at(-1)?.text).toContain("was canceled")
  site.clock.advance(threeDays)
  expect(isHeld(await held(site))).toBe(true)
})

test("a sign-in with the factor cancels it", async () => {
  const site = await siteOf()
  const person = await enrolled(site)
  await site.server.startReset({ id: person.id })
  await signedIn(site, person)
  site.clock.advance(threeDays)
  expect(isHeld(await held(site))).toBe(true)
  expect(site.events.map(({ name }) => name)).toContain("mfa.reset-canceled")
})

test("the application cancels it", async () => {
  const site = await siteOf()
  const { id } = await enrolled(site)
  await site.server.startReset({ id })
  await site.server.cancelReset(id)
  await site.server.cancelReset(id)
  site.clock.advance(threeDays)
  expect(isHeld(await held(site))).toBe(true)
})

test("the delay is an option, and a user who has to have a factor sets a new one up", async () => {
  const site = await siteOf({ resetDelay: 60, require: () => true })
  const before = await site.another({})
  const { id } = await enrolled(before)
  await site.server.startReset({ id })
  site.clock.advance({ seconds: 60 })
  const browser = await held(site)
  expect(isHeld(browser)).toBe(true)
  expect(browser.text).toContain("Set up an authenticator app to sign in")
})

test("a reset outlives `revoke`, and what it said is part of the export", async () => {
  const site = await siteOf()
  const { id } = await enrolled(site)
  const readyAt = (await site.server.startReset({ id }))?.readyAt
  const { createServer } = await import("@latchkey/core/server")
  const server = createServer(site.config)
  await server.revoke(id)
  expect((await server.export(id)).modules).toMatchObject({
    mfa: { methods: ["app"], resetAt: readyAt?.toISOString() },
  })
})

test("of a user without a factor, there is nothing to reset, also not what they set up later", async () => {
  const site = await siteOf()
  await newUser(site)
  expect(await site.server.startReset({ id: site.idOf("ada") })).toBeNull()
})

test("ends with a method that the user adds", async () => {
  const site = await siteOf()
  const person = await enrolled(site)
  const browser = await signedIn(site, person)
  await site.server.startReset({ id: person.id })
  await submit(browser, "enroll", { method: "email" })
  await browser.submitForm("mfa/confirm", { code: site.letters.findLast(({ code }) => code !== undefined)?.code ?? "" })
  site.clock.advance(threeDays)
  expect(isHeld(await held(site))).toBe(true)
  expect(await site.server.isEnrolled(person.id)).toBe(true)
})

test("takes effect too if a guard demands the factor: the user sets a new one up", async () => {
  const guard = defineModule({
    id: "demanding",
    load: async () => ({
      guard: (_, { isNewUser }) => (isNewUser ? { kind: "allow" } : { kind: "require", factor: "mfa" }),
    }),
  })
  const site = await siteOf({}, { modules: [guard] })
  const { id } = await enrolled(site)
  await site.server.startReset({ id })
  site.clock.advance(threeDays)
  expect((await held(site)).text).toContain("Set up an authenticator app to sign in")
})
