import { raw } from "@latchkey/core"
import { CredentialsSignin } from "@latchkey/core/errors"
import { createServer } from "@latchkey/core/server"
import type { AuthConfig, EmailConfig, JWT, Session } from "@latchkey/core/types"
import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { createProvider, faults, frozenClock } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { strongSecret as strong } from "../modes/setup.js"
import { levels, logged, visitor } from "./setup.js"

const ada = { name: "ada", code: "open" }

async function signedIn(rest: Partial<AuthConfig> = {}) {
  const { config, log } = logged(rest)
  const server = createServer(config)
  const { to, cookies } = await server.signIn(visitor(), "credentials", { ...ada, redirectTo: "/home" })
  return { server, to, cookies, log, config }
}

describe("session", () => {
  test("is null without a cookie, and sets none", async () => {
    expect(await createServer(logged().config).session(visitor())).toEqual({ session: null, cookies: [] })
  })

  test("is what the session callback returned", async () => {
    const callbacks = {
      session: ({ session, token }: { session: Session; token: JWT }) => ({ ...session, id: token.sub }),
    }
    const { server, cookies } = await signedIn({ callbacks })
    expect((await server.session(visitor(cookies))).session).toMatchObject({ user: { name: "ada" }, id: "ada" })
  })

  test("that is due is extended, unless the caller cannot set cookies", async () => {
    const clock = frozenClock()
    const { server, cookies } = await signedIn({ runtime: clock.runtime })
    clock.advance({ days: 2 })
    const reading = await server.session(visitor(cookies), { readOnly: true })
    expect(reading).toMatchObject({ session: { expires: "2026-01-31T00:00:00.000Z" }, cookies: [] })
    const renewing = await server.session(visitor(cookies))
    expect(renewing).toMatchObject({ session: { expires: "2026-02-02T00:00:00.000Z" } })
    expect(renewing.cookies.map(({ name }) => name)).toEqual(["__Secure-authjs.session-token"])
  })

  test("that is forged has its cookie deleted", async () => {
    const { server, cookies } = await signedIn()
    const forged = cookies.map((cookie) => ({ ...cookie, value: `${cookie.value.slice(0, -4)}AAAA` }))
    const view = await server.session(visitor(forged))
    expect(view.session).toBeNull()
    expect(view).not.toHaveProperty("error")
    expect(view.cookies).toEqual([expect.objectContaining({ name: "__Secure-authjs.session-token", value: "" })])
  })

  test("without an origin uses the Host header: https except on localhost", async () => {
    const { server, cookies } = await signedIn()
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ")
    const at = (host: string) => server.session({ headers: new Headers({ cookie, host }) })
    expect((await at("app.test")).session).not.toBeNull()
    expect((await at("localhost:3000")).session).toBeNull()
  })
})

describe("signIn", () => {
  test("with credentials returns the session cookie and the address to go to", async () => {
    const { to, cookies, server } = await signedIn()
    expect(to).toBe("https://app.test/home")
    expect((await server.session(visitor(cookies))).session).toMatchObject({ user: { name: "ada" } })
  })

  test("with wrong credentials throws what `authorize` threw", async () => {
    const { server } = await signedIn()
    const attempt = server.signIn(visitor(), "credentials", { ...ada, code: "shut" })
    await expect(attempt).rejects.toBeInstanceOf(CredentialsSignin)
  })

  test.each([undefined, "unknown", "constructor"])(
    "without an existing provider (%s) returns the sign-in page",
    async (id) => {
      const { server } = await signedIn()
      expect((await server.signIn(visitor(), id)).to).toBe("https://app.test/auth/signin")
    },
  )

  test("at an OpenID provider returns its address, and `handle` finishes the sign-in", async () => {
    const op = createProvider()
    const server = createServer(logged({ providers: [op.provider()] }).config)
    const { to, cookies } = await server.signIn(visitor(), "op", { redirectTo: "/home" })
    const answer = await op.authorize(to, { as: "ada" })
    if (answer.method !== "GET") throw new Error("a redirect was expected")
    const response = await server.handle(new Request(answer.location, visitor(cookies)))
    expect(response.headers.get("location")).toBe("https://app.test/home")
    expect(response.headers.getSetCookie().join()).toContain("session-token=ey")
  })

  describe.each(["compatible", "strict"] as const)("under %s", (security) => {
    test("passes on all authorization parameters, but the values that bind the response to the attempt stay", async () => {
      const op = createProvider()
      const authorization = { params: { prompt: "login", scope: "openid" } }
      const config = { security, secret: strong, url: "https://app.test/auth" } as const
      const server = createServer(logged({ ...config, providers: [op.provider({ authorization })] }).config)
      const own = {
        login_hint: "ada@example.test",
        prompt: "consent",
        scope: "openid email calendar",
        claims: '{"id_token":{"acr":{"essential":true}}}',
        login: "ada",
        allow_signup: "false",
        show_dialog: "true",
        "x-custom": "a".repeat(1500),
        client_id: "another-client",
        redirect_uri: "https://app.test/own",
        response_mode: "form_post",
      }
      const secrets = { state: "1", nonce: "2", code_challenge: "3", code_challenge_method: "plain" }
      const { searchParams } = new URL((await server.signIn(visitor(), "op", {}, { ...own, ...secrets })).to)
      expect(Object.fromEntries(searchParams)).toEqual({
        response_type: "code",
        ...own,
        state: expect.stringMatching(/^[\w-]{43}$/),
        nonce: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge_method: "S256",
      })
    })
  })

  test.each([
    ["https://app.test/products?page=3&sort=price#top", "https://app.test/products?page=3&sort=price"],
    ["https://app.test/login?callbackUrl=/cart", "https://app.test/cart"],
    ["https://app.test/login", "https://app.test/"],
    ["https://evil.test/products?page=3", "https://app.test/"],
    ["nonsense", "https://app.test/"],
  ])("without `redirectTo` on the page %s leads to %s, as does signOut", async (referer, expected) => {
    const server = createServer(logged().config)
    const at = visitor([], { referer })
    expect((await server.signIn(at, "credentials", ada)).to).toBe(expected)
    expect((await server.signOut(at)).to).toBe(expected)
    expect((await server.signOut(at, { redirectTo: "/bye" })).to).toBe("https://app.test/bye")
  })

  test("by email sends the link and returns the verify-request page", async () => {
    const links: string[] = []
    const mail: EmailConfig = {
      id: "mail",
      name: "Mail",
      type: "email",
      sendVerificationRequest: ({ url }) => void links.push(url),
    }
    const server = createServer(logged({ providers: [mail], adapter: memoryAdapter() }).config)
    const { to } = await server.signIn(visitor(), "mail", { email: "ada@example.test", redirectTo: "/home" })
    expect(to).toBe("https://app.test/auth/verify-request?provider=mail&type=email")
    expect(new URL(links[0] ?? "").searchParams.get("callbackUrl")).toBe("https://app.test/home")
  })

  test("that the signIn callback refuses throws", async () => {
    const { config } = logged({ callbacks: { signIn: () => false } })
    await expect(createServer(config).signIn(visitor(), "credentials", ada)).rejects.toMatchObject({
      type: "AccessDenied",
    })
  })

  test.each([
    ["error page", {}, "https://app.test/auth/error?error=Configuration"],
    ["custom error page", { pages: { error: "/oops" } }, "https://app.test/oops?error=Configuration"],
  ])("at a provider that can't be reached returns the %s and logs the error once", async (_, rest, page) => {
    const op = createProvider({ faults: faults.discoveryUnreachable })
    const { config, log } = logged({ providers: [op.provider()], ...rest })
    const { to, error } = await createServer(config).signIn(visitor(), "op")
    expect([to, error?.type]).toEqual([page, "OAuthSignInError"])
    expect(levels(log)).toHaveLength(1)
  })

  test("by email returns the sign-in page if the email can't be sent", async () => {
    const mail: EmailConfig = {
      id: "mail",
      name: "Mail",
      type: "email",
      sendVerificationRequest: () => Promise.reject(new Error("mail service down")),
    }
    const server = createServer(logged({ providers: [mail], adapter: memoryAdapter() }).config)
    const { to, error } = await server.signIn(visitor(), "mail", { email: "ada@example.test" })
    expect([to, error?.type]).toEqual(["https://app.test/auth/signin?error=EmailSignin", "EmailSignInError"])
  })

  test("does not return an address on another site", async () => {
    const { server } = await signedIn()
    const { to } = await server.signIn(visitor(), "credentials", { ...ada, redirectTo: "https://evil.test/" })
    expect(to).toBe("https://app.test")
  })
})

test("signOut ends the session and returns the address to go to", async () => {
  const adapter = memoryAdapter()
  const op = createProvider()
  const server = createServer(logged({ adapter, providers: [op.provider()] }).config)
  const begun = await server.signIn(visitor(), "op")
  const answer = await op.authorize(begun.to, { as: "ada" })
  if (answer.method !== "GET") throw new Error("a redirect was expected")
  const response = await server.handle(new Request(answer.location, visitor(begun.cookies)))
  const cookie = response.headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0])
    .join("; ")
  expect(adapter.rows().sessions).toHaveLength(1)
  const { to, cookies } = await server.signOut(visitor([], { cookie }), { redirectTo: "/bye" })
  expect(to).toBe("https://app.test/bye")
  expect(adapter.rows().sessions).toEqual([])
  expect(cookies.map(({ name, value }) => [name, value])).toContainEqual(["__Secure-authjs.session-token", ""])
})

test("update passes its data to the callbacks and returns the new session with its cookie", async () => {
  const callbacks = {
    jwt: ({ token, trigger, session }: { token: JWT; trigger?: string; session?: object }) =>
      trigger === "update" ? { ...token, name: String(Object.values(session ?? {})[0]) } : token,
  }
  const { server, cookies } = await signedIn({ callbacks })
  const view = await server.update(visitor(cookies), { name: "Ada L." })
  expect(view.session).toMatchObject({ user: { name: "Ada L." } })
  expect((await server.session(visitor(view.cookies))).session).toMatchObject({ user: { name: "Ada L." } })
  expect((await server.update(visitor(), { name: "x" })).session).toBeNull()
})

describe("a configuration that is a function of the request", () => {
  const tenants = new Map(["a", "b"].map((id) => [id, logged({ basePath: `/${id}/auth` }).config]))
  const of = (id: string) => visitor([], { "x-tenant": id })
  const server = createServer(
    (who) => tenants.get(who?.headers.get("x-tenant") ?? "") ?? Promise.reject(new Error("no such tenant")),
  )

  test("is called by every method", async () => {
    expect((await server.signIn(of("a"))).to).toBe("https://app.test/a/auth/signin")
    expect((await server.signIn(of("b"))).to).toBe("https://app.test/b/auth/signin")
    const request = new Request("https://app.test/b/auth/csrf", { headers: { "x-tenant": "b" } })
    expect((await server.handle(request)).status).toBe(200)
  })

  test("that throws means no session, with the reason", async () => {
    const view = await server.session(of("c"))
    expect(view).toMatchObject({ session: null, cookies: [], error: { message: "no such tenant" } })
    await expect(server.signIn(of("c"))).rejects.toThrow("no such tenant")
  })
})

describe("an invalid configuration fails closed", () => {
  const broken: readonly (readonly [string, Partial<AuthConfig>, string])[] = [
    ["no secret", { secret: undefined }, "MissingSecret"],
    ["no trust", { trustHost: undefined }, "UntrustedHost"],
    ["a foreign host", { trustHost: ["other.test"] }, "UntrustedHost"],
    ["no adapter for links", { session: { strategy: "database" }, providers: [] }, "MissingAdapter"],
  ]

  test.each(broken)("%s: session() returns the reason, and logs it once", async (_, rest, type) => {
    const { config, log } = logged(rest)
    const view = await createServer(config).session(visitor())
    expect(view).toMatchObject({ session: null, cookies: [], error: { type } })
    expect(log.entries.filter(({ level }) => level === "error").map(({ detail }) => detail)).toEqual([
      expect.objectContaining({ type }),
    ])
  })

  test.each(broken)("%s: signIn, signOut and update throw", async (_, rest, type) => {
    const server = createServer(logged(rest).config)
    await expect(server.signIn(visitor(), "credentials", ada)).rejects.toMatchObject({ type })
    await expect(server.signOut(visitor())).rejects.toMatchObject({ type })
    await expect(server.update(visitor(), {})).rejects.toMatchObject({ type })
  })

  test.each(broken)("%s: handle does not send the cause", async (_, rest) => {
    const response = await createServer(logged(rest).config).handle(new Request("https://app.test/auth/session"))
    expect(response.status).toBeGreaterThanOrEqual(400)
    expect(await response.text()).not.toMatch(/secret|trustHost|adapter/i)
  })
})

test("a callback that fails keeps the cookie, returns the error and is logged once", async () => {
  const { config, log } = logged({ callbacks: { session: () => Promise.reject(new Error("away")) } })
  const server = createServer(config)
  const { cookies } = await server.signIn(visitor(), "credentials", ada)
  const view = await server.session(visitor(cookies))
  expect(view).toMatchObject({ session: null, cookies: [], error: { type: "JWTSessionError" } })
  expect(levels(log)).toHaveLength(1)
})

test("`raw` is refused by `handle`, which can only answer with a Response", async () => {
  const server = createServer(logged({ raw }).config)
  await expect(server.handle(new Request("https://app.test/auth/session"))).rejects.toThrow(/raw/)
})

test("cookies passed by the framework take precedence over the header", async () => {
  const { server, cookies } = await signedIn()
  const { headers, origin } = visitor(cookies)
  const cookie = headers.get("cookie") ?? ""
  expect((await server.session({ headers: new Headers(), origin, cookie })).session).not.toBeNull()
  expect((await server.session({ headers, origin, cookie: "" })).session).toBeNull()
  const left = await server.signOut({ headers: new Headers(), origin, cookie })
  expect(left.cookies).toContainEqual(expect.objectContaining({ name: "__Secure-authjs.session-token", value: "" }))
})
