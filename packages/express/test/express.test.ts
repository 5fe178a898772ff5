import { defineModule, route } from "@latchkey/core/module"
import { randomBytes } from "node:crypto"
import type { ErrorRequestHandler, Express, Router } from "express"
import { describe, expect, onTestFinished, test } from "vitest"
import { CredentialsSignin, ExpressAuth, type ExpressAuthConfig, getSession } from "../src/index.js"
import credentials from "@latchkey/express/providers/credentials"
import { expressOf, type Major, majors } from "./majors.js"
import { ask, serve } from "./served.js"
import { visit } from "./visitor.js"
import { trackSecret } from "../../testing/src/secrets.js"

const secret = randomBytes(48).toString("base64url")
trackSecret("secret of the configuration", secret)

class Banned extends CredentialsSignin {
  override code = "banned"
}

function config(extra: Partial<ExpressAuthConfig> = {}): ExpressAuthConfig {
  const provider = credentials({
    credentials: { name: {} },
    authorize: ({ name }) => {
      if (name === "mallory") throw new Banned()
      return { id: String(name), name: String(name) }
    },
  })
  return Object.freeze({ secret, trustHost: true, providers: [provider], logger: { error: () => {} }, ...extra })
}

type Auth = ReturnType<typeof ExpressAuth>
type Mount = readonly [title: string, hang: (app: Express, auth: Auth, router: () => Router) => unknown, path: string]

const mounts: readonly Mount[] = [
  ["/auth", (app, auth) => app.use("/auth", auth), "/auth"],
  ["a deep path", (app, auth) => app.use("/api/v1/auth", auth), "/api/v1/auth"],
  ["a router", (app, auth, router) => app.use("/api", router().use("/auth", auth)), "/api/auth"],
  ["a path with a parameter", (app, auth) => app.use("/:tenant/auth", auth), "/acme/auth"],
  ["the root", (app, auth) => app.use(auth), ""],
]

const wildcards: Readonly<Record<Major, string>> = { "4": "*", "5": "*splat" }

describe.each(majors)("Express %s", (major) => {
  const express = expressOf(major)
  const star = wildcards[major]
  const starred: readonly Mount[] = [
    [`/auth/${star}`, (app, auth) => app.use(`/auth/${star}`, auth), "/auth"],
    [
      `a router with /auth/${star}`,
      (app, auth, router) => app.use("/api", router().use(`/auth/${star}`, auth)),
      "/api/auth",
    ],
    [`all of /auth/${star}`, (app, auth) => app.all(`/auth/${star}`, auth), "/auth"],
  ]

  test.each([...mounts, ...starred])("signs in and out at %s", async (_title, hang, path) => {
    const app = express()
    hang(app, ExpressAuth(config()), () => express.Router())
    const origin = await serve(app)
    const visitor = visit(origin + path)
    expect(JSON.parse((await visitor.ask("/providers")).body)).toMatchObject({
      credentials: { callbackUrl: `${origin}${path}/callback/credentials` },
    })
    expect(await visitor.session()).toBeNull()
    expect((await visitor.signIn("ada")).status).toBe(302)
    expect(await visitor.session()).toMatchObject({ user: { name: "ada" } })
    await visitor.post("/signout")
    expect(await visitor.session()).toBeNull()
  })

  test("a form without a callback URL leads to the page that sent it, with its query", async () => {
    const origin = await serve(express().use("/auth", ExpressAuth(config())))
    const visitor = visit(`${origin}/auth`)
    const page = { referer: `${origin}/products?page=3` }
    const signedIn = await visitor.post("/callback/credentials", { name: "ada" }, page)
    expect(signedIn.headers.location).toBe(page.referer)
    expect((await visitor.post("/signout", {}, page)).headers.location).toBe(page.referer)
    const elsewhere = { referer: "https://evil.example/products?page=3" }
    expect((await visitor.post("/signout", {}, elsewhere)).headers.location).toBe(origin)
  })

  test("the callback URL of the sign-in page survives a refused form", async () => {
    const origin = await serve(express().use("/auth", ExpressAuth(config({ pages: { signIn: "/login" } }))))
    const visitor = visit(`${origin}/auth`)
    await visitor.ask("/signin?callbackUrl=%2Forders%3Fopen%3D1")
    const refused = await visitor.signIn("mallory")
    expect(refused.headers.location).toBe(`${origin}/login?error=CredentialsSignin&code=banned`)
    expect((await visitor.signIn("ada")).headers.location).toBe(`${origin}/orders?open=1`)
  })

  test("signs in at a sub-application", async () => {
    const shop = express().use("/auth", ExpressAuth(config()))
    const visitor = visit(`${await serve(express().use("/shop", shop))}/shop/auth`)
    await visitor.signIn("ada")
    expect(await visitor.session()).toMatchObject({ user: { name: "ada" } })
  })

  test("serves one configuration at two mount paths without changing it", async () => {
    const shared = config()
    const before = { ...shared }
    const auth = ExpressAuth(shared)
    const origin = await serve(express().use("/one", auth).use("/two", auth))
    const addresses = async (path: string) =>
      JSON.parse((await ask(`${origin}${path}/providers`)).body).credentials.signinUrl
    expect(await Promise.all(["/one", "/two", "/one"].map(addresses))).toEqual(
      ["/one", "/two", "/one"].map((path) => `${origin}${path}/signin/credentials`),
    )
    expect(shared).toEqual(before)
  })

  test("works after body parsers", async () => {
    const app = express()
      .use(express.json(), express.urlencoded({ extended: true }), express.text())
      .use("/auth", ExpressAuth(config()))
    const visitor = visit(`${await serve(app)}/auth`)
    await visitor.signIn("ada")
    const { csrfToken } = JSON.parse((await visitor.ask("/csrf")).body)
    const body = JSON.stringify({ csrfToken, data: { theme: "dark" } })
    const updated = await visitor.ask("/session", {
      method: "POST",
      body,
      headers: { "content-type": "application/json" },
    })
    expect(JSON.parse(updated.body)).toMatchObject({ user: { name: "ada" } })
  })

  test("rejects a body that is too large with 413", async () => {
    const base = `${await serve(express().use("/auth", ExpressAuth(config())))}/auth`
    const body = `csrfToken=${"x".repeat(2_000_000)}`
    const answer = await ask(`${base}/signout`, {
      method: "POST",
      body,
      headers: { "content-type": "application/x-www-form-urlencoded" },
    })
    expect(answer.status).toBe(413)
  })

  test("responds to HEAD like GET, without a body", async () => {
    const base = `${await serve(express().use("/auth", ExpressAuth(config())))}/auth`
    const answer = await ask(`${base}/session`, { method: "HEAD" })
    expect(answer).toMatchObject({ status: 200, body: "" })
    expect(answer.headers["content-type"]).toContain("application/json")
  })

  test.each([
    ["PUT", 405],
    ["TRACE", 400],
  ])("rejects %s", async (method, status) => {
    const base = `${await serve(express().use("/auth", ExpressAuth(config())))}/auth`
    expect((await ask(`${base}/session`, { method })).status).toBe(status)
  })

  test("rejects an invalid host with 400", async () => {
    const base = `${await serve(express().use("/auth", ExpressAuth(config())))}/auth`
    const answer = await ask(`${base}/session`, { headers: { host: "app.example:443@evil.example" } })
    expect(answer).toMatchObject({ status: 400, body: '"Bad request."' })
  })

  test("keeps the cookies that the app has set", async () => {
    const app = express().use((_req, res, next) => {
      res.cookie("theme", "dark").cookie("lang", "en")
      next()
    })
    const visitor = visit(`${await serve(app.use("/auth", ExpressAuth(config())))}/auth`)
    const { headers } = await visitor.signIn("ada")
    expect(headers["set-cookie"]?.map((line) => line.split("=")[0])).toEqual(
      expect.arrayContaining(["theme", "lang", "authjs.session-token"]),
    )
  })

  test("keeps the Vary header of the app", async () => {
    const app = express().use((_req, res, next) => {
      res.vary("Accept-Encoding")
      next()
    })
    const { headers } = await ask(`${await serve(app.use("/auth", ExpressAuth(config())))}/auth/session`)
    expect(headers.vary).toBe("Accept-Encoding, Cookie")
  })

  test("doesn't respond again if another middleware has responded", async () => {
    const auth = ExpressAuth(config())
    const errors: unknown[] = []
    const app = express().use("/auth", async (req, res) => {
      res.write("answered")
      await auth(req, res, (error) => errors.push(error))
      res.end()
    })
    expect((await ask(`${await serve(app)}/auth/session`)).body).toBe("answered")
    expect(errors).toEqual([])
  })

  test("sets all cookies of a chunked session", async () => {
    const callbacks = { jwt: ({ token }: { token: object }) => ({ ...token, roles: "r".repeat(8000) }) }
    const visitor = visit(`${await serve(express().use("/auth", ExpressAuth(config({ callbacks }))))}/auth`)
    await visitor.signIn("ada")
    expect([...visitor.cookies.keys()]).toEqual(
      expect.arrayContaining(["authjs.session-token.0", "authjs.session-token.1", "authjs.session-token.2"]),
    )
    expect(await visitor.session()).toMatchObject({ user: { name: "ada" } })
  })

  test("passes the code that `authorize` threw to the sign-in page", async () => {
    const visitor = visit(`${await serve(express().use("/auth", ExpressAuth(config())))}/auth`)
    expect((await visitor.signIn("mallory")).headers.location).toContain("error=CredentialsSignin&code=banned")
  })

  test("passes an unexpected error to the error handler of the app", async () => {
    const unavailable: ErrorRequestHandler = (error, _req, res, _next) => res.status(503).end(error.message)
    const app = express().set("trust proxy", () => {
      throw new Error("no list of proxies")
    })
    app.use("/auth", ExpressAuth(config())).use(unavailable)
    expect(await ask(`${await serve(app)}/auth/session`)).toMatchObject({ status: 503, body: "no list of proxies" })
  })

  test("mounted at the root, ignores the routes of the app", async () => {
    const app = express()
      .use(ExpressAuth(config()))
      .get("/cart", (_req, res) => res.end("cart"))
    const origin = await serve(app)
    expect((await ask(`${origin}/cart`)).body).toBe("cart")
    expect((await ask(`${origin}/session`)).body).toBe("null")
  })

  test("mounted at the root, handles the routes of modules", async () => {
    const hello = route("GET", "hello", { session: "none" }, ({ json }) => json("hi"))
    const module = defineModule({ id: "greeter", paths: ["hello"], load: async () => ({ routes: [hello] }) })
    const origin = await serve(express().use(ExpressAuth(config({ modules: [module] }))))
    expect((await ask(`${origin}/hello`)).body).toBe('"hi"')
  })

  test("mounted at the root, takes its path from the configuration", async () => {
    const app = express()
      .use(ExpressAuth(config({ basePath: "/login" })))
      .get("/session", (_req, res) => res.end("mine"))
    const origin = await serve(app)
    expect((await ask(`${origin}/session`)).body).toBe("mine")
    expect((await ask(`${origin}/login/session`)).body).toBe("null")
  })

  describe("behind a proxy", () => {
    const proxied = { "x-forwarded-proto": "https", "x-forwarded-host": "app.example" }

    test("uses the headers of a trusted proxy for https URLs and secure cookies", async () => {
      const app = express().set("trust proxy", true).use("/auth", ExpressAuth(config()))
      app.get("/who", async (req, res) => res.json(await getSession(req, config())))
      const origin = await serve(app)
      const visitor = visit(`${origin}/auth`, proxied)
      const { headers } = await visitor.signIn("ada")
      expect(headers.location).toMatch(/^https:\/\/app\.example/)
      expect([...visitor.cookies.keys()]).toContain("__Secure-authjs.session-token")
    })

    test("ignores the headers of an untrusted proxy", async () => {
      const visitor = visit(`${await serve(express().use("/auth", ExpressAuth(config())))}/auth`, proxied)
      await visitor.signIn("ada")
      expect([...visitor.cookies.keys()]).toContain("authjs.session-token")
    })

    test("rejects a host that isn't listed", async () => {
      const app = express().use("/auth", ExpressAuth(config({ trustHost: ["app.example"] })))
      const base = `${await serve(app)}/auth`
      expect((await ask(`${base}/session`, { headers: { host: "evil.example" } })).status).toBeGreaterThanOrEqual(400)
      expect((await ask(`${base}/session`, { headers: { host: "app.example" } })).body).toBe("null")
    })

    test("AUTH_URL takes precedence over all headers", async () => {
      process.env["AUTH_URL"] = "https://app.example"
      onTestFinished(() => {
        delete process.env["AUTH_URL"]
      })
      const base = `${await serve(express().use("/auth", ExpressAuth(config())))}/auth`
      const { body } = await ask(`${base}/providers`, { headers: { host: "evil.example" } })
      expect(body).toContain("https://app.example/auth/signin/credentials")
    })
  })

  describe("CSRF-04: a form of another site", () => {
    const types = [
      "application/x-www-form-urlencoded",
      "APPLICATION/X-WWW-FORM-URLENCODED",
      "text/plain",
      "multipart/form-data; boundary=x",
      "text/plain, application/json",
    ]

    test.each(types)("doesn't sign the user out with %s", async (type) => {
      const parsers = [express.json(), express.urlencoded({ extended: true }), express.text({ type: "*/*" })]
      const origin = await serve(
        express().use("/auth", ExpressAuth(config())).use("/parsed", parsers, ExpressAuth(config())),
      )
      for (const mount of ["/auth", "/parsed"]) {
        const visitor = visit(origin + mount)
        await visitor.signIn("ada")
        const foreign = { "content-type": type, origin: "https://evil.example", "sec-fetch-site": "cross-site" }
        await visitor.ask("/signout", { method: "POST", body: "csrfToken=x", headers: foreign })
        expect(await visitor.session()).toMatchObject({ user: { name: "ada" } })
      }
    })

    test("is rejected even with a valid token", async () => {
      const visitor = visit(`${await serve(express().use("/auth", ExpressAuth(config())))}/auth`)
      await visitor.signIn("ada")
      await visitor.post("/signout", {}, { origin: "https://evil.example", "sec-fetch-site": "cross-site" })
      expect(await visitor.session()).toMatchObject({ user: { name: "ada" } })
    })
  })
})
