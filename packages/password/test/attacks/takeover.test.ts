import { defineModule, type ModuleParts } from "@latchkey/core/module"
import type { Browser } from "@latchkey/testing"
import { describe, expect } from "vitest"
import { attackIn } from "../../../../tests/attack.js"
import { password } from "../../src/index.js"
import {
  askReset,
  better,
  choose,
  good,
  isSignedIn,
  joined,
  linkTo,
  modes,
  signIn,
  signUp,
  siteOf,
  store,
  userOf,
  type Site,
} from "../site.js"

const [ada, eve] = ["ada@users.test", "eve@users.test"]

describe.each(modes)("accounts (%s)", (mode) => {
  const attack = attackIn(mode)

  attack("PASS-10", "of 20 sign-ups for one email at the same time, all links lead to one user", async () => {
    const site = siteOf({ mode })
    const browsers = await Promise.all(Array.from({ length: 20 }, () => site.open()))
    for (const browser of browsers) await browser.get("/auth/password/sign-up")
    await Promise.all(
      browsers.map((browser, index) =>
        browser.submitForm("password/sign-up", { email: ada, password: `${good} number ${index}` }),
      ),
    )
    const links = site.sent.flatMap(({ letter }) => letter?.link?.url ?? [])
    expect(links).toHaveLength(20)
    await Promise.all(browsers.map((browser, index) => browser.get(links[index] ?? "")))
    await Promise.all(browsers.map(confirm))
    const signedIn = await Promise.all(browsers.map(isSignedIn))
    expect(signedIn.filter(Boolean)).toHaveLength(1)
    expect(await userOf(site, ada)).toMatchObject({ email: ada })
  })

  async function confirm(browser: Browser) {
    if (browser.forms.some(({ action }) => action.endsWith("callback/password")))
      await browser.submitForm("callback/password", { newPassword: better })
  }

  attack(
    "PASS-11",
    "a sign-up never gives access to an account that exists, and keeps nothing of a stranger",
    async () => {
      const site = siteOf({ mode })
      // Someone made an account with the email before its owner came: through a provider that doesn't verify it.
      await site.adapter.createUser?.({ id: "u1", name: "Not Ada", email: ada, emailVerified: null })
      await site.adapter.linkAccount?.({ userId: "u1", provider: "x", providerAccountId: "9", type: "oauth" })
      const thief = await site.open()
      await signUp(thief, ada, good)
      await thief.get("/auth/password/finish")
      expect(await isSignedIn(await signIn(site, ada, good))).toBe(false)
      const owner = await site.open()
      await choose(owner, linkTo(site, ada), better)
      expect(await isSignedIn(owner)).toBe(true)
      expect(await site.adapter.getUserByAccount?.({ provider: "x", providerAccountId: "9" })).toBeNull()
      expect(await isSignedIn(await signIn(site, ada, good))).toBe(false)
    },
  )

  describe("with a second factor", () => {
    const factor: NonNullable<ModuleParts["factor"]> = {
      amr: ["otp"],
      isRequired: () => true,
      form: () => ({ title: "Code", fields: { code: {} }, submit: "Go" }),
      verify: (_context, _attempt, { code }) => code === "1" || "No",
    }
    const module = defineModule({ id: "codes", load: async () => ({ factor }) })

    async function withFactor(): Promise<Site> {
      const adapter = store()
      await joined(siteOf({ mode, adapter }), ada)
      return siteOf({ mode, adapter, config: { modules: [module, password({ breached: false })] } })
    }

    attack("PASS-12", "a reset doesn't pass it by, and changes nothing before", async () => {
      const site = await withFactor()
      await askReset(site, ada)
      const thief = await site.open()
      await choose(thief, linkTo(site, ada), better)
      expect([await isSignedIn(thief), thief.location]).toEqual([false, "https://app.test/auth/factor"])
      const again = await site.open()
      await again.get(linkTo(site, ada))
      expect(again.text).toContain("This link doesn&#39;t work")
      const attempt = await signIn(site, ada, better)
      expect(attempt.location).toContain("error=CredentialsSignin")
      await thief.submitForm("auth/factor", { code: "1" })
      expect(await isSignedIn(thief)).toBe(true)
      expect((await signIn(site, ada, better)).location).toBe("https://app.test/auth/factor")
      expect((await signIn(site, ada, good)).location).toContain("error=CredentialsSignin")
    })
  })

  attack(
    "PASS-12",
    "a guard that refuses keeps a reset from changing the password, and a sign-up from creating a user",
    async () => {
      const adapter = store()
      await joined(siteOf({ mode, adapter }), ada)
      const guard: ModuleParts["guard"] = () => ({ kind: "deny", reason: "closed" })
      const closed = defineModule({ id: "closed", load: async () => ({ guard }) })
      const site = siteOf({ mode, adapter, config: { modules: [closed, password({ breached: false })] } })
      await askReset(site, ada)
      await choose(await site.open(), linkTo(site, ada), better)
      await askReset(site, eve)
      await choose(await site.open(), linkTo(site, eve), better)
      expect(await userOf(site, eve)).toBeNull()
      expect(await isSignedIn(await signIn(siteOf({ mode, adapter }), ada, better))).toBe(false)
      expect(await isSignedIn(await signIn(siteOf({ mode, adapter }), ada, good))).toBe(true)
    },
  )

  attack("PASS-14", "a form of another site changes nothing", async () => {
    const site = siteOf({ mode })
    const browser = await joined(site, ada)
    await browser.get("/auth/password/change")
    await browser.post("/auth/callback/password", { step: "change", password: good, newPassword: better })
    expect(await isSignedIn(await signIn(site, ada, good))).toBe(true)
  })

  attack("PASS-14", "a session alone isn't enough to change a password", async () => {
    const site = siteOf({ mode })
    const stolen = await joined(site, ada)
    await stolen.get("/auth/password/change")
    for (const password of ["", better]) {
      await stolen.submitForm("callback/password", { password, newPassword: better })
      expect(stolen.text).toContain("The current password is wrong.")
      await stolen.get("/auth/password/change")
    }
    expect(await isSignedIn(await signIn(site, ada, good))).toBe(true)
  })
})
