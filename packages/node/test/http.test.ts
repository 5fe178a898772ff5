import { once } from "node:events"
import { createServer as createHttp2Server, connect } from "node:http2"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import credentials from "@latchkey/node/providers/credentials"
import { captureLog, openBrowser } from "@latchkey/testing"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { type AuthConfig, createAuth, type Listener } from "../src/index.js"
import { expectAccount, twoSessions } from "../../../tests/two-sessions.js"

const secret = "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw"

const password = credentials({
  credentials: { name: {}, password: {} },
  authorize: ({ name, password }) => (password === "open sesame" ? { id: String(name), name: String(name) } : null),
})

const typed = { name: "ada", password: "open sesame" }

const formOf = async (req: IncomingMessage) => Object.fromEntries(new URLSearchParams(await text(req)))

function application(extra: Partial<AuthConfig> = {}) {
  const auth = createAuth({
    secret,
    trustHost: true,
    providers: [password],
    logger: captureLog().logger,
    callbacks: {
      jwt: ({ token, trigger, session }) =>
        trigger === "update" ? { ...token, name: session?.user?.name ?? null } : token,
    },
    ...extra,
  })
  const routes: Readonly<Record<string, Listener>> = {
    async "/"(req, res) {
      res.setHeader("cache-control", "public, max-age=60")
      const session = await auth.getSession(req, res)
      res.end(JSON.stringify(session?.user?.name ?? null))
    },
    async "/account"(req, res) {
      const session = await auth.requireSession(req, res)
      if (session !== null) res.end(JSON.stringify(session.user?.name))
    },
    "/token": async (req, res) => void res.end(await auth.csrfToken(req, res)),
    "/sign-in": async (req, res) => auth.signIn(req, res, "credentials", await formOf(req)),
    async "/check"(req, res) {
      const fields = { ...(await formOf(req)), redirect: false }
      const { to, error } = await auth.signIn(req, res, "credentials", fields)
      res.end(JSON.stringify({ to, error: error?.type }))
    },
    "/sign-out": (req, res) => auth.signOut(req, res, { redirectTo: "/" }),
    async "/rename"(req, res) {
      await auth.update(req, res, { user: { name: (await formOf(req))["name"] ?? "" } })
      res.writeHead(303, { location: "/", "set-cookie": "theme=dark" }).end()
    },
    "/broken": () => Promise.reject(new Error("out of reach")),
  }
  return auth.handler((req, res) => routes[req.url?.split("?")[0] ?? ""]?.(req, res) ?? res.writeHead(404).end())
}

async function serve(handler = application()): Promise<string> {
  const server = createServer(handler).listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function open(handler?: ReturnType<typeof application>) {
  const origin = await serve(handler)
  return openBrowser({ origin, handle: (request) => fetch(request, { redirect: "manual" }) })
}

describe("node:http", () => {
  test("a form with the token of csrfToken posts to the auth routes", async () => {
    const browser = await open()
    await browser.get("/token")
    await browser.post("/auth/callback/credentials", { ...typed, csrfToken: browser.text })
    expect(await browser.session()).toMatchObject({ user: { name: "ada" } })
  })

  test("a form signs in, renames and signs out", async () => {
    const browser = await open()
    await browser.post("/sign-in", { ...typed, redirectTo: "/account" })
    expect(browser.text).toBe('"ada"')
    await browser.post("/rename", { name: "Grace" })
    expect(browser.text).toBe('"Grace"')
    expect(browser.cookies.map(({ name }) => name)).toContain("theme")
    await browser.post("/sign-out")
    expect(browser.text).toBe("null")
  })

  test("the built-in pages sign in", async () => {
    const browser = await open()
    await browser.get("/auth/signin?callbackUrl=%2Faccount%3Ftab%3D1")
    await browser.submitForm("credentials", typed)
    expect(browser.location).toMatch(/\/account\?tab=1$/)
    expect(browser.text).toBe('"ada"')
  })

  test("an API gets 401, and a refused form the error", async () => {
    const browser = await open()
    expect((await browser.fetch("/account")).status).toBe(401)
    await browser.post("/check", { ...typed, password: "wrong" })
    expect(JSON.parse(browser.text)).toMatchObject({ error: "CredentialsSignin" })
  })

  test("a session that is renewed isn't cached", async () => {
    const browser = await open(application({ session: { updateAge: 0 } }))
    await browser.post("/sign-in", typed)
    const response = await browser.fetch("/")
    expect(response.headers.getSetCookie()).toHaveLength(1)
    expect(response.headers.get("cache-control")).toBe("private, no-store")
  })

  test("an error of the app is logged and answered, and the server goes on", async () => {
    const log = vi.spyOn(console, "error").mockReturnValue()
    onTestFinished(() => log.mockRestore())
    const browser = await open()
    const response = await browser.fetch("/broken")
    expect([response.status, await response.text()]).toEqual([500, "Internal Server Error"])
    expect(log).toHaveBeenCalledWith(expect.objectContaining({ message: "out of reach" }))
    expect((await browser.fetch("/")).status).toBe(200)
  })

  test("a function gets the configuration for each request", async () => {
    const auth = createAuth((req) => ({
      secret,
      trustHost: true,
      basePath: `/${String(req.headers["x-tenant"])}`,
      providers: [],
    }))
    const origin = await serve(auth.handler((_, res) => res.writeHead(404).end()))
    const statusOf = async (path: string) => (await fetch(origin + path, { headers: { "x-tenant": "a" } })).status
    expect([await statusOf("/a/session"), await statusOf("/b/session")]).toEqual([200, 404])
  })

  test("HTTP/2 works through the compatibility API", async () => {
    const auth = createAuth({ secret, trustHost: true, providers: [password] })
    const handler = auth.handler(() => undefined) as (...given: readonly unknown[]) => void
    const server = createHttp2Server(handler).listen(0, "127.0.0.1")
    await once(server, "listening")
    const client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    onTestFinished(() => {
      client.destroy()
      server.close()
    })
    const stream = client.request({ ":path": "/auth/providers", ":authority": "app.test" })
    const [headers] = await once(stream, "response")
    expect(headers[":status"]).toBe(200)
    expect(JSON.parse(await text(stream)).credentials.callbackUrl).toBe("http://app.test/auth/callback/credentials")
  })
})

test("routes read and change the account of the user", async () => {
  const auth = createAuth(await twoSessions())
  const handler = auth.handler(async (req, res) => {
    const account = auth.account(req, res)
    const count = req.method === "POST" ? await account.revokeOtherSessions() : (await account.sessions()).length
    res.end(String(count))
  })
  await expectAccount(await serve(handler), (request) => fetch(request, { redirect: "manual" }))
})

test("the server ends every session of a user without a request", async () => {
  const options = await twoSessions()
  await createAuth(options).revoke("1", "stolen laptop")
  expect(options.adapter.rows().sessions).toEqual([])
})
