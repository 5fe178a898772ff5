import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { answer, askRefresh, challengeIn, newDevice, posting, refresh, register } from "../device.js"
import {
  ada,
  bound,
  isSessionCookie,
  signedOut,
  origin,
  pass,
  signIn,
  siteOf,
  stolen,
  strategies,
  who,
} from "../site.js"

// Cookies that leave the browser, and what an attacker makes of them.

attack(
  "DBSC-01",
  "a copy of all cookies of a bound session works until the next proof is due, and not after",
  async (mode) => {
    for (const strategy of strategies) {
      const site = siteOf({ mode, strategy })
      const { tab, device, instructions } = await bound(site)
      const thief = await stolen(site, tab)
      expect(await who(site, thief)).toEqual(ada)
      site.clock.advance({ minutes: 11 })
      await refresh(posting(tab), device, instructions)
      expect(await who(site, tab)).toEqual(ada)
      expect(await who(site, thief)).toEqual(signedOut)
      await thief.get("/auth/account")
      expect(thief.location).toContain("/auth/signin")
      expect((await thief.get("/auth/signout")).status).toBe(200)
      expect(thief.text).not.toContain("ada@users.test")
    }
  },
)

attack(
  "DBSC-02",
  "a session cookie without the other one, as if it had been stripped, signs no user in",
  async (mode) => {
    for (const strategy of strategies) {
      const site = siteOf({ mode, strategy })
      const [unbound, { tab }] = [await signIn(site), await bound(site)]
      for (const each of [unbound.tab, tab]) {
        const thief = await stolen(site, each, isSessionCookie)
        expect(await who(site, thief)).toEqual(signedOut)
        for (const value of ["", "1", "a.b.c.d.e"]) {
          thief.jar.put({ ...cookieOf(pass), value })
          expect(await who(site, thief)).toEqual(signedOut)
        }
      }
    }
  },
)

const cookieOf = (name: string) =>
  ({
    name,
    value: "",
    domain: "app.test",
    hostOnly: true,
    path: "/",
    secure: true,
    httpOnly: true,
    sameSite: "lax",
    expires: undefined,
  }) as const

attack(
  "DBSC-03",
  "the cookie of another session, or another token of the module, doesn't stand in for it",
  async (mode) => {
    for (const strategy of strategies) {
      const site = siteOf({ mode, strategy })
      const { tab, instructions } = await bound(site)
      const eve = await bound(site, "eve")
      const thief = await stolen(site, tab, isSessionCookie)
      const others = eve.tab.cookies.filter(({ name }) => name === pass).map(({ value }) => value)
      const challenge = challengeIn(await askRefresh(posting(tab), instructions))
      const { offer } = await signIn(site)
      const binding = new URL(instructions.refresh_url).searchParams.get("binding") ?? ""
      for (const value of [...others, challenge, offer.challenge, binding]) {
        thief.jar.put({ ...cookieOf(pass), value })
        expect(await who(site, thief)).toEqual(signedOut)
      }
    }
  },
)

attack(
  "DBSC-04",
  "with a stolen session, no other key can be registered: only the sign-in's response has the challenge",
  async (mode) => {
    const site = siteOf({ mode })
    const { tab, instructions } = await bound(site)
    const [thief, key] = [await stolen(site, tab), await newDevice()]
    const eve = await signIn(site, "eve")
    const challenges = [eve.offer.challenge, challengeIn(await askRefresh(posting(thief), instructions)), "x", ""]
    for (const challenge of challenges) {
      const response = await register(posting(thief), key, { ...eve.offer, challenge })
      expect(response.status).toBe(400)
      expect(response.headers.getSetCookie()).toEqual([])
    }
    // No response to the thief offers another.
    for (const path of ["/auth/session", "/auth/account", "/auth/device-bound/register"]) {
      await thief.get(path)
      for (const { headers } of thief.trail) expect(headers.get("secure-session-registration")).toBeNull()
    }
  },
)

attack("DBSC-05", "a refresh is refused without a proof by the key that was registered", async (mode) => {
  const site = siteOf({ mode })
  const { tab, device, instructions } = await bound(site)
  const [thief, other] = [await stolen(site, tab), await newDevice()]
  site.clock.advance({ minutes: 11 })
  const challenge = challengeIn(await askRefresh(posting(thief), instructions))
  const good = await device.proof(challenge)
  const [head = "", body = ""] = good.split(".")
  const forged = [
    await other.proof(challenge),
    await other.proof(challenge, { jwk: other.jwk }),
    await (await newDevice("RS256")).proof(challenge, { jwk: device.jwk }),
    `${head}.${body}.${"A".repeat(86)}`,
    `${head}.${body}.`,
  ]
  for (const proof of forged) {
    const response = await answer(posting(thief), instructions, proof)
    expect(response.status).toBe(400)
    expect(response.headers.getSetCookie()).toEqual([])
  }
  expect(site.events.filter(({ name }) => name === "device-bound.refused")).toHaveLength(forged.length)
  const noProofs = [`${head}.${body}`, `${good}.x`, "x", "", ".", await device.proof(challenge, { typ: "jwt" })]
  for (const proof of [...noProofs, await device.proof(challenge, { alg: "none" }), await device.proof("x")])
    expect((await answer(posting(thief), instructions, proof)).status).toBe(403)
  expect(await who(site, thief)).toEqual(signedOut)
})

attack("DBSC-06", "a proof that is sent again gets nothing that lasts longer", async (mode) => {
  const site = siteOf({ mode })
  const { tab, device, instructions, offer } = await bound(site)
  const thief = await stolen(site, tab)
  site.clock.advance({ minutes: 11 })
  const proof = await device.proof(challengeIn(await askRefresh(posting(tab), instructions)))
  expect((await answer(posting(tab), instructions, proof)).status).toBe(200)
  site.clock.advance({ minutes: 9 })
  expect((await answer(posting(thief), instructions, proof)).status).toBe(200)
  expect(await who(site, thief)).toEqual(ada)
  site.clock.advance({ minutes: 1, seconds: 20 })
  expect(await who(site, thief)).toEqual(signedOut)
  expect((await answer(posting(thief), instructions, proof)).status).toBe(403)
  // Nor does the registration.
  expect((await register(posting(thief), device, offer)).status).toBe(400)
})

attack("DBSC-07", "a proof or challenge of one session is none of another", async (mode) => {
  const site = siteOf({ mode })
  const [first, second] = [await bound(site), await bound(site, "eve")]
  const challenge = challengeIn(await askRefresh(posting(second.tab), second.instructions))
  const proof = await first.device.proof(challenge)
  expect((await answer(posting(first.tab), first.instructions, proof)).status).toBe(403)
  expect((await answer(posting(second.tab), second.instructions, proof)).status).toBe(400)
  // In a browser with another session, neither is renewed.
  const response = await refresh(posting(second.tab), first.device, first.instructions)
  expect((await response.json()).continue).toBe(false)
})

attack(
  "DBSC-08",
  "a page of another site can neither register nor refresh: the browser alone sends the headers",
  async (mode) => {
    const site = siteOf({ mode })
    const { tab, instructions, offer } = await bound(site)
    const before = tab.cookies.find(({ name }) => name === pass)?.value
    for (const url of [offer.path, instructions.refresh_url]) {
      const response = await tab.post(url, {}, { from: "https://evil.test/" })
      expect(response.status).toBe(400)
      expect((await tab.get(url)).status).toBe(405)
    }
    // Nor with an identifier of its own, or a binding that was changed.
    const headers = { "sec-secure-session-id": "x" }
    expect((await posting(tab)(instructions.refresh_url, headers)).status).toBe(400)
    const changed = { ...instructions, refresh_url: `${origin}/auth/device-bound/refresh?binding=${offer.challenge}` }
    expect((await askRefresh(posting(tab), changed)).status).toBe(400)
    expect(tab.cookies.find(({ name }) => name === pass)?.value).toBe(before)
  },
)

attack("DBSC-09", "a key that isn't one of the two algorithms, or is too weak, isn't registered", async (mode) => {
  const site = siteOf({ mode })
  const { tab, offer } = await signIn(site)
  const [ec, rsa] = [await newDevice(), await newDevice("RS256")]
  const jwks = [
    {},
    null,
    "x",
    { ...ec.jwk, crv: "P-384" },
    { ...ec.jwk, x: ec.jwk.y },
    { ...ec.jwk, kty: "RSA" },
    rsa.jwk,
  ]
  for (const jwk of jwks) expect((await register(posting(tab), ec, offer, { jwk })).status).toBe(400)
  for (const head of [{ alg: "HS256" }, { alg: "none" }, { alg: "toString" }, { alg: "RS256" }, { typ: "jwt" }])
    expect((await register(posting(tab), ec, offer, head)).status).toBe(400)
  const weak = { ...rsa.jwk, n: (rsa.jwk.n ?? "").slice(0, 171) }
  for (const jwk of [weak, { ...rsa.jwk, e: "AQ" }])
    expect((await register(posting(tab), rsa, offer, { jwk })).status).toBe(400)
  // A private key that a careless client sends isn't kept.
  const response = await register(posting(tab), ec, offer, { jwk: { ...ec.jwk, d: "secret" } })
  expect(response.status).toBe(200)
})

attack(
  "DBSC-10",
  "with `required`, cookies that were stolen before the key was registered are worthless after minutes",
  async (mode) => {
    for (const strategy of strategies) {
      const site = siteOf({ mode, strategy, required: true })
      const { tab, offer } = await signIn(site)
      const [thief, device] = [await stolen(site, tab), await newDevice()]
      const response = await register(posting(tab), device, offer)
      site.clock.advance({ minutes: 11 })
      await refresh(posting(tab), device, await response.json())
      expect(await who(site, tab)).toEqual(ada)
      expect(await who(site, thief)).toEqual(signedOut)
    }
  },
)

attack(
  "DBSC-11",
  "no cookie, log or page has what was sealed, and the binding in the URL is worth nothing without the key",
  async (mode) => {
    const site = siteOf({ mode })
    const { tab, device, instructions } = await bound(site)
    await refresh(posting(tab), device, instructions)
    const binding = new URL(instructions.refresh_url).searchParams.get("binding") ?? "-"
    const sealed = tab.cookies.find(({ name }) => name === pass)?.value ?? "-"
    for (const secret of [binding, sealed, String(device.jwk.x)]) {
      expect(site.logs()).not.toContain(secret)
      expect(tab.text).not.toContain(secret)
    }
    expect(JSON.stringify(instructions)).not.toContain(String(device.jwk.x))
  },
)

attack(
  "DBSC-12",
  "a session that was planted in a browser stays the attacker's, and a sign-in starts one of its own",
  async (mode) => {
    const site = siteOf({ mode })
    const eve = await bound(site, "eve")
    const victim = await stolen(site, eve.tab)
    site.clock.advance({ minutes: 11 })
    // Without the key, not even the attacker's session is one.
    expect(await who(site, victim)).toEqual(signedOut)
    const { offer } = await signIn(site, "ada", victim)
    expect(await who(site, victim)).toEqual(ada)
    expect((await register(posting(victim), await newDevice(), offer)).status).toBe(200)
    await refresh(posting(eve.tab), eve.device, eve.instructions)
    expect(await who(site, eve.tab)).not.toEqual(ada)
  },
)

attack("DBSC-13", "after `revoke` and sign-out, a proof brings no session back", async (mode) => {
  const site = siteOf({ mode, strategy: "database" })
  const [first, second] = [await bound(site), await bound(site)]
  const copy = await stolen(site, first.tab)
  await first.tab.signOut()
  const id = site.store.rows().users[0]?.id ?? ""
  await site.server.revoke(id)
  for (const { tab, device, instructions } of [{ ...first, tab: copy }, second]) {
    expect((await (await refresh(posting(tab), device, instructions)).json()).continue).toBe(false)
    expect(await who(site, tab)).toEqual(signedOut)
  }
})

attack("DBSC-14", "input of any type and size at the routes is no error of the server", async (mode) => {
  const site = siteOf({ mode })
  const { tab, device, instructions, offer } = await bound(site)
  const long = "a".repeat(7000)
  const texts = [
    "",
    ".",
    "..",
    "a.b.c",
    `${long}.${long}.${long}`,
    "{}",
    '"',
    "\u00ff.\u00ff.\u00ff",
    "e30.e30.e30",
    "bnVsbA.bnVsbA.",
  ]
  const proofs = [await device.proof(long), await device.proof("", { jwk: [] }, { jti: { a: 1 } }), ...texts]
  for (const proof of proofs) {
    const answers = [
      await posting(tab)(offer.path, { "secure-session-response": proof }),
      await answer(posting(tab), instructions, proof),
      await posting(tab)(instructions.refresh_url, { "sec-secure-session-id": proof }),
    ]
    for (const { status } of answers) expect([400, 403]).toContain(status)
  }
  for (const binding of ["", long.slice(0, 3000), "a&binding=b", "%00"]) {
    const changed = { ...instructions, refresh_url: `${origin}/auth/device-bound/refresh?binding=${binding}` }
    expect((await askRefresh(posting(tab), changed)).status).toBe(400)
  }
})
