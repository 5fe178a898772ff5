import { memoryAdapter } from "@latchkey/adapter-kit"
import { Auth, type AuthConfig } from "@latchkey/core"
import { getToken } from "@latchkey/core/jwt"
import { createSessionReader } from "@latchkey/core/session-reader"
import { createServer } from "@latchkey/core/server"
import { type Browser, frozenClock } from "@latchkey/testing"
import { beforeEach, describe, expect, test, vi } from "vitest"
import { byName, lastOf, mailer, nextSecret, secret } from "./applications.js"
import { type NextAuthOptions, sessionAt, upgrade, version4At } from "./version4.js"

beforeEach(() => {
  vi.stubEnv("AUTH_TRUST_HOST", "true")
})

const medium = "n".repeat(1500)
const long = "n".repeat(6000)
const https = "https://app.test"

type Settings = Partial<Pick<AuthConfig, "cookies" | "secret" | "session" | "callbacks" | "jwt" | "security" | "url">>

async function applications(origin = https, ours: Settings = {}, version4: Partial<NextAuthOptions> = {}) {
  return upgrade(
    {
      version4: { providers: [byName], secret, ...version4 },
      ours: { providers: [byName], secret, ...ours },
    },
    origin,
  )
}

function names({ cookies }: Browser): string[] {
  return cookies
    .map(({ name }) => name)
    .filter((name) => /session-token|^sid/.test(name))
    .sort()
}

function expectSession(session: unknown, name = "Ada"): void {
  expect(session).toMatchObject({ user: { name, email: "ada@example.test" } })
}

const situations: [situation: string, origin: string, name: string, own: string, former: string][] = [
  ["over https", https, "Ada", "__Secure-authjs.session-token", "__Secure-next-auth.session-token"],
  ["over http", "http://app.test", "Ada", "authjs.session-token", "next-auth.session-token"],
  ["over https, that is large", https, medium, "__Secure-authjs.session-token", "__Secure-next-auth.session-token"],
]

describe.each(situations)("a session of version 4 %s", (_situation, origin, name, own, former) => {
  test("continues under our cookie, and the old cookie stays for a rollback", async () => {
    const { version4, ours } = await applications(origin)
    await version4.signIn("credentials", { name })
    expect(names(ours)).toEqual([former])
    expectSession(await ours.session(), name)
    expect(names(ours)).toEqual([former, own].sort())
    expectSession(await ours.session(), name)
    expectSession(await sessionAt(version4), name)
  })

  test("ends at both with a sign-out at Latchkey", async () => {
    const { version4, ours } = await applications(origin)
    await version4.signIn("credentials", { name })
    await ours.session()
    await ours.signOut()
    expect(names(ours)).toEqual([])
    expect(await ours.session()).toBeNull()
    expect(await sessionAt(version4)).toBeNull()
  })

  test("ends with a sign-out that is the first request to Latchkey", async () => {
    const { version4, ours } = await applications(origin)
    await version4.signIn("credentials", { name })
    await ours.signOut()
    expect(names(ours)).toEqual([])
  })

  test("gives way to a sign-in at Latchkey, also for version 4", async () => {
    const { version4, ours } = await applications(origin)
    await version4.signIn("credentials", { name })
    await ours.signIn("credentials", { name: "Grace" })
    expectSession(await ours.session(), "Grace")
    expect(names(ours)).toEqual([own])
    expect(await sessionAt(version4)).toBeNull()
  })
})

describe("a session of version 4 in several cookies", () => {
  test("continues, and the old cookies go if the request would be too long with both", async () => {
    const { version4, ours } = await applications()
    await version4.signIn("credentials", { name: long })
    expect(names(ours)).toEqual([0, 1, 2].map((part) => `__Secure-next-auth.session-token.${part}`))
    expectSession(await ours.session(), long)
    expect(names(ours)).toEqual([0, 1, 2].map((part) => `__Secure-authjs.session-token.${part}`))
    expectSession(await ours.session(), long)
  })

  test("goes too if only the two sessions together are too long", async () => {
    const { version4, ours } = await applications()
    const name = "n".repeat(3300)
    await version4.signIn("credentials", { name })
    expectSession(await ours.session(), name)
    expect(names(ours)).toEqual([0, 1].map((part) => `__Secure-authjs.session-token.${part}`))
  })

  test("goes too when ours grows", async () => {
    const grow = { callbacks: { jwt: ({ token }: { token: object }) => ({ ...token, name: "n".repeat(4000) }) } }
    const { version4, ours } = await applications()
    await version4.signIn("credentials", { name: medium })
    await ours.session()
    const { ours: growing } = await applications(https, grow)
    for (const cookie of ours.cookies) growing.jar.put(cookie)
    await growing.session()
    expect(names(growing)).toEqual([0, 1].map((part) => `__Secure-authjs.session-token.${part}`))
  })

  test("stays in them while both versions share it", async () => {
    const { version4, ours } = await applications(https, { session: { version4: { share: true } } })
    await version4.signIn("credentials", { name: long })
    expectSession(await ours.session(), long)
    expect(names(ours)).toEqual([0, 1, 2].map((part) => `__Secure-next-auth.session-token.${part}`))
    expectSession(await sessionAt(version4), long)
  })
})

test("the claims of version 4 are kept, and callbacks get them", async () => {
  const seen: unknown[] = []
  const { version4, ours } = await applications(
    https,
    {
      callbacks: {
        jwt: ({ token, trigger }) => {
          seen.push({ ...token, trigger })
          return token
        },
        session: ({ session, token }) => ({ ...session, role: token["role"], id: token.sub }),
      },
    },
    { callbacks: { jwt: ({ token }: { token: object }) => ({ ...token, role: "admin", nested: { a: ["ü😀"] } }) } },
  )
  await version4.signIn("credentials", { name: "Ada" })
  expect(await ours.session()).toMatchObject({ id: "id of Ada", role: "admin", user: { name: "Ada" } })
  expect(seen).toEqual([
    expect.objectContaining({
      name: "Ada",
      sub: "id of Ada",
      role: "admin",
      nested: { a: ["ü😀"] },
      trigger: undefined,
    }),
  ])
  for (const cookie of ours.cookies.filter(({ name }) => name.includes("next-auth.")))
    ours.jar.put({ ...cookie, expires: 1 })
  expect(names(ours)).toEqual(["__Secure-authjs.session-token"])
  expect(await ours.session()).toMatchObject({ id: "id of Ada", role: "admin" })
})

test.each([
  ["one of several secrets", { secret: [nextSecret, secret] }, {}],
  ["`jwt.secret`", { secret: nextSecret, jwt: { secret } }, { secret: nextSecret, jwt: { secret } }],
])("a session of version 4 is opened with %s", async (_case, ours, version4) => {
  const both = await applications(https, ours, version4)
  await both.version4.signIn("credentials", { name: "Ada" })
  expectSession(await both.ours.session())
})

test("with another secret, the cookie of version 4 isn't a session, and it stays for a rollback", async () => {
  const { version4, ours } = await applications(https, { secret: nextSecret })
  await version4.signIn("credentials", { name: "Ada" })
  expect(await ours.session()).toBeNull()
  expectSession(await sessionAt(version4))
})

test("a cookie of version 4 that can't be opened is logged once a minute, and one that has expired isn't", async () => {
  const errors: Error[] = []
  const logger = { error: (error: Error) => errors.push(error) }
  const clock = frozenClock(Date.now())
  const config = { providers: [byName], secret: nextSecret, trustHost: true, basePath: "/api/auth", logger }
  const made = await applications()
  await made.version4.signIn("credentials", { name: "Ada" })
  const cookie = made.ours.cookies.map(({ name, value }) => `${name}=${value}`).join("; ")
  const read = async (secret: string): Promise<number> => {
    errors.length = 0
    const request = new Request("https://app.test/api/auth/session", { headers: { cookie } })
    await Auth(request, { ...config, secret, runtime: clock.runtime })
    return errors.length
  }
  expect([await read(nextSecret), await read(nextSecret)]).toEqual([1, 0])
  clock.advance({ minutes: 2 })
  expect(await read(nextSecret)).toBe(1)
  expect(errors[0]).toMatchObject({ type: "JWTSessionError", message: expect.stringContaining("none of the secrets") })
  clock.advance({ days: 31 })
  expect(await read(secret)).toBe(0)
})

test("`version4: false` doesn't read or remove the cookie of version 4", async () => {
  const { version4, ours } = await applications(https, { session: { version4: false } })
  await version4.signIn("credentials", { name: "Ada" })
  expect(await ours.session()).toBeNull()
  expectSession(await sessionAt(version4))
})

describe("under custom cookie names", () => {
  const renamed = (name: string): Partial<NextAuthOptions> => ({
    cookies: { sessionToken: { name, options: { httpOnly: true, sameSite: "lax", path: "/", secure: true } } },
  })

  test("`version4.cookie` names the cookie of version 4", async () => {
    const settings = { session: { version4: { cookie: { name: "sid4" } } } }
    const { version4, ours } = await applications(https, settings, renamed("sid4"))
    await version4.signIn("credentials", { name: "Ada" })
    expectSession(await ours.session())
    await ours.signOut()
    expect(ours.cookies.map(({ name }) => name)).not.toContain("sid4")
  })

  test("the same name in both configurations continues the session", async () => {
    const settings = { cookies: { sessionToken: { name: "sid" } } }
    const { version4, ours } = await applications(https, settings, renamed("sid"))
    await version4.signIn("credentials", { name: long })
    expectSession(await ours.session(), long)
    expectSession(await ours.session(), long)
    await ours.signIn("credentials", { name: "Grace" })
    expectSession(await ours.session(), "Grace")
    expect(names(ours)).toEqual(["sid"])
  })

  test("the same name can be shared, so that a rollback opens every session", async () => {
    const settings = { cookies: { sessionToken: { name: "sid" } }, session: { version4: { share: true } } }
    const { version4, ours } = await applications(https, settings, renamed("sid"))
    await version4.signIn("credentials", { name: "Ada" })
    expectSession(await ours.session())
    expectSession(await sessionAt(version4))
    await ours.signIn("credentials", { name: "Grace" })
    expectSession(await sessionAt(version4), "Grace")
  })

  test("a cookie with a domain is removed with the domain, and without one", async () => {
    const domain = "app.test"
    const { version4, ours } = await applications(
      https,
      { session: { version4: { cookie: { options: { domain } } } } },
      renamed("__Secure-next-auth.session-token"),
    )
    await version4.signIn("credentials", { name: "Ada" })
    expectSession(await ours.session())
    await ours.signOut()
    expect(names(ours)).toEqual([])
  })
})

describe("while both versions share sessions", () => {
  const shared = { session: { version4: { share: true } } }

  test("a session that began at either is renewed by either", async () => {
    const { version4, ours } = await applications(https, shared)
    await ours.signIn("credentials", { name: "Ada" })
    expect(names(ours)).toEqual(["__Secure-next-auth.session-token"])
    for (let turn = 0; turn < 2; turn++) {
      expectSession(await sessionAt(version4))
      expectSession(await ours.session())
    }
    expect(names(ours)).toEqual(["__Secure-next-auth.session-token"])
  })

  test("version 4 opens every session, also after the secret was rotated", async () => {
    const { version4, ours } = await applications(https, { ...shared, secret: [nextSecret, secret] })
    await ours.signIn("credentials", { name: "Ada" })
    expectSession(await sessionAt(version4))
    expectSession(await ours.session())
  })

  test("a sign-out at either ends it at both", async () => {
    const { version4, ours } = await applications(https, shared)
    await ours.signIn("credentials", { name: "Ada" })
    await version4.signOut()
    expect(await ours.session()).toBeNull()
    await version4.signIn("credentials", { name: "Ada" })
    await ours.signOut()
    expect(await sessionAt(version4)).toBeNull()
  })

  test("another user who signs in at either replaces the first", async () => {
    const { version4, ours } = await applications(https, shared)
    await ours.signIn("credentials", { name: "Ada" })
    await version4.signIn("credentials", { name: "Grace" })
    expectSession(await ours.session(), "Grace")
    await ours.signIn("credentials", { name: "Ada" })
    expectSession(await sessionAt(version4))
  })

  test("a session from before sharing moves into the cookie of version 4", async () => {
    const { version4, ours } = await applications(https, shared)
    const before = await applications(https)
    await before.ours.signIn("credentials", { name: "Ada" })
    for (const cookie of before.ours.cookies) ours.jar.put(cookie)
    expectSession(await ours.session())
    expect(names(ours)).toEqual(["__Secure-next-auth.session-token"])
    expectSession(await sessionAt(version4))
  })

  test("a session continues when sharing ends", async () => {
    const sharing = await applications(https, shared)
    await sharing.ours.signIn("credentials", { name: "Ada" })
    const { ours } = await applications()
    for (const cookie of sharing.ours.cookies) ours.jar.put(cookie)
    expectSession(await ours.session())
    expect(names(ours)).toContain("__Secure-authjs.session-token")
  })
})

describe("custom `jwt.encode` and `jwt.decode`", () => {
  const calls: unknown[] = []
  const jwt = {
    encode: ({ token }: { token?: object | undefined }) => Buffer.from(JSON.stringify(token)).toString("base64url"),
    decode: (params: { token?: string | undefined; secret: unknown; salt?: string }) => {
      calls.push({ secret: params.secret, salt: params.salt, keys: Object.keys(params).toSorted() })
      return JSON.parse(Buffer.from(params.token ?? "", "base64url").toString())
    },
  }
  const custom = { jwt: jwt }

  beforeEach(() => {
    calls.length = 0
  })

  test("`decode` is called as version 4 calls it for its cookie, and as version 5 does for ours", async () => {
    const { version4, ours } = await applications(https, custom, custom)
    await version4.signIn("credentials", { name: "Ada" })
    calls.length = 0
    expectSession(await ours.session())
    expect(calls).toEqual([{ secret, salt: "", keys: ["decode", "encode", "maxAge", "salt", "secret", "token"] }])
    expectSession(await ours.session())
    expect(calls.at(-1)).toMatchObject({ secret, salt: "__Secure-authjs.session-token" })
    expectSession(await sessionAt(version4))
  })

  test("while sessions are shared, `encode` makes tokens that version 4 opens", async () => {
    const { version4, ours } = await applications(https, { ...custom, session: { version4: { share: true } } }, custom)
    await ours.signIn("credentials", { name: "Ada" })
    expectSession(await sessionAt(version4))
  })
})

describe("a session in the database", () => {
  async function stored(ours: Settings = {}) {
    const adapter = memoryAdapter()
    const { provider, links } = mailer()
    const both = await upgrade({
      version4: { providers: [provider], adapter: adapter, secret },
      ours: { providers: [provider], adapter, secret, ...ours },
    })
    return { ...both, adapter, links }
  }

  test("of version 4 continues under our cookie with the same row, and works at version 4", async () => {
    const { version4, ours, adapter, links } = await stored()
    await version4.signIn("mail", { email: "ada@example.test" })
    await version4.get(lastOf(links))
    expect(await ours.session()).toMatchObject({ user: { email: "ada@example.test" } })
    expect(adapter.rows().sessions).toHaveLength(1)
    expect(names(ours)).toEqual(["__Secure-authjs.session-token", "__Secure-next-auth.session-token"])
    expect(await sessionAt(version4)).toMatchObject({ user: { email: "ada@example.test" } })
    await ours.signOut()
    expect(adapter.rows().sessions).toEqual([])
    expect(names(ours)).toEqual([])
  })

  test("of version 4 that follows one of ours ends with it", async () => {
    const { version4, ours, adapter, links } = await stored()
    await ours.signIn("mail", { email: "ada@example.test" })
    await ours.get(lastOf(links))
    await version4.signIn("mail", { email: "ada@example.test" })
    await version4.get(lastOf(links))
    expect(adapter.rows().sessions).toHaveLength(2)
    await ours.signOut()
    expect(adapter.rows().sessions).toEqual([])
  })

  test("can be shared", async () => {
    const { version4, ours, links } = await stored({ session: { version4: { share: true } } })
    await ours.signIn("mail", { email: "ada@example.test" })
    await ours.get(lastOf(links))
    expect(await sessionAt(version4)).toMatchObject({ user: { email: "ada@example.test" } })
    await version4.signOut()
    expect(await ours.session()).toBeNull()
  })

  test("an email link of version 4 signs in at Latchkey", async () => {
    const { version4, ours, links } = await stored()
    await version4.signIn("mail", { email: "ada@example.test", callbackUrl: "/welcome" })
    await ours.get(lastOf(links))
    await ours.submitForm("callback/mail")
    expect(await ours.session()).toMatchObject({ user: { email: "ada@example.test" } })
    expect(new URL(ours.location).pathname).toBe("/welcome")
  })
})

describe("a sign-in that began at version 4", () => {
  test("continues with an open form", async () => {
    const { version4, ours } = await applications()
    const csrfToken = (await version4.csrf()) ?? "none"
    await ours.post("/api/auth/callback/credentials", { csrfToken, name: "Ada", callbackUrl: "/welcome" })
    expectSession(await ours.session())
    expect(new URL(ours.location).pathname).toBe("/welcome")
    expect(ours.cookies.map(({ name }) => name)).not.toContain("__Host-next-auth.csrf-token")
  })

  test("a forged form isn't accepted with a CSRF token of version 4", async () => {
    const { version4, ours } = await applications()
    await version4.csrf()
    await ours.post("/api/auth/callback/credentials", { csrfToken: "0".repeat(64), name: "Ada" })
    expect(await ours.session()).toBeNull()
  })
})

describe("every entry reads a session of version 4", () => {
  const headersOf = ({ cookies }: Browser, only = /./) =>
    new Headers({
      cookie: cookies
        .filter(({ name }) => only.test(name))
        .map(({ name, value }) => `${name}=${value}`)
        .join("; "),
    })

  async function signedIn(): Promise<Browser> {
    const { version4 } = await applications()
    await version4.signIn("credentials", { name: "Ada" })
    return version4
  }

  const config = { providers: [byName], secret, trustHost: true, basePath: "/api/auth" }

  test("Auth, createServer and createSessionReader", async () => {
    const headers = headersOf(await signedIn())
    const response = await Auth(new Request("https://app.test/api/auth/session", { headers }), config)
    expectSession(await response.json())
    for (const reader of [createServer(config), createSessionReader(config)]) {
      const { session, cookies } = await reader.session({ headers, origin: https })
      expectSession(session)
      expect(cookies.map(({ name }) => name)).toEqual(["__Secure-authjs.session-token"])
      const readOnly = await reader.session({ headers, origin: https }, { readOnly: true })
      expectSession(readOnly.session)
      expect(readOnly.cookies).toEqual([])
    }
  })

  test("`getToken`, from the cookie and from the `Authorization` header", async () => {
    const browser = await signedIn()
    const options = { secret, secureCookie: true }
    expect(await getToken({ req: { headers: headersOf(browser) }, ...options })).toMatchObject({ sub: "id of Ada" })
    const raw = await getToken({ req: { headers: headersOf(browser) }, ...options, raw: true })
    const headers = new Headers({ authorization: `Bearer ${encodeURIComponent(raw ?? "")}` })
    expect(await getToken({ req: { headers }, ...options })).toMatchObject({ sub: "id of Ada" })
    expect(await getToken({ req: { headers }, ...options, version4: false })).toBeNull()
    const cookieName = "__Secure-next-auth.session-token"
    expect(await getToken({ req: { headers: headersOf(browser) }, secret, cookieName })).toMatchObject({ name: "Ada" })
    expect(await getToken({ req: { headers: headersOf(browser) }, ...options, version4: false })).toBeNull()
  })

  test("version 4 is asked once more after a rollback of a rollback", async () => {
    const browser = await signedIn()
    const { ours } = await applications()
    for (const cookie of browser.cookies) ours.jar.put(cookie)
    expectSession(await ours.session())
    const back = version4At({ providers: [byName], secret }, ours)
    expectSession(await sessionAt(back))
    expectSession(await ours.session())
  })
})
