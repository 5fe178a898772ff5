import fc from "fast-check"
import { defineModule, type Module } from "@latchkey/core/module"
import { describe, expect, test, vi } from "vitest"
import { attack, type Mode } from "../../../../tests/attack.js"
import { enrolled, isHeld, type Method, methods, passkeyOf, setsSession, signedIn, type Site, siteOf } from "../site.js"

interface Held {
  readonly site: Site
  readonly browser: Awaited<ReturnType<Site["browse"]>>
  readonly signIn: (method: Method) => Promise<void>
}

/** What a thief of the first factor may try. */
const tries: Readonly<Record<string, (held: Held) => Promise<unknown>>> = {
  read: async ({ browser }) => browser.get("/auth/session"),
  update: async ({ browser }) => post(browser, "/auth/session", { data: "{}" }),
  account: async ({ browser }) => browser.get("/auth/account"),
  page: async ({ browser }) => browser.get("/auth/factor"),
  back: async ({ browser }) => browser.get("/auth/signin?callbackUrl=%2Finbox"),
  "answer wrongly": async ({ browser }) => post(browser, "/auth/factor", { code: "000000" }),
  "answer nothing": async ({ browser }) => post(browser, "/auth/factor", {}),
  "ask for a code": async ({ browser }) => post(browser, "/auth/factor", { action: "email" }),
  "trust the device": async ({ browser }) => post(browser, "/auth/factor", { trust: "yes" }),
  enroll: async ({ browser }) => post(browser, "/auth/mfa/enroll", { method: "app" }),
  confirm: async ({ browser }) => post(browser, "/auth/mfa/confirm", { code: "000000" }),
  verify: async ({ browser }) => post(browser, "/auth/mfa/verify", { code: "000000", to: "/inbox" }),
  remove: async ({ browser }) => post(browser, "/auth/mfa/remove", { method: "app" }),
  "sign out": async ({ browser }) => post(browser, "/auth/signout", {}),
  "open the link again": async ({ site, browser }) => browser.get(site.links.at(-1)?.url ?? "/"),
  ...Object.fromEntries(
    methods.map((method) => [
      `sign in with ${method}`,
      async ({ signIn }: Held) => signIn(method).catch(() => undefined),
    ]),
  ),
}

async function post(browser: Held["browser"], path: string, fields: Readonly<Record<string, string>>) {
  return browser.post(path, { csrfToken: (await browser.csrf()) ?? "", ...fields })
}

/** A user with every way to sign in, and an authenticator app. */
async function siteWith(security: Mode, strategy: "jwt" | "database", modules: readonly Module[]) {
  const site = await siteOf({}, { security, session: { strategy }, modules })
  const person = await enrolled(site)
  // A passkey that doesn't verify its user, because the others need no factor.
  const device = await passkeyOf(await signedIn(site, person), { userVerification: false })
  const browser = await site.browse()
  const signIn = async (method: Method): Promise<void> => {
    if (method === "oidc") return void (await browser.signInWith(site.op, { as: "ada" }))
    if (method === "credentials") return void (await browser.signIn("credentials", { name: "ada" }))
    if (method === "passkey") return void (await browser.signInWithPasskey(device))
    await browser.signIn("email", { email: "ada@users.test" })
    if (method === "link") return void (await browser.get(site.links.at(-1)?.url ?? ""))
    await browser.submitForm("callback/email", { code: site.links.at(-1)?.code ?? "" })
  }
  return { site, person, browser, signIn }
}

const scenario = fc.record({
  strategy: fc.constantFrom("jwt" as const, "database" as const),
  first: fc.constantFrom(...methods),
  next: fc.array(fc.constantFrom(...Object.keys(tries)), { maxLength: 8 }),
})

/** In each mode. */
const runs = Number(process.env["FUZZ_RUNS"] ?? 2000) / 100
const seed = Number(process.env["FUZZ_SEED"] ?? 20261)

async function check(security: Mode, modules: readonly Module[] = []): Promise<void> {
  const property = fc.asyncProperty(scenario, async ({ strategy, first, next }) => {
    const held = await siteWith(security, strategy, modules)
    await held.signIn(first)
    expect(isHeld(held.browser), first).toBe(true)
    expect(setsSession(held.browser)).toBe(false)
    for (const name of next) {
      await tries[name]?.(held)
      expect(setsSession(held.browser), name).toBe(false)
    }
    expect(await held.browser.session()).toBeNull()
    expect(await held.site.server.methods(held.person.id)).toEqual(["app"])
  })
  await fc.assert(property, { numRuns: runs, seed })
}

vi.setConfig({ testTimeout: 600_000 })

describe("no response before the second factor sets a session cookie", () => {
  attack("MFA-01", "whatever the method, and whatever is tried", check)

  test("and the test notices a hole: a module that signs a visitor in who asks for it", {
    timeout: 600_000,
  }, async () => {
    const hole = defineModule({
      id: "hole",
      identify: ({ headers }) =>
        headers.get("cookie")?.includes("pending-sign-in") === true
          ? { user: { email: "ada@users.test" }, expires: "2100-01-01T00:00:00.000Z" }
          : null,
    })
    await expect(check("strict", [hole])).rejects.toThrow("Property failed")
  })
})
