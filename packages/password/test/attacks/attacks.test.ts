import { defineModule, type ModuleParts } from "@latchkey/core/module"
import type { Browser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
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
  type Site,
  store,
  userOf,
} from "../site.js"

const [ada, eve] = ["ada@users.test", "eve@users.test"]

describe.each(modes)("attacks (%s)", (mode) => {
  /** Names of the calls of the database, and how many emails were sent. */
  function counting() {
    const calls: string[] = []
    const adapter = store()
    const watched = <T extends object>(target: T, prefix: string): T =>
      Object.fromEntries(
        Object.entries(target).map(([name, value]) => [
          name,
          typeof value === "function"
            ? (...args: unknown[]) => {
                // A link replaces the one before, or is the first. Both are one write.
                calls.push(prefix + name.replace(/^(?:insert|swap)$/, "write"))
                return Reflect.apply<object, unknown[], unknown>(value, target, args)
              }
            : value,
        ]),
      ) as T
    const { records, ...rest } = adapter
    const site = siteOf({
      mode,
      adapter: { ...watched(rest, ""), ...(records && { records: watched(records, "records.") }) },
    })
    return { site, calls }
  }

  async function callsOf({ site, calls }: ReturnType<typeof counting>, act: () => Promise<unknown>) {
    const [before, mails] = [calls.length, site.sent.length]
    await act()
    return { calls: calls.slice(before).toSorted(), mails: site.sent.length - mails }
  }

  test("the work of a sign-up, a reset and a sign-in doesn't depend on whether the email has a user", async () => {
    const counted = counting()
    const { site } = counted
    await joined(site, ada)
    // Warm: each visitor has a page with a form already.
    const visitors = await Promise.all([0, 1, 2, 3, 4, 5].map(() => site.open()))
    const post =
      (browser: Browser | undefined, route: string, fields: Readonly<Record<string, string>>) => async () => {
        await browser?.submitForm(route, fields)
      }
    for (const [index, path] of ["sign-up", "sign-up", "forgot", "forgot"].entries())
      await visitors[index]?.get(`/auth/password/${path}`)
    for (const browser of visitors.slice(4)) await browser.get("/auth/signin")
    const password = better
    const results = [
      await callsOf(counted, post(visitors[0], "password/sign-up", { email: ada, password })),
      await callsOf(counted, post(visitors[1], "password/sign-up", { email: eve, password })),
      await callsOf(counted, post(visitors[2], "password/forgot", { email: ada })),
      await callsOf(counted, post(visitors[3], "password/forgot", { email: "new@users.test" })),
    ]
    expect(results.map(({ mails }) => mails)).toEqual([1, 1, 1, 1])
    expect(results[0]?.calls).toEqual(results[1]?.calls)
    expect(results[2]?.calls).toEqual(results[3]?.calls)
    const known = await callsOf(counted, post(visitors[4], "callback/password", { email: ada, password }))
    const unknown = await callsOf(counted, post(visitors[5], "callback/password", { email: "no@users.test", password }))
    expect(known.calls).toEqual(unknown.calls)
  })

  test("a sign-in of an unknown user costs a hash, as a wrong password does", async () => {
    const site = siteOf({ mode })
    await joined(site, ada)
    const cost = async (email: string) => {
      const browser = await site.open()
      await browser.get("/auth/signin")
      const start = process.cpuUsage()
      await browser.submitForm("callback/password", { email, password: better })
      const { user, system } = process.cpuUsage(start)
      return user + system
    }
    const costs = { known: 0, unknown: 0 }
    for (let count = 0; count < 5; count++) {
      costs.known += await cost(ada)
      costs.unknown += await cost("unknown@users.test")
    }
    expect(costs.unknown / costs.known).toBeGreaterThan(0.6)
    expect(costs.unknown / costs.known).toBeLessThan(1.6)
  })

  test("the Host header isn't in the link", async () => {
    const site = siteOf({ mode })
    const browser = await site.open({ host: "evil.test", "x-forwarded-host": "evil.test" })
    await joined(site, ada)
    await askReset(site, ada, browser)
    expect(new URL(linkTo(site, ada)).host).toBe("app.test")
  })

  test("a link doesn't work after the email of the user has changed, also if it's another user's now", async () => {
    const site = siteOf({ mode })
    await joined(site, ada)
    await askReset(site, ada)
    const link = linkTo(site, ada)
    const user = await userOf(site, ada)
    await site.adapter.updateUser?.({ id: user?.id ?? "", email: "new@users.test" })
    const thief = await site.open()
    await thief.get(link)
    expect(thief.text).toContain("This link doesn&#39;t work")
    await site.adapter.createUser?.({ id: "u2", name: null, email: ada, emailVerified: new Date(0) })
    await thief.get(link)
    expect(thief.text).toContain("This link doesn&#39;t work")
    expect(await isSignedIn(await signIn(site, "new@users.test", good))).toBe(true)
  })

  test("a link doesn't work after the password has changed", async () => {
    const site = siteOf({ mode })
    await joined(site, ada)
    await askReset(site, ada)
    const thief = await site.open()
    await thief.get(linkTo(site, ada))
    const browser = await signIn(site, ada, good)
    await browser.get("/auth/password/change")
    await browser.submitForm("callback/password", { password: good, newPassword: better })
    await thief.submitForm("callback/password", { newPassword: "thief thief violin copper" })
    expect(thief.text).toContain("This link doesn&#39;t work")
    expect(await isSignedIn(await signIn(site, ada, better))).toBe(true)
  })

  test.each([
    "ada@users.test\u0000",
    "\u0430da@users.test",
    "adá@users.test",
    "ada@users.test.evil.test",
    "ada@users.test, eve@users.test",
  ])("%j, which looks like another email, gets no link of its user", async (email) => {
    const site = siteOf({ mode })
    await joined(site, ada)
    const before = site.sent.length
    await askReset(site, email)
    const sent = site.sent.slice(before)
    expect(sent.map(({ identifier }) => identifier)).not.toContain(ada)
    expect(sent.some(({ letter }) => letter?.subject.startsWith("Choose a new"))).toBe(false)
  })

  test.each(["reset", "sign-up"] as const)("of 20 parallel uses of a link for %s, one wins", async (kind) => {
    const site = siteOf({ mode })
    if (kind === "reset") await joined(site, ada)
    await askReset(site, ada)
    const tabs = await Promise.all(Array.from({ length: 20 }, () => site.open()))
    for (const tab of tabs) await tab.get(linkTo(site, ada))
    await Promise.all(
      tabs.map((tab, index) => tab.submitForm("callback/password", { newPassword: `${better} number ${index}` })),
    )
    const winners = await Promise.all(tabs.map(isSignedIn))
    expect(winners.filter(Boolean)).toHaveLength(1)
    const works = []
    for (const index of tabs.keys())
      if (await isSignedIn(await signIn(site, ada, `${better} number ${index}`))) works.push(index)
    expect(works).toEqual([winners.indexOf(true)])
  })

  test("a link for a sign-up resets no password, and a link for a reset creates no account", async () => {
    const site = siteOf({ mode })
    await joined(site, ada)
    const thief = await site.open()
    await signUp(thief, eve, better)
    // The link of eve's sign-up, with the fields of other forms.
    await thief.get(linkTo(site, eve))
    await thief.submitForm("callback/password", { email: ada, newPassword: better, kind: "reset" })
    expect(await thief.session()).toMatchObject({ user: { email: eve } })
    expect(await isSignedIn(await signIn(site, ada, better))).toBe(false)
    await askReset(site, ada)
    const browser = await site.open()
    await signUp(browser, "zoe@users.test", better)
    await choose(browser, linkTo(site, ada), "copper violin thirty meadow")
    expect(await browser.session()).toMatchObject({ user: { email: ada } })
    expect(await userOf(site, "zoe@users.test")).toBeNull()
  })

  test("the cookie of a link can't be made up, and neither can that of a known browser", async () => {
    const site = siteOf({ mode })
    await joined(site, ada)
    await askReset(site, ada)
    const token = new URL(linkTo(site, ada)).searchParams.get("token") ?? ""
    for (const link of [token, "", "x"]) {
      const thief = await site.open({ cookie: `__Host-authjs.password.link=${link}` })
      await thief.get("/auth/password/finish")
      expect(thief.text).toContain("This link doesn&#39;t work")
    }
  })

  test("a password of a megabyte is refused without being hashed", async () => {
    const site = siteOf({ mode })
    await joined(site, ada)
    const browser = await site.open()
    await browser.get("/auth/password/sign-up")
    await browser.submitForm("password/sign-up", { email: eve, password: "x".repeat(1_000_000) })
    expect(browser.response.status).toBeGreaterThanOrEqual(400)
    expect(browser.response.status).toBeLessThan(500)
    await signIn(site, ada, "x".repeat(1_000_000), browser)
    expect(await isSignedIn(browser)).toBe(false)
  })

  test("what follows a NUL or the 72nd byte is part of the password", async () => {
    const site = siteOf({ mode })
    const long = `${good} `.repeat(3)
    await joined(site, ada, `${long}one`)
    expect(await isSignedIn(await signIn(site, ada, `${long}two`))).toBe(false)
    expect(await isSignedIn(await signIn(site, ada, `${long}one\u0000`))).toBe(false)
    expect(await isSignedIn(await signIn(site, ada, `${long}one`))).toBe(true)
  })

  test("of 20 sign-ups for one email at the same time, all links lead to one user", async () => {
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

  test("a sign-up never gives access to an account that exists, and keeps nothing of a stranger", async () => {
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
  })

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

    test("a reset doesn't pass it by, and changes nothing before", async () => {
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

  test("a guard that refuses keeps a reset from changing the password, and a sign-up from creating a user", async () => {
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
  })

  test("a form of another site changes nothing", async () => {
    const site = siteOf({ mode })
    const browser = await joined(site, ada)
    await browser.get("/auth/password/change")
    await browser.post("/auth/callback/password", { step: "change", password: good, newPassword: better })
    expect(await isSignedIn(await signIn(site, ada, good))).toBe(true)
  })

  test("a session alone isn't enough to change a password", async () => {
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
