import type { IncomingMessage } from "node:http"
import {
  type AppSession,
  AuthService,
  CurrentSession,
  type LatchkeyConfig,
  LatchkeyModule,
  Public,
  SessionGuard,
} from "@latchkey/nestjs"
import credentials from "@latchkey/nestjs/providers/credentials"
import { type Browser, openBrowser } from "@latchkey/testing"
import {
  All,
  Controller,
  type DynamicModule,
  Get,
  Inject,
  type INestApplication,
  Module,
  Post,
  Redirect,
  Req,
  UseGuards,
} from "@nestjs/common"
import { APP_GUARD, NestFactory } from "@nestjs/core"
import { ExpressAdapter, type NestExpressApplication } from "@nestjs/platform-express"
import { FastifyAdapter, type NestFastifyApplication } from "@nestjs/platform-fastify"
import { describe, expect, onTestFinished, test } from "vitest"
import { expectToken } from "../../../tests/csrf-token.js"
import { expectAccount, twoSessions } from "../../../tests/two-sessions.js"
import { talk } from "../../express/test/served.js"
import { send } from "../../fastify/test/http.js"

const secret = "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw"
const typed = { name: "ada", password: "open sesame" }

const config = {
  secret,
  trustHost: true,
  providers: [
    credentials({
      credentials: { name: {}, password: {} },
      authorize: ({ name, password }) => (password === "open sesame" ? { id: String(name), name: String(name) } : null),
    }),
  ],
  callbacks: {
    jwt: ({ token, trigger, session }) =>
      trigger === "update" ? { ...token, name: String(session.user.name) } : token,
  },
} satisfies LatchkeyConfig

interface FormRequest extends IncomingMessage {
  readonly body: Readonly<Record<string, string>>
}

// The compiler of the tests leaves decorators to be called as functions.
class Pages {
  readonly #auth: AuthService
  constructor(auth: AuthService) {
    this.#auth = auth
  }
  async read(request: IncomingMessage): Promise<unknown> {
    return (await this.#auth.getSession(request))?.user ?? "signed out"
  }
  account(session: AppSession): unknown {
    return session.user
  }
  signIn(request: FormRequest): unknown {
    return this.#auth.signIn(request, "credentials", { redirectTo: "/", ...request.body })
  }
  signOut(request: IncomingMessage): unknown {
    return this.#auth.signOut(request, { redirectTo: "/" })
  }
  async sessions(request: IncomingMessage): Promise<string> {
    return String((await this.#auth.account(request).sessions()).length)
  }
  async others(request: IncomingMessage): Promise<string> {
    return String(await this.#auth.account(request).revokeOtherSessions())
  }
  async rename(request: FormRequest): Promise<unknown> {
    return this.#auth.update(request, { user: { name: request.body["name"] ?? "" } })
  }
  token(request: IncomingMessage): Promise<string> {
    return this.#auth.csrfToken(request)
  }
  async mine(request: IncomingMessage): Promise<unknown> {
    return (await this.#auth.requireSession(request)).user
  }
  async tries(request: FormRequest): Promise<unknown> {
    const fields = { redirectTo: "/account", ...request.body, redirect: false } as const
    const { to, error } = await this.#auth.signIn(request, "credentials", fields)
    return { to, error: error?.type, out: await this.#auth.signOut(request, { redirectTo: "/", redirect: false }) }
  }
  users(): string {
    return "secret"
  }
  guarded(): string {
    return "secret"
  }
}
Inject(AuthService)(Pages, undefined, 0)
Controller()(Pages)
on("read", Public(), Get())
on("account", Get("account"))
on("signIn", Public(), Post("sign-in"), Redirect())
on("signOut", Public(), Post("sign-out"), Redirect())
on("rename", Post("rename"))
on("sessions", Get("sessions"))
on("others", Post("others"))
on("token", Public(), Get("token"))
on("mine", Public(), Get("mine"))
on("tries", Public(), Post("try"))
on("users", All("users/:id"))
on("guarded", Get("guarded"), UseGuards(SessionGuard))
for (const method of ["read", "signIn", "signOut", "rename", "sessions", "others", "token", "mine", "tries"] as const)
  Req()(Pages.prototype, method, 0)
CurrentSession()(Pages.prototype, "account", 0)

function on(method: keyof Pages, ...decorators: MethodDecorator[]): void {
  const descriptor = Object.getOwnPropertyDescriptor(Pages.prototype, method)
  for (const decorate of decorators) if (descriptor !== undefined) decorate(Pages.prototype, method, descriptor)
}

class App {
  readonly name = "app"
}

function appOf(auth: DynamicModule): DynamicModule {
  const guard = { provide: APP_GUARD, useClass: SessionGuard }
  return { module: App, imports: [auth], controllers: [Pages], providers: [guard] }
}
Module({})(App)

const platforms = {
  Express: (auth: DynamicModule, trusts = false) => {
    return NestFactory.create<NestExpressApplication>(appOf(auth), new ExpressAdapter(), { logger: false }).then(
      (app) => {
        if (trusts) app.set("trust proxy", "loopback")
        return app
      },
    )
  },
  Fastify: (auth: DynamicModule, trusts = false) => {
    const adapter = new FastifyAdapter(trusts ? { trustProxy: "loopback" } : {})
    return NestFactory.create<NestFastifyApplication>(appOf(auth), adapter, { logger: false })
  },
}

async function listen(app: INestApplication): Promise<Browser> {
  await app.listen(0, "127.0.0.1")
  onTestFinished(() => app.close())
  return openBrowser({ origin: await app.getUrl(), handle: send })
}

describe.each(Object.entries(platforms))("on %s", (_name, create) => {
  const visit = async (options: Partial<LatchkeyConfig> = {}) =>
    listen(await create(LatchkeyModule.forRoot({ ...config, ...options })))

  test("handlers read and change the account of the user", async () => {
    const { origin } = await listen(await create(LatchkeyModule.forRoot(await twoSessions())))
    await expectAccount(origin, send)
  })

  test("forms of the application sign in, rename and sign out", async () => {
    const browser = await visit()
    await browser.post("/sign-in", typed)
    expect(JSON.parse(browser.text)).toMatchObject({ name: "ada" })
    await browser.post("/rename", { name: "Countess" })
    await browser.get("/account")
    expect(JSON.parse(browser.text)).toMatchObject({ name: "Countess" })
    await browser.post("/sign-out")
    expect(browser.text).toBe("signed out")
  })

  test("the built-in page signs in, with the body parsers that Nest adds", async () => {
    const browser = await visit()
    await browser.signIn("credentials", typed)
    expect(await browser.session()).toMatchObject({ user: { name: "ada" } })
  })

  test("without a session, a page leads to the sign-in page, and an API responds with 401", async () => {
    const browser = await visit()
    await browser.get("/account?tab=1")
    expect(browser.location).toBe(`${browser.origin}/auth/signin?callbackUrl=%2Faccount%3Ftab%3D1`)
    const response = await browser.fetch("/account")
    expect([response.status, await response.json()]).toEqual([401, { message: "You need to sign in." }])
  })

  test("with `redirect: false`, a sign-in and a sign-out return where to send the user", async () => {
    const browser = await visit()
    await browser.post("/try", typed)
    const out = { to: `${browser.origin}/` }
    expect(JSON.parse(browser.text)).toEqual({ to: `${browser.origin}/account`, out })
    await browser.post("/try", { ...typed, password: "wrong" })
    const to = expect.stringContaining("/auth/signin?error=CredentialsSignin")
    expect(JSON.parse(browser.text)).toEqual({ to, error: "CredentialsSignin", out })
  })

  test("a handler gets the session, or refuses the request", async () => {
    const browser = await visit()
    await browser.get("/mine")
    expect(browser.location).toBe(`${browser.origin}/auth/signin?callbackUrl=%2Fmine`)
    expect((await browser.fetch("/mine")).status).toBe(401)
    await browser.post("/sign-in", typed)
    await browser.get("/mine")
    expect(JSON.parse(browser.text)).toMatchObject({ name: "ada" })
  })

  test("a form of the application with the token posts to the auth routes", async () => {
    await expectToken(await visit(), typed)
  })

  test("an auth route refuses a request with an invalid host", async () => {
    const { origin } = await visit()
    const answer = await talk(origin, "GET /auth/providers HTTP/1.1\r\nHost: evil.test/x?\r\nConnection: close\r\n\r\n")
    expect(answer).toMatch(/^HTTP\/1\.1 400 [^]*"Bad request\."/)
  })

  test("a form of another site doesn't sign in", async () => {
    const browser = await visit()
    await browser.post("/sign-in", typed, { from: "https://evil.test" })
    expect(await browser.session()).toBeNull()
  })

  test("the configuration can come from a factory", async () => {
    const useFactory = async () => ({ ...config, basePath: "/api/auth" })
    const browser = await listen(await create(LatchkeyModule.forRootAsync({ useFactory })))
    await browser.get("/api/auth/session")
    expect(browser.text).toBe("null")
  })

  test("a global prefix doesn't move the auth routes", async () => {
    const app = await create(LatchkeyModule.forRoot(config))
    const browser = await listen(app.setGlobalPrefix("api"))
    await browser.signIn("credentials", typed)
    await browser.get("/api/account")
    expect(JSON.parse(browser.text)).toMatchObject({ name: "ada" })
  })

  test("a renewed session and cookies of the application arrive together, and no cache stores them", async () => {
    const app = await create(LatchkeyModule.forRoot({ ...config, session: { updateAge: 0 } }))
    app.use((_req: unknown, res: { setHeader(name: string, value: string): void }, next: () => void) => {
      res.setHeader("cache-control", "public, max-age=60")
      res.setHeader("x-own", "1")
      next()
    })
    const browser = await listen(app)
    await browser.post("/sign-in", typed)
    await browser.get("/account")
    expect(browser.response.headers.getSetCookie().join()).toContain("authjs.session-token=")
    expect(browser.response.headers.get("cache-control")).toBe("private, no-store")
    expect(browser.response.headers.get("x-own")).toBe("1")
  })

  test.each([
    [false, "http:", "127.0.0.1"],
    [true, "https:", "app.example"],
  ])("headers of a proxy count only if the platform trusts it (%s)", async (trusts, protocol, host) => {
    const browser = await listen(await create(LatchkeyModule.forRoot(config), trusts))
    const headers = { "x-forwarded-proto": "https", "x-forwarded-host": "app.example" }
    await browser.get("/auth/providers", { headers })
    const url = new URL(JSON.parse(browser.text).credentials.signinUrl)
    expect([url.protocol, url.hostname]).toEqual([protocol, host])
  })

  test.each(["/users/42\\..\\..\\sign-in", "/users/../sign-in", "/users/%2e%2e/sign-in"])(
    "%s is refused, because the router reads another path",
    async (target) => {
      const { origin } = await visit({ pages: { signIn: "/sign-in" } })
      const answer = await talk(origin, `POST ${target} HTTP/1.1\r\nHost: app.test\r\nConnection: close\r\n\r\n`)
      // Fastify resolves nothing either, but doesn't know the path, so no guard runs.
      expect(answer).toMatch(/^HTTP\/1\.1 40[04] /)
      expect(answer).not.toContain("secret")
    },
  )

  test("a guard of a handler asks for a session, whatever its path", async () => {
    const browser = await visit({ pages: { error: "/guarded" } })
    const response = await browser.fetch("/guarded")
    expect([response.status, await response.text()]).toEqual([401, expect.not.stringContaining("secret")])
  })

  test("one request reads the session once", async () => {
    let reads = 0
    const browser = await visit({ callbacks: { session: ({ session }) => ({ ...session, reads: ++reads }) } })
    await browser.post("/sign-in", { ...typed, redirectTo: "/account" })
    expect(reads).toBe(1)
  })
})

test("the server ends every session of a user without a request", async () => {
  const options = await twoSessions()
  await new AuthService(options).revoke("1", "stolen laptop")
  expect(options.adapter.rows().sessions).toEqual([])
})
