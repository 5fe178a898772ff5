import type { AuthConfig, CookieKey, CookieOption, JWT } from "@latchkey/core/types"
import { frozenClock } from "@latchkey/testing"
import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { appOf, world } from "../modes/setup.js"
import { cookiesOf, door, session, sessionName } from "./door-setup.js"

const ada = { name: "ada", password: "open" }
const injection = "x\r\nSet-Cookie: evil=1"

/** Options that TypeScript rejects but JavaScript allows. */
const bad: readonly (readonly [attribute: string, option: CookieOption])[] = [
  ["name", { name: "a;b" }],
  ["name", { name: injection }],
  ["name", { name: "a=b" }],
  ["name", { name: "a b" }],
  ["name", { name: "" }],
  ["name", { name: "\u00A0a" }],
  ["name", { name: "a\n" }],
  ["domain", { name: "a", options: { domain: injection } }],
  ["domain", { name: "a", options: { domain: "app.test; Path=/x" } }],
  ["domain", { name: "a", options: { domain: "app.test\n" } }],
  ["path", { name: "a", options: { path: `/${injection}` } }],
  ["path", { name: "a", options: { path: "/; Domain=evil.test" } }],
  ["path", { name: "a", options: { path: "/\n" } }],
  ["sameSite", { name: "a", options: { sameSite: injection as "lax" } }],
  ["priority", { name: "a", options: { priority: injection as "low" } }],
]
const keys: readonly CookieKey[] = ["sessionToken", "csrfToken", "callbackUrl", "state"]

attack("CK-05", "a cookie name or attribute that contains a separator is a configuration error", async (mode) => {
  for (const key of keys) {
    for (const [attribute, option] of bad) {
      const { get, send, log } = door(mode, { cookies: { [key]: option } })
      for (const response of [
        await get("/auth/csrf"),
        await get("/auth/signin"),
        await send("/auth/signin/op", { method: "POST" }),
      ]) {
        expect([response.status, response.headers.getSetCookie()], `${key} ${attribute}`).toEqual([500, []])
        expect(await response.text()).not.toContain("evil")
      }
      const problems = log.entries.filter(({ level }) => level === "error").map(({ message }) => message)
      expect(problems.join(), JSON.stringify(option)).toMatch(
        new RegExp(`cookies\\.${key}\\.(?:options\\.)?${attribute}`),
      )
    }
  }
})

attack("CK-05", "an unsafe value from a configured `encode` is never sent", async (mode) => {
  for (const end of [
    "\r\nSet-Cookie: evil=1",
    "; Domain=evil.test",
    "\u0000",
    "\u007F",
    " ",
    ",",
    '"',
    "\\",
    "\u00FC",
  ]) {
    const encode = (value: string) => value.slice(0, 20) + end
    const { get } = door(mode, { cookies: { csrfToken: { options: { encode } } } })
    const response = await get("/auth/csrf")
    expect([response.status, response.headers.getSetCookie()], JSON.stringify(end)).toEqual([500, []])
  }
})

/** The attributes of a `Set-Cookie` line, without `Max-Age` and `Expires`. */
function attributes(line: string): readonly string[] {
  return line
    .split("; ")
    .slice(1)
    .filter((attribute) => !/^(?:Max-Age|Expires)=/.test(attribute))
}

function sessionLines(response: Response): readonly string[] {
  return response.headers.getSetCookie().filter((line) => line.startsWith("sid"))
}

const own = {
  name: "sid",
  options: { domain: "app.test", path: "/auth", partitioned: true, priority: "high", sameSite: "strict" },
} as const

attack("CK-07", "a cookie is deleted with the attributes it was set with, in all its chunks", async (mode) => {
  for (const padding of [0, 9000]) {
    const jwt = ({ token }: { token: JWT }) => ({ ...token, padding: "x".repeat(padding) })
    const app = door(mode, {
      cookies: { sessionToken: own },
      callbacks: { jwt },
      session: { strategy: "jwt", updateAge: 0 },
    })
    const signedIn = await app.post("/auth/callback/credentials", ada)
    const cookie = cookiesOf(signedIn)
    const set = sessionLines(signedIn)
    const read = sessionLines(await app.get("/auth/session", { cookie }))
    const gone = sessionLines(await app.post("/auth/signout", {}, { cookie }))
    const forged = sessionLines(await app.get("/auth/session", { cookie: "sid=x; sid.0=y" }))
    expect(gone.map((line) => line.split("=", 1)[0])).toEqual(set.map((line) => line.split("=", 1)[0]))
    expect(read.length).toBe(set.length)
    const expected = [
      "Domain=app.test",
      "Path=/auth",
      "HttpOnly",
      "Secure",
      "Partitioned",
      "Priority=High",
      "SameSite=Strict",
    ]
    for (const line of [...set, ...read, ...gone, ...forged]) expect(attributes(line), line).toEqual(expected)
    for (const line of [...gone, ...forged]) expect(line).toMatch(/^sid(?:\.\d)?=; Max-Age=0;/)
  }
})

attack("CK-07", "sign-out also deletes cookies under former names and leftover chunks", async (mode) => {
  const app = door(mode)
  const [name, cookie] = [sessionName(mode), await session(app)]
  const former = mode === "strict" ? ["__Secure-authjs.session-token", "__Secure-authjs.session-token.0"] : []
  const left = [...former, `${name}.0`, `${name}.1`]
  const response = await app.post(
    "/auth/signout",
    {},
    { cookie: `${cookie}; ${left.map((each) => `${each}=x`).join("; ")}` },
  )
  const gone = response.headers.getSetCookie().filter((line) => line.includes("=; Max-Age=0; Path=/; HttpOnly; Secure"))
  expect(gone.map((line) => line.split("=", 1)[0]).toSorted()).toEqual([name, ...left].toSorted())
})

const lives: readonly (readonly [string, Partial<AuthConfig>])[] = [
  ["maxAge", { session: { strategy: "jwt", maxAge: 600 } }],
  ["a shorter jwt.maxAge", { session: { strategy: "jwt", maxAge: 6000 }, jwt: { maxAge: 600 } }],
  ["an absolute end", { session: { strategy: "jwt", maxAge: 6000, absoluteMaxAge: 600 } }],
  ["rows in a database", { session: { strategy: "database", maxAge: 600 } }],
  ["an absolute end in a database", { session: { strategy: "database", maxAge: 6000, absoluteMaxAge: 600 } }],
]

for (const [what, given] of lives) {
  attack("CK-07", `with ${what} the cookie ends no later than the session`, async (mode) => {
    const its = { ...world(), clock: frozenClock() }
    const browser = await appOf({ ...its, op: its.op }, { security: mode, ...given })
    await browser.signInWith(its.op, { as: "ada" })
    for (let step = 0; step < 3; step++) {
      const found = await browser.session()
      const expires = typeof found === "object" && found !== null && "expires" in found ? String(found.expires) : ""
      const cookie = browser.cookies.find(({ name }) => name.includes("session-token"))
      expect(cookie?.expires).toBeGreaterThan(its.clock.now())
      expect(cookie?.expires).toBeLessThanOrEqual(Date.parse(expires))
      expect(cookie?.expires).toBeLessThanOrEqual(its.clock.now() + 600_000)
      its.clock.advance({ seconds: 100 })
    }
    its.clock.advance({ seconds: 601 })
    expect(await browser.session()).toBeNull()
  })
}

attack("CK-08", "a configured name of one cookie leaves the others unchanged", async (mode) => {
  const app = door(mode, { cookies: { sessionToken: { name: "sid" } } })
  const plain = door(mode)
  const shape = (response: Response) =>
    response.headers
      .getSetCookie()
      .map((line) => line.replace(/=[^;]*/, "").replace(/state\.[\w-]+/, "state"))
      .filter((line) => !line.includes("session-token") && !line.startsWith("sid"))
  for (const path of ["/auth/signin/op", "/auth/signin", "/auth/callback/credentials"]) {
    const [mine, usual] = [
      await app.post(path, { ...ada, callbackUrl: "/a" }),
      await plain.post(path, { ...ada, callbackUrl: "/a" }),
    ]
    expect(shape(mine)).toEqual(shape(usual))
  }
  const line = (await app.post("/auth/callback/credentials", ada)).headers
    .getSetCookie()
    .find((each) => each.startsWith("sid="))
  expect(line).toMatch(/; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/)
})

attack(
  "CK-08",
  "equal cookie names, or one that looks like a chunk of another, are a configuration error",
  async (mode) => {
    const clashes: readonly AuthConfig["cookies"][] = [
      { sessionToken: { name: "a" }, csrfToken: { name: "a" } },
      { sessionToken: { name: "a" }, csrfToken: { name: "a.0" } },
      { sessionToken: { name: "a" }, callbackUrl: { name: "a.b" } },
      { state: { name: "a" }, sessionToken: { name: "a.abcdefghij" } },
      { nonce: { name: "a" }, state: { name: "a" } },
      { sessionToken: { name: mode === "strict" ? "__Host-authjs.state.x" : "__Secure-authjs.state.x" } },
      { sessionToken: { name: "__Host-authjs.csrf-token" } },
    ]
    for (const cookies of clashes) {
      const response = await door(mode, { cookies }).get("/auth/csrf")
      expect([response.status, response.headers.getSetCookie()], JSON.stringify(cookies)).toEqual([500, []])
    }
  },
)
