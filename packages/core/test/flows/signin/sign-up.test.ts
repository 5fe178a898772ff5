import type { Adapter } from "@latchkey/core/adapters"
import { AuthError } from "@latchkey/core/errors"
import { defineModule } from "@latchkey/core/module"
import type { AuthConfig } from "@latchkey/core/types"
import { createAuthenticator } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import type { Mode } from "../../../../../tests/attack.js"
import { ada, passkeySite, type PasskeySite, signUpAllowed } from "../../attacks/webauthn-setup.js"
import { errorAt, hasSession, signInByMail, withoutTransactions } from "./setup.js"

type SignUp = NonNullable<NonNullable<AuthConfig["callbacks"]>["signUp"]>
type Params = Parameters<SignUp>[0]

const modes = ["compatible", "strict"] as const

/** New users come in every way that creates one. */
const ways: Readonly<Record<string, (its: PasskeySite) => Promise<void>>> = {
  provider: (its) => its.browser.signInWith(its.op, { as: "ada" }).then(() => undefined),
  "email link": (its) => signInByMail(its.browser, its.mail, ada),
  passkey: async ({ browser, provider }) => {
    await browser.registerPasskey(createAuthenticator(), { provider: provider.id, fields: { email: ada } })
  },
}

function siteWith(
  mode: Mode,
  signUp: SignUp | undefined,
  more: { adapter?: typeof withoutTransactions; rest?: Partial<AuthConfig> } = {},
) {
  const callbacks = signUp === undefined ? {} : { callbacks: { signUp } }
  const { adapter, rest } = more
  return passkeySite(mode, { security: signUpAllowed, rest: { ...rest, ...callbacks }, ...(adapter && { adapter }) })
}

describe.each(modes)("the signUp callback (%s)", (mode) => {
  for (const [way, come] of Object.entries(ways)) {
    describe.each(["with transactions", "without"] as const)(`for a new user by ${way}, %s`, (kind) => {
      const adapter = kind === "without" ? { adapter: withoutTransactions } : {}

      test("runs once, and adds data to the user", async () => {
        const asked: Params[] = []
        const its = await siteWith(mode, (params) => (asked.push(params), { name: "Countess" }), adapter)
        await come(its)
        expect(hasSession(its.browser)).toBe(true)
        expect(asked).toHaveLength(1)
        expect(asked[0]?.user.email).toContain("@")
        expect(asked[0]?.account?.provider).toBeTypeOf("string")
        expect(asked[0]?.request).toBeInstanceOf(Request)
        expect(its.store.rows().users).toMatchObject([{ name: "Countess", email: asked[0]?.user.email }])
      })

      test("refuses before anything is stored", async () => {
        for (const refuse of [
          () => false,
          () => undefined as never,
          () => Promise.reject(new Error("The list is closed")),
        ]) {
          const its = await siteWith(mode, refuse, adapter)
          await come(its)
          expect([errorAt(its.browser), hasSession(its.browser)]).toEqual(["/auth/error AccessDenied", false])
          expect(its.browser.text).not.toContain("The list is closed")
          const { users, accounts } = its.store.rows()
          expect([users, accounts]).toEqual([[], []])
        }
      })
    })

    test(`isn't asked for a user who exists, by ${way}`, async () => {
      let isOpen = true
      const its = await siteWith(mode, () => isOpen)
      const authenticator = createAuthenticator()
      if (way === "passkey")
        await its.browser.registerPasskey(authenticator, { provider: its.provider.id, fields: { email: ada } })
      else await come(its)
      await its.browser.signOut()
      isOpen = false
      if (way === "passkey") await its.browser.signInWithPasskey(authenticator, { provider: its.provider.id })
      else await come(its)
      expect(hasSession(its.browser)).toBe(true)
    })
  }

  test("can't choose the id or the email, or a prototype", async () => {
    const typed = JSON.parse(
      '{"id":"1","email":"admin@example.test","emailVerified":"2020-01-01","name":"Eve","__proto__":{"role":"admin"}}',
    ) as object
    let created: object | undefined
    const adapter = (store: PasskeySite["store"]): Adapter => ({
      ...withoutTransactions(store),
      createUser: async (user) => store.createUser((created = user)),
    })
    const its = await siteWith(mode, () => typed, { adapter })
    await signInByMail(its.browser, its.mail, ada)
    expect(its.store.rows().users).toMatchObject([{ email: ada, name: "Eve", emailVerified: expect.any(Date) }])
    expect(created).not.toHaveProperty("role")
    expect(Object.keys(created ?? {}).toSorted()).toEqual(["email", "emailVerified", "id", "name"])
    expect(its.store.rows().users[0]?.id).not.toBe("1")
  })

  test("an error that it throws is the answer", async () => {
    class Full extends AuthError {
      static override type = "Full"
    }
    const its = await siteWith(mode, () => {
      throw new Full("No room is left")
    })
    await signInByMail(its.browser, its.mail, ada)
    expect(hasSession(its.browser)).toBe(false)
    expect(its.log.entries.map(({ text }) => text).join("\n")).toContain("No room is left")
  })

  test("is asked after the guards of modules, and after the signIn callback", async () => {
    const order: string[] = []
    const guard = defineModule({
      id: "guards",
      load: async () => ({ guard: () => (order.push("guard"), { kind: "allow" }) }),
    })
    const its = await siteWith(mode, undefined, {
      rest: {
        modules: [guard],
        callbacks: { signIn: () => order.push("signIn") > 0, signUp: () => order.push("signUp") > 0 },
      },
    })
    await its.browser.signInWith(its.op, { as: "ada" })
    expect(order).toEqual(["signIn", "guard", "signUp"])
  })
})

/** A module with a guard resolves users before it's asked. */
const moduled = {
  modules: [defineModule({ id: "guards", load: async () => ({ guard: () => ({ kind: "allow" }) as const }) })],
}
const closed = {
  modules: [
    defineModule({
      id: "closed",
      load: async () => ({
        guard: (_, { isNewUser }) => (isNewUser ? { kind: "deny", reason: "closed" } : { kind: "allow" }),
      }),
    }),
  ],
}

describe.each(modes)("a site that no visitor can join (%s)", (mode) => {
  const cases: readonly (readonly [string, SignUp | undefined, Partial<AuthConfig>])[] = [
    ["signUp", () => false, {}],
    ["signUp, beside a module", () => false, moduled],
    ["a guard", undefined, closed],
  ]
  test.each(cases)("doesn't tell who has an account: %s", async (_, signUp, rest) => {
    const seen: unknown[] = []
    for (const isKnown of [true, false]) {
      // A passkey with the email of another user is refused before guards are asked.
      for (const way of signUp === undefined ? ["provider"] : ["provider", "passkey"]) {
        const its = await siteWith(mode, signUp, { rest })
        its.op.people["ada"] = { email: ada, email_verified: false }
        if (isKnown) await its.store.createUser({ id: "owner", email: ada, emailVerified: new Date(0) })
        await ways[way]?.(its)
        const { status, headers } = its.browser.response
        seen.push([way, status, [...headers.keys()], its.browser.location, hasSession(its.browser)])
      }
    }
    expect(seen.slice(0, seen.length / 2)).toEqual(seen.slice(seen.length / 2))
    expect(seen[0]).toEqual([
      "provider",
      403,
      expect.any(Array),
      "https://app.test/auth/error?error=AccessDenied",
      false,
    ])
  })
})
