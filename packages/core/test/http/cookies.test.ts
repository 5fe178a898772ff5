import { describe, expect, test } from "vitest"
import type { JWT } from "@latchkey/core/types"
import {
  app,
  callbackCookie,
  cookieNames,
  csrfCookie,
  csrfPair,
  op,
  sessionCookie,
  sessionOf,
  setCookies,
  signedIn,
} from "./app.js"

const part = 3936

/** Text that makes a session this many cookies long. */
function padding(parts: number): string {
  return parts === 1 ? "" : "x".repeat(Math.floor(((parts - 0.5) * part * 3) / 4))
}

/** The `Cookie` header of a session in `parts` cookies. */
async function sent(parts: number): Promise<string> {
  const token = await sessionOf({ padding: padding(parts) })
  if (parts === 1) return `${sessionCookie}=${token}`
  const list = Array.from(
    { length: parts },
    (_, at) => `${sessionCookie}.${at}=${token.slice(at * part, (at + 1) * part)}`,
  )
  return list.join("; ")
}

/** The names of cookies that a response sets and clears. */
function changes(response: Response) {
  const lines = setCookies(response)
  const isGone = (line: string) => line.includes("=; Max-Age=0;")
  const name = (line: string) => line.split("=", 1)[0]
  return { set: lines.filter((line) => !isGone(line)).map(name), gone: lines.filter(isGone).map(name) }
}

describe("names and attributes", () => {
  test.each([
    [
      "https://app.test",
      "__Secure-authjs.session-token",
      "__Secure-authjs.callback-url",
      "__Host-authjs.csrf-token",
      "; Secure",
    ],
    ["http://app.test", "authjs.session-token", "authjs.callback-url", "authjs.csrf-token", ""],
  ])("at %s are those of Auth.js", async (at, session, callback, csrf, secure) => {
    const { post, get, send } = app({}, at)
    const attributes = `Path=/; HttpOnly${secure}; SameSite=Lax`
    expect(setCookies(await get("/auth/csrf"))[0]).toMatch(
      new RegExp(`^${csrf}=[0-9a-f]{64}%7C[0-9a-f]{64}; ${attributes}$`),
    )
    expect(setCookies(await post("/auth/signin", { callbackUrl: "/a" }))).toEqual([
      `${callback}=${encodeURIComponent(`${at}/a`)}; Max-Age=3600; ${attributes}`,
    ])
    const signIn = await post("/auth/callback/credentials", { name: "ada", password: "open" })
    const line = setCookies(signIn).find((each) => each.startsWith(`${session}=`))
    expect(line).toMatch(
      new RegExp(`^${session}=[\\w.-]+; Path=/; Expires=[^;]+ GMT; HttpOnly${secure}; SameSite=Lax$`),
    )
    expect((await csrfPair(send)).cookie).toMatch(csrf)
  })

  test.each([true, false])("useSecureCookies %s overrides the scheme", async (useSecureCookies) => {
    const { get } = app({ useSecureCookies }, useSecureCookies ? "http://app.test" : "https://app.test")
    expect(cookieNames(await get("/auth/csrf"))).toEqual([useSecureCookies ? csrfCookie : "authjs.csrf-token"])
  })

  test("custom names and options are used to set and clear a cookie", async () => {
    const cookies = { sessionToken: { name: "sid", options: { domain: "app.test", sameSite: "strict" as const } } }
    const { post, get } = app({ cookies })
    const line = setCookies(await post("/auth/callback/credentials", { name: "ada", password: "open" })).find((each) =>
      each.startsWith("sid="),
    )
    expect(line).toMatch(/; Domain=app\.test; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Strict$/)
    expect(setCookies(await get("/auth/session", { cookie: "sid=x" }))).toEqual([
      "sid=; Max-Age=0; Domain=app.test; Path=/; HttpOnly; Secure; SameSite=Strict",
    ])
  })

  test("the cookie of an OAuth flow lives 15 minutes, and its name ends like the state", async () => {
    const response = await app({ providers: [op.provider()] }).post(`/auth/signin/${op.id}`)
    const state = new URL(response.headers.get("location") ?? "").searchParams.get("state") ?? ""
    const [line = ""] = setCookies(response)
    const [, tail = ""] = /^__Host-authjs\.state\.([^=]+)=/.exec(line) ?? []
    expect(tail).not.toBe("")
    expect(state.endsWith(tail)).toBe(true)
    expect(line).toMatch(/; Max-Age=900; Path=\/;.* HttpOnly; Secure; SameSite=Lax$/)
  })
})

describe("long sessions", () => {
  test.each([2, 3, 8])("a sealed session in %i parts is read", async (parts) => {
    const response = await app().get("/auth/session", { cookie: await sent(parts) })
    expect([await response.json(), cookieNames(response)]).toMatchObject([{ user: { name: "ada" } }, []])
  })

  test("every part but the last has 3,936 characters, and all have the same attributes", async () => {
    const jwt = ({ token }: { token: JWT }) => ({ ...token, padding: padding(3) })
    const lines = setCookies(
      await app({ callbacks: { jwt } }).post("/auth/callback/credentials", { name: "a", password: "open" }),
    )
    const parts = lines.filter((line) => line.startsWith(`${sessionCookie}.`))
    expect(parts.map((line) => line.split("=", 1)[0])).toEqual([0, 1, 2].map((at) => `${sessionCookie}.${at}`))
    const values = parts.map((line) => line.split(/[=;]/)[1] ?? "")
    expect(values.slice(0, -1).map(({ length }) => length)).toEqual([part, part])
    expect(new Set(parts.map((line) => line.slice(line.indexOf(";")))).size).toBe(1)
  })

  test.each([
    [1, 3, [0, 1, 2], [""]],
    [3, 1, [""], [0, 1, 2]],
    [3, 2, [0, 1], [2]],
    [2, 3, [0, 1, 2], []],
  ] as const)("from %i to %i parts, unused parts are cleared", async (from, to, written, removed) => {
    const jwt = ({ token }: { token: JWT }) => ({ ...token, padding: padding(to) })
    const response = await app({ callbacks: { jwt } }).get("/auth/session", { cookie: await sent(from) })
    const name = (at: number | string) => (at === "" ? sessionCookie : `${sessionCookie}.${at}`)
    const { set, gone } = changes(response)
    expect([set.toSorted(), gone.toSorted()]).toEqual([written.map(name).toSorted(), removed.map(name).toSorted()])
  })

  test("the session survives when it shrinks from three parts to one and grows again", async () => {
    let parts = 3
    const jwt = ({ token }: { token: JWT }) => ({ ...token, padding: padding(parts) })
    const browser = await signedIn({ callbacks: { jwt } })
    for (parts of [1, 3, 2, 1]) {
      expect(await browser.session()).toMatchObject({ user: { name: "ada" } })
      const names = browser.cookies.map(({ name }) => name).filter((name) => name.startsWith(sessionCookie))
      expect(names).toHaveLength(parts)
    }
  })

  test("sign-out clears every part", async () => {
    const cookie = await sent(3)
    const { gone } = changes(await app().post("/auth/signout", {}, { cookie }))
    expect(gone).toEqual([0, 1, 2].map((at) => `${sessionCookie}.${at}`))
  })

  test.each(["-old", ".old", ".0x", ".1.2", "2", ".-1", ".1e1"])(
    "another cookie with the suffix %s is neither read nor cleared",
    async (suffix) => {
      const cookie = `${sessionCookie}${suffix}=foreign; ${await sent(1)}`
      const { get, post } = app()
      expect(await (await get("/auth/session", { cookie })).json()).toMatchObject({ user: { name: "ada" } })
      expect(changes(await post("/auth/signout", {}, { cookie })).gone).toEqual([sessionCookie])
      expect(cookieNames(await get("/auth/session", { cookie: `${sessionCookie}${suffix}=foreign` }))).toEqual([])
    },
  )

  test("parts with a gap are no session, and the order of parts doesn't matter", async () => {
    const parts = (await sent(3)).split("; ")
    const { get } = app()
    expect(await (await get("/auth/session", { cookie: parts.toSpliced(1, 1).join("; ") })).json()).toBeNull()
    expect(await (await get("/auth/session", { cookie: parts.toReversed().join("; ") })).json()).not.toBeNull()
  })
})

const deviceCookie = "__Host-authjs.device"

test("a sign-in sets the session cookie first, then clears the CSRF cookie and sets the callback URL cookie", async () => {
  const response = await app().post(
    "/auth/callback/credentials",
    { name: "ada", password: "open", callbackUrl: "/a" },
    { cookie: `${callbackCookie}=x` },
  )
  expect(changes(response)).toEqual({
    set: [sessionCookie, callbackCookie, deviceCookie],
    gone: [csrfCookie],
  })
  expect(cookieNames(response)).toEqual([sessionCookie, csrfCookie, callbackCookie, deviceCookie])
})
