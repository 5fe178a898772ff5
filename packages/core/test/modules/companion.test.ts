import { Auth } from "@latchkey/core"
import { companionCookie, defineModule, type Module, route } from "@latchkey/core/module"
import credentials from "@latchkey/core/providers/credentials"
import { createServer } from "@latchkey/core/server"
import { createSessionReader } from "@latchkey/core/session-reader"
import type { AuthConfig } from "@latchkey/core/types"
import { type Browser, captureLog, visit } from "@latchkey/testing"
import { describe, expect, test } from "vitest"

// A module adds headers to the response to a sign-in, and wants a cookie of its own beside the session.

const url = "https://app.test/auth"

const password = credentials({
  credentials: { name: {} },
  authorize: ({ name }) => ({ id: String(name), name: String(name) }),
})

const settingsOf = (modules: readonly Module[], more: Partial<AuthConfig> = {}): AuthConfig => ({
  secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGqR8eJ2aV5pLw",
  url,
  rateLimit: false,
  providers: [password],
  logger: captureLog().logger,
  modules,
  ...more,
})

/** Answers a sign-in with these headers. */
const answering = (headers: Readonly<Record<string, string>>) =>
  defineModule({ id: "headers", load: async () => ({ after: async () => headers }) })

async function signInAs(config: AuthConfig, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  const browser = await visit(config)
  const csrfToken = (await browser.csrf()) ?? ""
  const body = new URLSearchParams({ name: "ada", csrfToken })
  const cookie = browser.jar.header({ url: new URL(url), method: "POST", sameSite: true, navigation: false })
  const sent = { cookie, origin: "https://app.test", ...headers }
  return Auth(new Request(`${url}/callback/credentials`, { method: "POST", body, headers: sent }), config)
}

describe("headers of the response to a sign-in", () => {
  test.each([
    ["a redirect", {}, 302],
    ["the JSON of a script", { "x-auth-return-redirect": "1" }, 200],
    ["a step of a flow", { accept: "application/json" }, 200],
  ])("are in %s", async (_, headers, status) => {
    const response = await signInAs(settingsOf([answering({ "X-Offer": "a key" })]), headers)
    expect([response.status, response.headers.get("x-offer")]).toEqual([status, "a key"])
    expect(response.headers.getSetCookie().join()).toContain("session-token=")
  })

  test("don't change those that the response has", async () => {
    const own = { "Cache-Control": "public", Location: "https://evil.test/", "x-offer": "a key" }
    const [plain, response] = [await signInAs(settingsOf([])), await signInAs(settingsOf([answering(own)]))]
    for (const name of ["cache-control", "location"]) expect(response.headers.get(name)).toBe(plain.headers.get(name))
    expect(response.headers.get("x-offer")).toBe("a key")
  })

  test.each([{ "set-cookie": "a=b" }, { "Set-Cookie": "a=b" }, { "not a name": "x" }, { "x-offer": "line\nbreak" }])(
    "that aren't ones, or set cookies, are left out, and the user is signed in: %j",
    async (headers) => {
      const log = captureLog()
      const response = await signInAs(settingsOf([answering(headers)], { logger: log.logger }))
      expect(response.headers.get("x-offer")).toBeNull()
      expect(response.headers.getSetCookie().join()).not.toContain("a=b")
      expect(response.headers.getSetCookie().join()).toContain("session-token=")
      expect(log.entries.map(({ text }) => text).join()).toContain("`after` of the module headers failed")
    },
  )
})

/** Wants its cookie, which its route sets again. */
const wanting = defineModule({
  id: "want",
  stepUp: true,
  needsCookie: companionCookie("seal"),
  load: async () => ({
    async after({ seal, setCookie }, { id }) {
      if (id !== undefined) setCookie("seal", await seal({ accompanies: id }, 600), 600)
      return {}
    },
    routes: [
      route("GET", "again", { session: "none" }, async ({ seal, setCookie, signIn, json }) => {
        const id = (await signIn())?.id ?? ""
        return json({ id, header: setCookie("seal", await seal({ accompanies: id }, 600), 600) })
      }),
    ],
  }),
})

/** The name of the user, as the route, server code, code that only reads sessions, and a module of the application see it. */
async function who(config: AuthConfig, browser: Browser): Promise<readonly unknown[]> {
  const cookie = browser.cookies.map(({ name, value }) => `${name}=${value}`).join("; ")
  const visitor = { headers: new Headers({ cookie }), origin: "https://app.test" }
  const { providers: _, ...forReader } = config
  const views = [createServer(config), createSessionReader(forReader)].map((each) => each.session(visitor))
  const read = await Promise.all(views)
  expect(read.flatMap(({ cookies, error }) => [...cookies, ...(error ? [error] : [])])).toEqual([])
  const module = await (await browser.fetch("/auth/see/user")).json()
  const names = [await browser.session(), ...read.map(({ session }) => session)].map((each) => Object(each).user?.name)
  return [...names, module?.name]
}

const seeing = defineModule({
  id: "see",
  load: async () => ({
    routes: [route("GET", "user", { session: "none" }, async ({ json }, user) => json(user))],
  }),
})

describe("a cookie that a module wants beside the session", () => {
  const name = "__Host-authjs.want.seal"
  const config = settingsOf([wanting, seeing])
  const [ada, none] = [Array.from({ length: 4 }, () => "ada"), Array.from({ length: 4 }, () => undefined)]

  test("is set at the sign-in, and without it no user is signed in, while the session cookie stays", async () => {
    const browser = await visit(config)
    await browser.signIn("credentials", { name: "ada" })
    expect(await who(config, browser)).toEqual(ada)
    browser.jar.remove(name)
    expect(await who(config, browser)).toEqual(none)
    await browser.get("/auth/want/again")
    expect(await who(config, browser)).toEqual(ada)
  })

  test("the module's own routes see the session without it, and read the `Set-Cookie` header", async () => {
    const browser = await visit(config)
    await browser.signIn("credentials", { name: "ada" })
    browser.jar.remove(name)
    const { id, header } = await (await browser.fetch("/auth/want/again")).json()
    expect(id).toMatch(/^[\w-]{12}$/)
    expect(header).toMatch(/^__Host-authjs\.want\.seal=[^;]+; .*Path=\/.*HttpOnly/)
  })

  test("without it, a sign-out still works, and its page doesn't say who was signed in", async () => {
    const browser = await visit(config)
    await browser.signIn("credentials", { name: "ada" })
    browser.jar.remove(name)
    await browser.get("/auth/signout")
    expect(browser.text).not.toContain("ada")
    await browser.signOut()
    expect(browser.cookies.filter(({ name: each }) => each.includes("session-token"))).toEqual([])
  })

  test("a session that has no name is read without it, and one that has is read without the module", async () => {
    const before = settingsOf([seeing], { session: { stepUp: true } })
    const [old, browser] = [await visit(before), await visit(config)]
    await old.signIn("credentials", { name: "ada" })
    const later = await visit(config)
    for (const cookie of old.cookies) later.jar.put(cookie)
    expect(await who(config, later)).toEqual(ada)
    await browser.signIn("credentials", { name: "ada" })
    browser.jar.remove(name)
    const earlier = await visit(before)
    for (const cookie of browser.cookies) earlier.jar.put(cookie)
    expect(await who(before, earlier)).toEqual(ada)
  })
})
