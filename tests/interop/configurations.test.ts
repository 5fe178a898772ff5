import { Auth as PublishedAuth, type AuthConfig as PublishedConfig } from "@auth/core"
import PublishedCredentials from "@auth/core/providers/credentials"
import { memoryAdapter } from "@latchkey/adapter-kit"
import { Auth, type AuthConfig, check } from "@latchkey/core"
import Credentials from "@latchkey/core/providers/credentials"
import { captureLog, createProvider, openBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { byName, forPublished, secret } from "./applications.js"

/** What JavaScript applications pass and the types forbid. */
type Loose = Readonly<Record<string, unknown>>
type Handle = (request: Request) => Promise<Response>

interface Outcome {
  readonly providers: number
  readonly csrf: number
  readonly signin: number | string
  readonly session: number
  readonly name: unknown
}

/** The same steps in both libraries: four routes, then a sign-in with a name. */
async function outcomeOf(handle: Handle, origin: string): Promise<Outcome> {
  const browser = openBrowser({
    origin,
    handle: async (request) =>
      new URL(request.url).pathname.startsWith("/auth") ? handle(request) : new Response("app"),
  })
  const statusOf = async (path: string) => (await handle(new Request(`${origin}/auth/${path}`))).status
  const page = await handle(new Request(`${origin}/auth/signin`))
  const location = page.headers.get("location")
  const before = {
    providers: await statusOf("providers"),
    csrf: await statusOf("csrf"),
    signin: location === null ? page.status : (new URL(location, `${origin}/auth/signin`).href.split("?", 1)[0] ?? ""),
    session: await statusOf("session"),
  }
  await browser.signIn("credentials", { name: "Ada" })
  const found: unknown = await browser.session().catch(() => null)
  const user: unknown = typeof found === "object" && found !== null && "user" in found ? found.user : undefined
  return { ...before, name: typeof user === "object" && user !== null && "name" in user ? user.name : null }
}

/** Only what both can do. */
const quiet = { error: () => undefined, warn: () => undefined, debug: () => undefined }

function theirs(given: Loose, origin: string): Promise<Outcome> {
  const config = { secret, trustHost: true, basePath: "/auth", logger: quiet, providers: [byName], ...given }
  // It writes into its configuration.
  const handle = async (request: Request): Promise<Response> => PublishedAuth(request, { ...config } as PublishedConfig)
  return outcomeOf(handle, origin)
}

async function ours(given: Loose, origin: string) {
  const log = captureLog()
  const config = {
    secret,
    trustHost: true,
    providers: [byName],
    ...given,
    logger: log.logger,
  } as unknown as AuthConfig
  const outcome = await outcomeOf(async (request) => Auth(request, config), origin)
  const found = log.entries.filter(({ level }) => level === "warn").map(({ message, detail }) => ({ message, detail }))
  return { outcome, found, config }
}

const op = createProvider()
const https = "https://app.test"
const http = "http://localhost:3000"
const full = memoryAdapter()
const { getUserByAccount: _, linkAccount: __, ...mailOnly } = full
const mail = { id: "mail", name: "Mail", type: "email", sendVerificationRequest: () => undefined }
const oidc = { ...op.provider(), id: "oidc" }
const withOp = (given: Loose) => ({ providers: [byName, { ...oidc, ...given }] })

type Row = readonly [what: string, config: Loose, path: string, code?: string, origin?: string]

const sessionCookie = (options: Loose) => ({ cookies: { sessionToken: { options } } })

/** Configurations that sign a user in with `@auth/core`, although something in them is wrong. */
const rows: readonly Row[] = [
  ["a session cookie with its own lifetime", sessionCookie({ maxAge: 3600 }), "cookies.sessionToken.options.maxAge"],
  [
    "a cookie path without a slash",
    { cookies: { state: { options: { path: "auth" } } } },
    "cookies.state.options.path",
  ],
  [
    "a __Host- cookie with a domain",
    { cookies: { state: { name: "__Host-x", options: { domain: "app.test" } } } },
    "cookies.state.options.domain",
  ],
  ["an empty redirect proxy", { redirectProxyUrl: "" }, "redirectProxyUrl"],
  ["a redirect proxy that isn't a URL", { redirectProxyUrl: "app.test/auth" }, "redirectProxyUrl"],
  ["an empty secret beside another", { secret: [secret, ""] }, "secret"],
  ["an unset secret beside another", { secret: [secret, undefined] }, "secret"],
  ["trustHost as text", { trustHost: "true" }, "trustHost"],
  ["trustHost as a number", { trustHost: 1 }, "trustHost"],
  [
    "two providers with one id",
    { providers: [byName, { ...byName, name: "Second" }] },
    "providers[1].id",
    "duplicate-provider",
  ],
  ["an entry that isn't a provider", { providers: [byName, false] }, "providers[1]"],
  ["a provider of an unknown type", { providers: [byName, { id: "x", name: "X", type: "saml" }] }, "providers[1]"],
  ["an id with a colon", { providers: [byName, { ...byName, id: "my:id@home" }] }, ""],
  [
    "plain http endpoints",
    withOp({ issuer: "http://keycloak:8080/realms/app" }),
    "providers[1].issuer",
    "insecure-endpoint",
  ],
  ["an issuer that isn't a URL", withOp({ issuer: "undefined/v2.0" }), "providers[1].issuer"],
  ["an unused discovery URL that isn't one", withOp({ wellKnown: "x" }), "providers[1].wellKnown"],
  ["unused keys that aren't a URL", withOp({ jwks_endpoint: "x" }), "providers[1].jwks_endpoint"],
  ["an endpoint with another scheme", withOp({ token: "ftp://op.test/token" }), "providers[1].token"],
  [
    "an unknown client authentication method",
    withOp({ client: { token_endpoint_auth_method: "basic" } }),
    "providers[1].client.token_endpoint_auth_method",
  ],
  [
    "private_key_jwt without a key",
    withOp({ client: { token_endpoint_auth_method: "private_key_jwt" } }),
    "providers[1].client.token_endpoint_auth_method",
  ],
  ["an unknown check", withOp({ checks: ["pkce", "sate"] }), "providers[1].checks"],
  ["a check as text", withOp({ checks: "state" }), "providers[1].checks"],
  ["a provider's redirect proxy that is empty", withOp({ redirectProxyUrl: "" }), "providers[1].redirectProxyUrl"],
  ["a jwt updateAge that isn't a number", { session: { updateAge: "daily" } }, "session.updateAge"],
  ["a negative updateAge", { session: { updateAge: -1 } }, "session.updateAge"],
  ["an unknown color scheme", { theme: { colorScheme: "blue" } }, "theme.colorScheme"],
  ["a relative logo", { theme: { logo: "logo.png" } }, "theme.logo"],
  ["a logo object", { theme: { logo: { src: "/logo.png" } } }, "theme.logo"],
  ["a color that isn't one", { theme: { brandColor: "red;" } }, "theme.brandColor"],
  ["a color as a number", { theme: { buttonText: 255 } }, "theme.buttonText"],
  ["a page without a leading slash", { pages: { signIn: "login" } }, "pages.signIn"],
  ["an empty page", { pages: { signIn: "", signOut: "" } }, "pages.signIn"],
  ["a page that is null", { pages: { verifyRequest: null } }, "pages.verifyRequest"],
  ["an event that isn't a function", { events: { signOut: true } }, "events.signOut"],
  [
    "a callback that isn't a function",
    { callbacks: { redirects: 1, authorized: 1 }, events: { linkAccount: {} } },
    "events.linkAccount",
  ],
  [
    "secure: false over http",
    sessionCookie({ secure: false }),
    "cookies.sessionToken.options.secure",
    "invalid-option",
    http,
  ],
  ["useSecureCookies: false with secure: false", { useSecureCookies: false, ...sessionCookie({ secure: false }) }, ""],
  ["an empty cookie domain", sessionCookie({ domain: "" }), ""],
  ["empty cookie attributes", sessionCookie({ domain: null, sameSite: "", priority: "", expires: null }), ""],
  ["flags as numbers", sessionCookie({ httpOnly: 1, secure: 1 }), ""],
  [
    "options that are null",
    {
      pages: undefined,
      events: null,
      callbacks: null,
      cookies: null,
      session: null,
      jwt: null,
      adapter: null,
      experimental: null,
    },
    "",
  ],
  ["unknown options", { foo: 1, session: { foo: 1 }, cookies: { foo: { name: "x" } }, callbacks: { foo() {} } }, ""],
  ["debug as text", { debug: "false" }, "", "debug-enabled"],
  // `@auth/core` remembers for the rest of the process that it has seen an email provider, so these come last.
  [
    "an email provider that can't send",
    {
      providers: [byName, { ...mail, sendVerificationRequest: undefined }],
      adapter: full,
      session: { strategy: "jwt" },
    },
    "providers[1].sendVerificationRequest",
  ],
  [
    "an email link with a lifetime of 0",
    { providers: [byName, { ...mail, maxAge: 0 }], adapter: full, session: { strategy: "jwt" } },
    "providers[1].maxAge",
  ],
  [
    "an email link with a lifetime as text",
    { providers: [byName, { ...mail, maxAge: "3600" }], adapter: full, session: { strategy: "jwt" } },
    "providers[1].maxAge",
  ],
  ["an adapter for email only", { providers: [byName, mail], adapter: mailOnly, session: { strategy: "jwt" } }, ""],
]

function adapted(given: Loose): Loose {
  const { adapter } = given
  return adapter === undefined || adapter === null ? given : { ...given, adapter: forPublished(adapter) }
}

describe("a configuration that works with @auth/core works here", () => {
  test("Credentials() without `authorize`", async () => {
    const before = await theirs({ providers: [PublishedCredentials({ credentials: { name: {} } })] }, https)
    const { outcome, found } = await ours({ providers: [Credentials({ credentials: { name: {} } } as never)] }, https)
    expect(outcome).toEqual(before)
    expect(outcome).toMatchObject({ providers: 200, signin: 200, name: null })
    expect(found).toMatchObject([{ message: "invalid-option" }])
  })

  test.each(rows.map((row) => ({ what: row[0], row })))("$what", async ({ row }) => {
    const [, given, path, code = "invalid-option", origin = https] = row
    const before = await theirs(adapted(given), origin)
    const { outcome, found, config } = await ours(given, origin)
    expect(before.name).toBe("Ada")
    expect(outcome).toEqual(before)
    if (path === "") return
    // One warning says where the problem is, and it's an error under `"strict"`.
    expect(found.filter(({ detail }) => String(detail).startsWith(`${path}: `))).toMatchObject([{ message: code }])
    const strict = check({ ...config, security: "strict", url: "https://app.test/auth" })
    expect(strict.errors.map((error) => error.path)).toContain(path)
  })
})

describe("docs/differences.md", () => {
  const github = { type: "oauth", id: "github", name: "GitHub" } as const
  const endpoints = {
    authorization: "https://github.test/authorize",
    token: "https://github.test/token",
    userinfo: "https://github.test/user",
  }

  const site = (config: Partial<AuthConfig>) => {
    const log = captureLog()
    const handle = async (request: Request) =>
      Auth(request, { secret, trustHost: true, logger: log.logger, providers: [byName], ...config })
    return { log, handle, browser: openBrowser({ origin: https, handle }) }
  }

  test("a provider without a client id leads to the error page, and the log names the variable", async () => {
    const { browser, log } = site({ providers: [{ ...github, ...endpoints }] })
    await browser.signIn("github")
    expect(browser.location).toBe(`${https}/auth/error?error=Configuration`)
    expect(log.entries.some(({ text }) => text.includes("AUTH_GITHUB_ID"))).toBe(true)
  })

  test("of two providers with one id, the sign-in page shows the first", async () => {
    const first = { ...github, ...endpoints, clientId: "1", name: "First" }
    const { handle, log } = site({ providers: [first, { ...first, name: "Second" }] })
    const page = await (await handle(new Request(`${https}/auth/signin`))).text()
    expect([page.includes("First"), page.includes("Second")]).toEqual([true, false])
    expect(log.entries.filter(({ message }) => message === "duplicate-provider")).toHaveLength(1)
  })

  test("a `url` that isn't a URL is an error on every route", async () => {
    const { handle, log } = site({ url: "app" })
    expect((await handle(new Request(`${https}/auth/providers`))).status).toBe(500)
    expect(log.entries.some(({ text }) => text.includes("AUTH_URL"))).toBe(true)
  })
})
