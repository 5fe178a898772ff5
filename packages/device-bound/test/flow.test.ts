import { describe, expect, test } from "vitest"
import { answer, askRefresh, challengeIn, type Instructions, newDevice, posting, refresh, register } from "./device.js"
import {
  ada,
  bound,
  identifier,
  isSessionCookie,
  modes,
  signedOut,
  origin,
  pass,
  signIn,
  siteOf,
  stolen,
  strategies,
  who,
} from "./site.js"

// The draft of w3c.github.io/webappsec-dbsc, from the browser's side.

describe.each(modes)("under %s", (mode) => {
  describe.each(strategies)("with sessions in %s", (strategy) => {
    const site = (more = {}) => siteOf({ mode, strategy, ...more })

    test("the response to a sign-in offers to register a key of the two algorithms, and no other response does", async () => {
      const own = site()
      const { tab, offer } = await signIn(own)
      expect(offer.algorithms).toEqual(["ES256", "RS256"])
      expect(offer.path).toBe(`${identifier}/register`)
      for (const path of ["/auth/session", "/auth/account", "/auth/signin"]) {
        await tab.get(path)
        expect(tab.trail.map(({ headers }) => headers.get("secure-session-registration"))).toEqual([null])
      }
    })

    test("a browser that registers no key is signed in on the same days as without the module", async () => {
      const own = site()
      const plain = site({ config: { modules: [], runtime: own.clock.runtime, session: { strategy, stepUp: true } } })
      const [{ tab }, other] = [await signIn(own), await plain.open()]
      await other.signInWith(plain.op, { as: "ada" })
      for (let day = 0; day < 40; day++) {
        expect(await who(own, tab)).toEqual(await who(plain, other))
        own.clock.advance({ days: 1 })
        plain.clock.advance({ days: 1 })
      }
    })

    test.each(["ES256", "RS256"] as const)(
      "a key of %s is registered with the instructions of the draft",
      async (alg) => {
        const own = site()
        const [device, { tab, offer }] = [await newDevice(alg), await signIn(own)]
        const response = await register(posting(tab), device, offer)
        expect(response.status).toBe(200)
        expect(response.headers.get("content-type")).toBe("application/json")
        const instructions = (await response.json()) as Instructions
        const { refresh_url, ...rest } = instructions
        expect(refresh_url.startsWith(`${identifier}/refresh?binding=`)).toBe(true)
        expect(rest).toEqual({
          session_identifier: identifier,
          scope: { include_site: false },
          credentials: [
            {
              type: "cookie",
              name: pass,
              attributes: "Path=/; HttpOnly; Secure; SameSite=Lax",
            },
          ],
          allowed_refresh_initiators: ["*"],
        })
        expect(await who(own, tab)).toEqual(ada)
        own.clock.advance({ minutes: 10 })
        expect(await who(own, tab)).toEqual(signedOut)
        expect((await refresh(posting(tab), device, instructions)).status).toBe(200)
        expect(await who(own, tab)).toEqual(ada)
      },
    )

    test("the browser stays signed in while it proves its key, and its session is extended as before", async () => {
      const own = site()
      const { tab, device, instructions } = await bound(own)
      const first = tab.cookies.find(({ name }) => isSessionCookie(name))?.expires ?? 0
      for (let day = 0; day < 5; day++) {
        own.clock.advance({ days: 1 })
        expect((await refresh(posting(tab), device, instructions)).status).toBe(200)
        expect(await who(own, tab)).toEqual(ada)
      }
      const last = tab.cookies.find(({ name }) => isSessionCookie(name))?.expires ?? 0
      // Under `"strict"`, no use of a session extends it.
      expect(last > first).toBe(mode === "compatible")
    })

    test("a page without a fresh proof sees no user, and the session comes back with the next proof", async () => {
      const own = site()
      const { tab, device, instructions } = await bound(own)
      const before = tab.cookies.filter(({ name }) => isSessionCookie(name)).length
      own.clock.advance({ minutes: 11 })
      expect(await who(own, tab)).toEqual(signedOut)
      await tab.get("/auth/account")
      expect(tab.location).toContain("/auth/signin")
      expect(tab.cookies.filter(({ name }) => isSessionCookie(name))).toHaveLength(before)
      await refresh(posting(tab), device, instructions)
      await tab.get("/auth/account")
      expect(tab.location).toBe(`${origin}/auth/account`)
    })

    test("without the session cookie, as from a page of another site, a proof renews the cookie, too", async () => {
      const own = site()
      const { tab, device, instructions } = await bound(own)
      own.clock.advance({ minutes: 11 })
      const other = tab.fresh()
      expect((await refresh(posting(other), device, instructions)).status).toBe(200)
      for (const cookie of other.cookies) tab.jar.put(cookie)
      expect(await who(own, tab)).toEqual(ada)
    })

    test("a registration without cookies, as after a provider's page, is of the session that was offered it", async () => {
      const own = site()
      const [device, { tab, offer }] = [await newDevice(), await signIn(own)]
      const other = tab.fresh()
      expect((await register(posting(other), device, offer)).status).toBe(200)
      for (const cookie of other.cookies) tab.jar.put(cookie)
      expect(await who(own, tab)).toEqual(ada)
      own.clock.advance({ minutes: 11 })
      expect(await who(own, tab)).toEqual(signedOut)
    })

    test("several tabs refresh at once", async () => {
      const own = site()
      const { tab, device, instructions } = await bound(own)
      own.clock.advance({ minutes: 11 })
      const tabs = [tab, tab.clone(), tab.clone()]
      const asked = await Promise.all(tabs.map(async (each) => askRefresh(posting(each), instructions)))
      const proofs = await Promise.all(asked.map(async (response) => device.proof(challengeIn(response))))
      const answers = await Promise.all(
        tabs.map(async (each, i) => answer(posting(each), instructions, proofs[i] ?? "")),
      )
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
      expect(await who(own, tab)).toEqual(ada)
    })

    test("after a sign-out, the browser is told to forget its session", async () => {
      const own = site()
      const { tab, device, instructions } = await bound(own)
      await tab.signOut()
      const response = await refresh(posting(tab), device, instructions)
      expect(await response.json()).toEqual({ session_identifier: identifier, continue: false })
      expect(response.headers.getSetCookie().some((line) => line.startsWith(`${pass}=`))).toBe(false)
    })

    test("a sign-out works without a fresh proof", async () => {
      const own = site()
      const { tab, device, instructions } = await bound(own)
      const copy = await stolen(own, tab)
      own.clock.advance({ minutes: 11 })
      await tab.signOut()
      if (strategy === "jwt" && mode === "compatible") return
      await refresh(posting(copy), device, instructions)
      expect(await who(own, copy)).toEqual(signedOut)
    })

    test("the next sign-in in the browser replaces its key", async () => {
      const own = site()
      const former = await bound(own)
      const { tab, offer } = await signIn(own, "ada", former.tab)
      expect((await (await refresh(posting(tab), former.device, former.instructions)).json()).continue).toBe(false)
      const device = await newDevice()
      const response = await register(posting(tab), device, offer)
      expect(((await response.json()) as Instructions).session_identifier).toBe(former.instructions.session_identifier)
      own.clock.advance({ minutes: 11 })
      expect(await who(own, tab)).toEqual(signedOut)
    })

    test("a session that began before the module was added needs no cookie", async () => {
      const own = site({ config: { modules: [], session: { strategy, stepUp: true } } })
      const tab = await own.open()
      await tab.signInWith(own.op, { as: "ada" })
      const next = {
        ...own,
        ...siteOf({ mode, strategy, config: { adapter: own.config.adapter, runtime: own.clock.runtime } }),
      }
      expect(await who(next, await stolen(next, tab))).toEqual(ada)
    })

    test("with `required`, a browser without a key is signed out after minutes", async () => {
      const own = site({ required: true, maxAge: 300 })
      const [{ tab }, other] = [await signIn(own), await bound(own)]
      expect(await who(own, tab)).toEqual(ada)
      own.clock.advance({ minutes: 6 })
      expect(await who(own, tab)).toEqual(signedOut)
      await refresh(posting(other.tab), other.device, other.instructions)
      expect(await who(own, other.tab)).toEqual(ada)
    })
  })
})

test("the key among the claims, as the published working draft has it, is registered, and quotes around the proof are read", async () => {
  const site = siteOf()
  const [device, { tab, offer }] = [await newDevice(), await signIn(site)]
  const proof = await device.proof(offer.challenge, {}, { key: device.jwk, aud: offer.path, iat: 1_725_579_055 })
  const response = await posting(tab)(offer.path, { "secure-session-response": `"${proof}"` })
  expect(response.status).toBe(200)
})

test("a challenge that expired, or none, gets a new one", async () => {
  const site = siteOf()
  const { tab, device, instructions } = await bound(site)
  const first = challengeIn(await askRefresh(posting(tab), instructions))
  site.clock.advance({ minutes: 11 })
  const late = await answer(posting(tab), instructions, await device.proof(first))
  expect(late.status).toBe(403)
  expect(challengeIn(late)).not.toBe(first)
  expect((await answer(posting(tab), instructions, await device.proof(challengeIn(late)))).status).toBe(200)
})

test("servers whose clocks differ by a few seconds accept each other's cookies", async () => {
  const site = siteOf()
  const { tab } = await bound(site)
  site.clock.advance({ seconds: -10 })
  expect(await who(site, tab)).toEqual(ada)
})

test("while the database can't be reached, the browser keeps its session, as with any 500 (§8.9)", async () => {
  const site = siteOf({ strategy: "database" })
  const { tab, device, instructions } = await bound(site)
  const { adapter } = site.config
  const down = { ...adapter, getSessionAndUser: () => Promise.reject(new Error("down")) }
  const broken = {
    ...site,
    ...siteOf({ strategy: "database", config: { adapter: down, runtime: site.clock.runtime } }),
  }
  const copy = await stolen(broken, tab)
  expect((await refresh(posting(copy), device, instructions)).status).toBe(500)
})

test("an invalid `maxAge` is a problem of the configuration", async () => {
  for (const maxAge of [0, 299, 3601, 1.5, Number.NaN]) {
    const site = siteOf({ maxAge })
    await expect(signIn(site)).rejects.toThrow()
    expect(site.logs()).toContain("`maxAge` is a number of seconds from 300 to 3600")
  }
})
