import type { Express } from "express"
import { describe, expect, test } from "vitest"
import { createAuth, type ExpressAuthConfig } from "../src/index.js"
import credentials from "@latchkey/express/providers/credentials"
import { connected } from "../../../tests/connected.js"
import { expectAccount, twoSessions } from "../../../tests/two-sessions.js"
import { expressOf, majors } from "./majors.js"
import { ask, serve } from "./served.js"
import { visit } from "./visitor.js"

const password = credentials({
  credentials: { name: {}, password: {} },
  authorize: ({ name, password }) => (password === "open sesame" ? { id: String(name), name: String(name) } : null),
})

const config = {
  secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw",
  trustHost: true,
  providers: [password],
  logger: { warn: () => {}, error: () => {} },
  callbacks: {
    jwt: ({ token, trigger, session }) =>
      trigger === "update" ? { ...token, name: session?.user?.name ?? null } : token,
  },
} satisfies ExpressAuthConfig

const typed = { name: "ada", password: "open sesame" }
const page = { accept: "text/html" }

describe.each(majors)("in Express %s", (major) => {
  const express = expressOf(major)

  function application(given: ExpressAuthConfig = config): Express {
    const auth = createAuth(given)
    const app = express().use(auth.routes, express.urlencoded({ extended: false }))
    app.get("/", auth.session, (_, res) => void res.json(res.locals.session?.user?.name ?? null))
    app.get("/account", auth.requireSession, (_, res) => void res.json(res.locals.session.user?.name))
    app.get("/token", async (req, res) => void res.send(await auth.csrfToken(req, res)))
    app.post("/sign-in", async (req, res) => void (await auth.signIn(req, res, "credentials", req.body)))
    app.post("/check", async (req, res) => {
      const { to, error } = await auth.signIn(req, res, "credentials", { ...req.body, redirect: false })
      res.json({ to, error: error?.type })
    })
    app.post("/sign-out", async (req, res) => void (await auth.signOut(req, res, { redirectTo: "/" })))
    app.post("/rename", async (req, res) => {
      res.json((await auth.update(req, res, { user: { name: req.body.name } }))?.user?.name ?? null)
    })
    app.use("/admin", auth.protect, (_, res) => void res.json("admin"))
    return app
  }

  const start = async (app: Express = application()) => visit(await serve(app))
  const form = async (visitor: Awaited<ReturnType<typeof start>>, path: string, fields: Record<string, string> = {}) =>
    visitor.ask(path, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" },
      body: new URLSearchParams(fields).toString(),
    })

  test("a form with the token of csrfToken posts to the auth routes", async () => {
    const visitor = await start()
    const { body: csrfToken } = await visitor.ask("/token")
    await form(visitor, "/auth/callback/credentials", { ...typed, csrfToken })
    expect((await visitor.ask("/")).body).toBe('"ada"')
  })

  test("a form signs in, renames and signs out", async () => {
    const visitor = await start()
    const signedIn = await form(visitor, "/sign-in", { ...typed, redirectTo: "/account" })
    expect(signedIn.status).toBe(303)
    expect(new URL(signedIn.headers.location ?? "").pathname).toBe("/account")
    expect((await visitor.ask("/account")).body).toBe('"ada"')
    expect((await form(visitor, "/rename", { name: "Grace" })).body).toBe('"Grace"')
    expect((await visitor.ask("/")).body).toBe('"Grace"')
    expect((await form(visitor, "/sign-out")).status).toBe(303)
    expect((await visitor.ask("/")).body).toBe("null")
  })

  test("a refused sign-in leads to the page that explains it", async () => {
    const answer = await form(await start(), "/sign-in", { ...typed, password: "wrong" })
    expect(answer.status).toBe(303)
    expect(answer.headers.location).toMatch(/\/auth\/signin\?error=CredentialsSignin/)
  })

  test("an app can show the error itself", async () => {
    const visitor = await start()
    const refused = await form(visitor, "/check", { ...typed, password: "wrong" })
    expect(JSON.parse(refused.body)).toMatchObject({ error: "CredentialsSignin" })
    const accepted = await form(visitor, "/check", { ...typed, redirectTo: "/account" })
    expect(JSON.parse(accepted.body)).toEqual({ to: expect.stringMatching(/\/account$/) })
  })

  test("a form of another site neither signs in nor updates the session", async () => {
    const visitor = await start()
    const from = { "sec-fetch-site": "cross-site", "content-type": "application/x-www-form-urlencoded" }
    await visitor.ask("/sign-in", { method: "POST", headers: from, body: new URLSearchParams(typed).toString() })
    expect((await visitor.ask("/")).body).toBe("null")
    await form(visitor, "/sign-in", typed)
    const renamed = await visitor.ask("/rename", { method: "POST", headers: from, body: "name=Mallory" })
    expect(renamed.body).toBe("null")
    expect((await visitor.ask("/")).body).toBe('"ada"')
  })

  test("a protected page leads to the sign-in page, and a protected API answers 401", async () => {
    const visitor = await start()
    const shown = await visitor.ask("/account?tab=1", { headers: page })
    expect(shown.status).toBe(303)
    expect(shown.headers.location).toBe("/auth/signin?callbackUrl=%2Faccount%3Ftab%3D1")
    const api = await visitor.ask("/account")
    expect(api.status).toBe(401)
    expect(JSON.parse(api.body)).toEqual({ message: "You need to sign in." })
    expect((await visitor.ask("/admin/users")).status).toBe(401)
  })

  test("middleware that protects everything lets users open the sign-in page", async () => {
    const given: ExpressAuthConfig = { ...config, pages: { signIn: "/login" } }
    const app = express().use(createAuth(given).protect, (_, res) => void res.end("open"))
    const visitor = await start(app)
    expect((await visitor.ask("/login?error=CredentialsSignin", { headers: page })).body).toBe("open")
    expect((await visitor.ask("/", { headers: page })).headers.location).toBe("/login?callbackUrl=%2F")
  })

  test("the auth routes are below the configured base path", async () => {
    const origin = await serve(application({ ...config, basePath: "/api/sign" }))
    expect((await ask(`${origin}/api/sign/session`)).body).toBe("null")
    expect((await ask(`${origin}/auth/session`)).status).toBe(404)
  })

  test("several reads for one request call the callbacks once", async () => {
    let reads = 0
    const auth = createAuth({ ...config, callbacks: { session: ({ session }) => (reads++, session) } })
    const app = express().use(auth.routes, express.urlencoded({ extended: false }), auth.session)
    app.post("/sign-in", async (req, res) => void (await auth.signIn(req, res, "credentials", req.body)))
    app.get("/", auth.requireSession, async (req, res) => {
      const same = (await auth.getSession(req, res)) === res.locals.session
      res.json({ same, reads })
    })
    const visitor = await start(app)
    await form(visitor, "/sign-in", typed)
    reads = 0
    expect(JSON.parse((await visitor.ask("/")).body)).toEqual({ same: true, reads: 1 })
  })

  test("no request ends the process, whatever its host is", async () => {
    const visitor = await start(application({ ...config, trustHost: ["app.example"] }))
    for (const path of ["/sign-in", "/sign-out", "/rename"])
      expect((await form(visitor, path, typed)).status).toBeLessThan(400)
  })

  test("an error of the configuration goes to the error handler of the app", async () => {
    const auth = createAuth({ ...config, secret: "" })
    const app = express().use(auth.session)
    app.use((error: Error, _req: unknown, res: { end(text: string): void }, _next: unknown) => res.end(error.name))
    expect((await ask(await serve(app))).body).toBe("MissingSecret")
  })

  test("routes read and change the account of the user", async () => {
    const auth = createAuth(await twoSessions())
    const app = express().use(auth.routes)
    app.get("/sessions", async (req, res) => void res.send(String((await auth.account(req, res).sessions()).length)))
    app.post("/others", async (req, res) => void res.send(String(await auth.account(req, res).revokeOtherSessions())))
    await expectAccount(await serve(app), (request) => fetch(request, { redirect: "manual" }))
  })
})

test("the server ends every session of a user without a request", async () => {
  const options = await twoSessions()
  await createAuth(options).revoke("1", "stolen laptop")
  expect(options.adapter.rows().sessions).toEqual([])
})

test.each(majors)("`token` and `token.fetch` act for the user who sent the request, in Express %s", async (major) => {
  const { config, cookie, sent } = await connected()
  const { token } = createAuth(config)
  const app = expressOf(major)().set("trust proxy", true)
  app.get("/token", async (req, res) => void res.send(await token(req, res, "op")))
  app.get("/api", async (req, res) => {
    const answer = await token.fetch(req, res, "op", "https://api.test/items")
    res.send("problem" in answer ? answer : await answer.text())
  })
  const origin = await serve(app)
  const headers = { cookie, "x-forwarded-host": "app.test", "x-forwarded-proto": "https" }
  const text = async (path: string, headers = {}) => (await fetch(origin + path, { headers })).text()
  const { accessToken } = JSON.parse(await text("/token", headers)) as { accessToken: string }
  expect(await text("/api", headers)).toBe("from the API")
  expect(sent).toEqual([`Bearer ${accessToken}`])
  expect(await text("/token")).toBe('{"problem":"not-signed-in"}')
})
