import type { AuthConfig } from "@latchkey/core/types"
import { expect } from "vitest"
import { attack, type Mode } from "../../../../tests/attack.js"
import { appOf, cookieNames, mailer, redeployed, sessionCookie, strongSecret, whoIs, world } from "../modes/setup.js"
import { adaAt } from "./session-setup.js"

const newer = "Zq3Xw8eV1tY6uR0iP5oL2kJ7hG4fD9sA-mN_bC3vX1z"
const both = [newer, strongSecret] as const

/** An application with both providers, whose secret is rotated. */
function site(security: Mode, rest: Partial<AuthConfig> = {}) {
  const its = world()
  const mail = mailer()
  const given = {
    security,
    session: { strategy: "jwt" },
    providers: [its.op.provider(), mail.provider],
    ...rest,
  } as const
  return { its, mail, given }
}

attack("JWT-06", "a session of the old secret is read, and re-encrypted with the new one at once", async (mode) => {
  const { its, given } = site(mode)
  const { browser } = await adaAt(mode, given, its)
  const former = sessionCookie(browser)
  const during = await redeployed(browser, its, { ...given, secret: both })
  expect(await whoIs(during)).toBe("ada@example.test")
  expect(sessionCookie(during)).not.toBe(former)
  const after = await redeployed(during, its, { ...given, secret: newer })
  expect(await whoIs(after)).toBe("ada@example.test")
})

attack("JWT-06", "a CSRF token of the old secret is accepted, and new ones use the new secret", async (mode) => {
  const { its, given } = site(mode)
  const before = await appOf(its, given)
  const csrfToken = (await before.csrf()) ?? ""
  const during = await redeployed(before, its, { ...given, secret: both })
  await during.post("/auth/signin/op", { csrfToken })
  expect(new URL(during.location).origin).toBe("https://op.test")
  const fresh = await appOf(its, { ...given, secret: both })
  const made = (await fresh.csrf()) ?? ""
  const after = await redeployed(fresh, its, { ...given, secret: newer })
  await after.post("/auth/signin/op", { csrfToken: made })
  expect(new URL(after.location).origin).toBe("https://op.test")
})

attack("JWT-06", "a sign-in of the old secret can be finished, and new ones use the new secret", async (mode) => {
  for (const [from, to] of [
    [strongSecret, both],
    [both, newer],
  ] as const) {
    const { its, given } = site(mode)
    const before = await appOf(its, { ...given, secret: from })
    await before.signIn("op")
    const answer = await its.op.authorize(before.location, { as: "ada" })
    const after = await redeployed(before, its, { ...given, secret: to })
    await after.follow(answer, its.op.issuer)
    expect(await whoIs(after)).toBe("ada@example.test")
  }
})

attack("JWT-06", "a link of the old secret works once, and new ones use the new secret", async (mode) => {
  for (const [from, to] of [
    [strongSecret, both],
    [both, newer],
  ] as const) {
    const { its, given, mail } = site(mode)
    const before = await appOf(its, { ...given, secret: from })
    await before.signIn("mail", { email: "ada@example.test" })
    const after = await redeployed(before, its, { ...given, secret: to })
    await after.get(mail.links[0] ?? "")
    expect(await whoIs(after)).toBe("ada@example.test")
    const again = after.fresh()
    await again.get(mail.links[0] ?? "")
    expect(again.forms).toEqual([])
    expect(await again.session()).toBeNull()
  }
})

attack("JWT-06", "without the old secret its sessions, sign-ins and links end cleanly", async (mode) => {
  const { its, given, mail } = site(mode)
  const { browser } = await adaAt(mode, given, its)
  await browser.signIn("mail", { email: "grace@example.test" })
  await browser.signIn("op")
  const answer = await its.op.authorize(browser.location, { as: "grace" })
  const after = await redeployed(browser, its, { ...given, secret: newer })
  expect(await after.session()).toBeNull()
  expect(cookieNames(after)).toEqual([])
  await after.follow(answer, its.op.issuer)
  expect(after.location).toBe("https://app.test/auth/error?error=Configuration&code=InvalidCheck")
  await after.get(mail.links[0] ?? "")
  expect(after.location).toBe("https://app.test/auth/error?error=Verification")
  await after.signInWith(its.op, { as: "ada" })
  expect(await whoIs(after)).toBe("ada@example.test")
})

attack("JWT-06", "a rotated secret extends no session", async (mode) => {
  const { its, given } = site(mode, { session: { strategy: "jwt", absoluteMaxAge: 3600 } })
  const { browser } = await adaAt(mode, given, its)
  its.clock.advance({ minutes: 59 })
  const during = await redeployed(browser, its, { ...given, secret: both })
  expect(await whoIs(during)).toBe("ada@example.test")
  its.clock.advance({ minutes: 1 })
  expect(await during.session()).toBeNull()
})
