import credentials from "@latchkey/core/providers/credentials"
import type { AuthConfig } from "@latchkey/core/types"
import { frozenClock } from "@latchkey/testing"
import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { cookieNames } from "../http/app.js"
import { proxied, site, type Site, tally } from "../limits/setup.js"

const device = "__Host-authjs.device"
const addressed = (at: number) => ({ from: `198.51.${Math.floor(at / 250)}.${at % 250}` })
const six = (at: number) => ({ from: `203.0.113.${at % 6}` })
const unknown = () => ({})

/** The device cookie after a sign-in, as a `Cookie` header. */
async function knownDevice(its: Site, username = "owner"): Promise<string> {
  return deviceIn(await its.tryPassword(username, "open", { from: "192.0.2.1" }))
}

function deviceIn(response: Response): string {
  const line = response.headers.getSetCookie().find((each) => each.startsWith(`${device}=`)) ?? ""
  return line.split(";")[0] ?? ""
}

for (const [whence, from] of [
  ["six addresses", six],
  ["sixty addresses", addressed],
  ["unknown addresses", unknown],
] as const) {
  attack("RATE-03", `wrong passwords from ${whence} don't lock the owner out of a known device`, async (mode) => {
    const its = site(proxied, mode)
    const cookie = await knownDevice(its)
    await tally(120, (at) => its.tryPassword("owner", "guess", from(at)))
    expect((await its.tryPassword("owner", "open", { from: "192.0.2.1" })).status).toBe(429)
    const answer = await its.tryPassword("owner", "open", { from: "192.0.2.1", headers: { cookie } })
    expect(answer.headers.get("location")).toBe("https://app.test")
  })
}

attack("RATE-03", "an attacker at the owner's own address doesn't lock out a known device either", async (mode) => {
  const its = site(proxied, mode)
  const cookie = await knownDevice(its)
  await tally(120, (at) => its.tryPassword(at % 2 === 0 ? "owner" : `user ${at}`, "guess", { from: "192.0.2.1" }))
  const answer = await its.tryPassword("owner", "open", { from: "192.0.2.1", headers: { cookie } })
  expect(answer.headers.get("location")).toBe("https://app.test")
})

attack("RATE-03", "another device is only slowed down: one attempt every two seconds is checked", async (mode) => {
  const its = site(proxied, mode)
  await tally(120, (at) => its.tryPassword("owner", "guess", addressed(at)))
  const refused = await its.tryPassword("owner", "open", { from: "192.0.2.9" })
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "2"])
  its.clock.advance({ seconds: 2 })
  expect((await its.tryPassword("owner", "open", { from: "192.0.2.9" })).headers.get("location")).toBe(
    "https://app.test",
  )
})

attack("RATE-03", "an hour of guessing from any number of addresses checks at most 200 passwords", async (mode) => {
  const its = site(proxied, mode)
  for (let second = 0; second < 3600; second += 2) {
    await its.tryPassword("owner", "guess", addressed(second))
    its.clock.advance({ seconds: 2 })
  }
  expect(its.checked.length).toBeGreaterThan(120)
  expect(its.checked.length).toBeLessThanOrEqual(200)
  // It isn't a hard lock at any time.
  its.clock.advance({ seconds: 60 })
  expect((await its.tryPassword("owner", "open")).headers.get("location")).toBe("https://app.test")
})

attack("RATE-03", "a known device may be used to guess no more than ten passwords in a window", async (mode) => {
  const its = site(proxied, mode)
  const headers = { cookie: await knownDevice(its) }
  const thief = (at: number) => its.tryPassword("owner", "guess", { ...addressed(at), headers })
  expect(await tally(60, thief)).toEqual({ 302: 10, 429: 50 })
})

attack("RATE-03", "the device cookie of another user, site or secret gives no budget", async (mode) => {
  const its = site(proxied, mode)
  const cookies = [
    await knownDevice(its, "attacker"),
    await knownDevice(site({ ...proxied, secret: "another-secret-0123456789-abcdefghijklmnopq" }, mode)),
    `${device}=forged`,
    `${device}=`,
  ]
  await tally(120, (at) => its.tryPassword("owner", "guess", addressed(at)))
  for (const cookie of cookies)
    expect((await its.tryPassword("owner", "open", { from: "192.0.2.2", headers: { cookie } })).status).toBe(429)
})

const ownAccounts: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ["whose name is another spelling of the owner's", { username: "\u00F3wn\u00E8r" }],
  ["whose name has other upper-case letters", { username: "OWNER" }],
  ["with the owner's name in another field", { username: "attacker", name: "owner" }],
  ["with the owner's name in a field that the form doesn't have", { username: "attacker", email: "owner" }],
]

for (const [how, typed] of ownAccounts) {
  attack("RATE-03", `an attacker's account ${how} gives no budget of a known device`, async (mode) => {
    let checked = 0
    const twoFields = credentials({
      credentials: { username: {}, name: {}, password: { type: "password" } },
      authorize({ username, password }) {
        if (username === "owner") checked += 1
        return password === "open" && username !== "owner" ? { id: String(username) } : null
      },
    })
    const its = site({ ...proxied, providers: [twoFields] }, mode)
    const sent = { "x-forwarded-for": "203.0.113.66" }
    const cookies: string[] = []
    for (let device = 0; device < 3; device++)
      cookies.push(deviceIn(await its.post("/auth/callback/credentials", { ...typed, password: "open" }, sent)))
    expect(cookies).not.toContain("")
    for (const cookie of cookies) {
      for (const fields of [{ name: "owner" }, { email: "owner" }, { name: "attacker" }, {}]) {
        const guess = { username: "owner", ...fields, password: "guess" }
        await tally(8, () => its.post("/auth/callback/credentials", guess, { ...sent, cookie }))
      }
    }
    expect(checked).toBeLessThanOrEqual(10)
  })
}

attack("RATE-03", "twelve requests for email from one address leave the owner's budget", async (mode) => {
  const its = site(proxied, mode)
  const attacker = { from: "203.0.113.66" }
  expect(await tally(12, () => its.askForLink("owner@app.test", attacker))).toEqual({ 302: 5, 429: 7 })
  expect((await its.askForLink("owner@app.test", { from: "192.0.2.1" })).status).toBe(302)
  expect(its.mailed).toHaveLength(6)
})

attack("RATE-03", "requests for email from many addresses don't silence a known device", async (mode) => {
  const its = site(proxied, mode)
  await its.askForLink("owner@app.test")
  const link = Object.fromEntries(new URL(its.links[0] ?? "").searchParams)
  const opened = await its.post("/auth/callback/mail", link)
  const cookie = deviceIn(opened)
  await tally(60, (at) => its.askForLink("owner@app.test", addressed(at)))
  expect(its.mailed).toHaveLength(10)
  expect((await its.askForLink("owner@app.test", { headers: { cookie } })).status).toBe(302)
  expect(its.mailed).toHaveLength(11)
  its.clock.advance({ minutes: 1 })
  expect((await its.askForLink("owner@app.test", { from: "192.0.2.9" })).status).toBe(302)
})

attack("RATE-03", "an address that a client made up refuses its owner nothing", async (mode) => {
  const its = site({ trustHost: true }, mode)
  const framed = { from: "192.0.2.1" }
  await tally(80, (at) => its.tryPassword(`user ${at}`, "guess", framed))
  expect((await its.tryPassword("owner", "open", framed)).status).toBe(429)
  its.clock.advance({ seconds: 5 })
  expect((await its.tryPassword("owner", "open", framed)).headers.get("location")).toBe("https://app.test")
})

/** A clock whose time passes while a request waits. */
function passing(): {
  readonly waits: number[]
  readonly runtime: NonNullable<AuthConfig["runtime"]>
  advance(milliseconds: number): void
} {
  const { now, advance } = frozenClock()
  const waits: number[] = []
  const sleep = async (milliseconds: number) => {
    waits.push(milliseconds)
    await Promise.resolve()
    advance(milliseconds)
  }
  return { waits, runtime: { now, sleep }, advance }
}

attack("RATE-03", "the owner's first attempt at another address waits for its turn", async (mode) => {
  const { waits, runtime } = passing()
  const its = site({ ...proxied, runtime }, mode)
  await tally(60, (at) => its.tryPassword("owner", "guess", six(at)))
  expect(waits).toEqual([])
  expect((await its.tryPassword("owner", "open", { from: "192.0.2.9" })).headers.get("location")).toBe(
    "https://app.test",
  )
  expect(waits).toEqual([2000])
})

attack("RATE-03", "four requests for a user wait in a minute, and more only after it", async (mode) => {
  const { waits, runtime, advance } = passing()
  const its = site({ ...proxied, runtime }, mode)
  await tally(30, (at) => its.tryPassword("owner", "guess", six(at)))
  expect(await tally(6, (at) => its.tryPassword("owner", "guess", addressed(at)))).toEqual({ 302: 4, 429: 2 })
  expect(waits).toEqual([2000, 2000, 2000, 2000])
  advance(60_000)
  expect(await tally(2, (at) => its.tryPassword("owner", "guess", addressed(100 + at)))).toEqual({ 302: 2 })
  expect(waits).toHaveLength(5)
})

attack("RATE-03", "few requests wait at the same time, and the others get 429 at once", async (mode) => {
  const { now } = frozenClock()
  let release = () => {}
  const open = new Promise<void>((resolve) => (release = resolve))
  let waiting = 0
  const sleep = async () => {
    waiting += 1
    await open
  }
  const its = site({ ...proxied, runtime: { now, sleep } }, mode)
  await tally(30, (at) => its.tryPassword("owner", "guess", six(at)))
  const answers = Array.from({ length: 50 }, async (_, at) => its.tryPassword("owner", "open", addressed(at)))
  const atOnce = Array.from({ length: 50 }, async (_, at) => (await answers[at])?.status)
  await expect.poll(() => waiting).toBe(4)
  release()
  expect((await Promise.all(atOnce)).filter((status) => status === 429)).toHaveLength(50)
  // Each of them tried five times, in ten seconds.
  expect(waiting).toBe(20)
})

attack("RATE-03", "the cookie is set only by a sign-in that is counted, and a sign-out keeps it", async (mode) => {
  const its = site(proxied, mode)
  expect(cookieNames(await its.tryPassword("owner", "wrong"))).not.toContain(device)
  const signedIn = await its.tryPassword("owner", "open")
  expect(cookieNames(signedIn)).toContain(device)
  const line = signedIn.headers.getSetCookie().find((each) => each.startsWith(device)) ?? ""
  expect(line).toMatch(/; Max-Age=15552000; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  expect(line).not.toContain("owner")
  const cookie = signedIn.headers
    .getSetCookie()
    .map((each) => each.split(";")[0] ?? "")
    .join("; ")
  expect(cookieNames(await its.post("/auth/signout", {}, { cookie }))).not.toContain(device)
  const unlimited = site({ rateLimit: false }, mode)
  expect(cookieNames(await unlimited.tryPassword("owner", "open"))).not.toContain(device)
  const withoutDevices = site({ rateLimit: { limits: { credentials: { device: false } } } }, mode)
  expect(cookieNames(await withoutDevices.tryPassword("owner", "open"))).not.toContain(device)
})

attack("RATE-03", "several users of a browser each keep their budget", async (mode) => {
  const its = site(proxied, mode)
  let cookie = ""
  for (const user of ["ada", "bob", "carol", "dora", "owner"])
    cookie = deviceIn(await its.tryPassword(user, "open", { headers: { cookie } }))
  for (const user of ["ada", "owner"]) {
    await tally(60, (at) => its.tryPassword(user, "guess", addressed(at)))
    expect((await its.tryPassword(user, "open", { headers: { cookie } })).status).toBe(302)
  }
  cookie = deviceIn(await its.tryPassword("sixth", "open", { headers: { cookie } }))
  expect((await its.tryPassword("ada", "open", { headers: { cookie } })).status).toBe(429)
})

attack("RATE-03", "images on another site use up no attempts of the address of their visitor", async (mode) => {
  const its = site(proxied, mode)
  const visitor = { "x-forwarded-for": "192.0.2.1" }
  const image = { ...visitor, "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image" }
  for (let at = 0; at < 120; at++)
    expect((await its.get(`/auth/callback/op?code=x&state=${at}`, image)).status).toBe(403)
  const own = await its.get("/auth/callback/op?code=x&state=own", visitor)
  expect(own.headers.get("location")).not.toBeNull()
})
