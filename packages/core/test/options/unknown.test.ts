import { setImmediate } from "node:timers/promises"
import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { Auth, checkAll, customFetch, skipCSRFCheck } from "@latchkey/core"
import { defineProvider } from "@latchkey/core/providers/define"
import { catalogue } from "@latchkey/core/providers/catalogue"
import credentials from "@latchkey/core/providers/credentials"
import github from "@latchkey/core/providers/github"
import passkey from "@latchkey/core/providers/passkey"
import resend from "@latchkey/core/providers/resend"
import { createServer } from "@latchkey/core/server"
import { createSessionReader } from "@latchkey/core/session-reader"
import type { AuthConfig } from "@latchkey/core/types"
import { captureLog } from "@latchkey/testing"
import { describe, expect, test, vi } from "vitest"
import { op, origin, typed } from "../http/app.js"
import { strongSecret } from "../modes/setup.js"

type Loose = Readonly<Record<string, unknown>>

/** Takes any object, because JavaScript applications can pass what the types forbid. */
function configOf(given: Loose): AuthConfig {
  const needed = { adapter: memoryAdapter(), experimental: { enableWebAuthn: true } }
  return { secret: strongSecret, url: `${origin}/auth`, providers: [typed], ...needed, ...given }
}

const form = { credentials: { name: {} }, authorize: () => null }
const acme = { id: "acme", name: "Acme", type: "oidc", issuer: "https://acme.test", clientId: "c" }
const only = (...providers: readonly unknown[]) => ({ providers })
const call = (make: unknown, options: Loose): unknown => (make as (options: Loose) => unknown)(options)

/** What JavaScript applications pass, and what was meant. */
const mistakes: readonly (readonly [path: string, meant: string | undefined, given: Loose])[] = [
  ["sesion", "session", { sesion: { maxAge: 60 } }],
  ["callback", "callbacks", { callback: {} }],
  ["allowDangerousEmailAccountLinking", undefined, { allowDangerousEmailAccountLinking: true }],
  ["session.maxage", "session.maxAge", { session: { maxage: 60 } }],
  [
    "session.revocation.maxStalness",
    "session.revocation.maxStaleness",
    { session: { revocation: { maxStalness: 1 } } },
  ],
  [
    "session.version4.untill",
    undefined,
    { session: { version4: { acceptUntil: "2099-01-01", untill: "2099-01-01" } } },
  ],
  ["jwt.signingKey", undefined, { jwt: { signingKey: "x" } }],
  ["callbacks.singIn", "callbacks.signIn", { callbacks: { singIn: () => false } }],
  ["events.signout", "events.signOut", { events: { signout: () => undefined } }],
  ["pages.login", undefined, { pages: { login: "/login" } }],
  ["pages.singIn", "pages.signIn", { pages: { singIn: "/login" } }],
  ["theme.brandcolor", "theme.brandColor", { theme: { brandcolor: "#000" } }],
  ["i18n.locale", "i18n.locales", { i18n: { locale: "de" } }],
  ["cookies.session", "cookies.sessionToken", { cookies: { session: { name: "x" } } }],
  ["cookies.state.option", "cookies.state.options", { cookies: { state: { option: {} } } }],
  [
    "cookies.state.options.samesite",
    "cookies.state.options.sameSite",
    { cookies: { state: { options: { samesite: "lax" } } } },
  ],
  ["security.hashSessionToken", "security.hashSessionTokens", { security: { hashSessionToken: true } }],
  ["rateLimit.trustedProxy", "rateLimit.trustedProxies", { rateLimit: { trustedProxy: 1 } }],
  [
    "rateLimit.limits.link.address.point",
    "rateLimit.limits.link.address.points",
    { rateLimit: { limits: { link: { address: { points: 1, seconds: 1, point: 1 } } } } },
  ],
  ["experimental.enableWebauthn", "experimental.enableWebAuthn", { experimental: { enableWebauthn: true } }],
  ["runtime.fecth", "runtime.fetch", { runtime: { fecth: fetch } }],
  ["providers[0].clientID", "providers[0].clientId", only(call(github, { clientID: "x" }))],
  ["providers[0].tenantId", undefined, only(call(github, { tenantId: "x" }))],
  ["providers[0].enterprize", "providers[0].enterprise", only(call(github, { enterprize: {} }))],
  [
    "providers[0].style.brandColour",
    "providers[0].style.brandColor",
    only({ ...acme, style: { brandColour: "#000" } }),
  ],
  ["providers[1].scope", undefined, only(typed, { ...acme, scope: "openid" })],
  [
    "providers[0].authorization.param",
    "providers[0].authorization.params",
    only({ ...acme, authorization: { param: {} } }),
  ],
  ["providers[0].token.uri", "providers[0].token.url", only({ ...acme, token: { uri: "https://acme.test" } })],
  ["providers[0].clientid", "providers[0].clientId", only({ ...acme, options: { clientid: "x" } })],
  ["providers[0].apikey", "providers[0].apiKey", only(call(resend, { apikey: "x" }))],
  ["providers[0].region", undefined, only(call(resend, { region: "eu" }))],
  ["providers[0].authorze", "providers[0].authorize", only(call(credentials, { ...form, authorze: () => null }))],
  [
    "providers[0].relayingParty.nam",
    "providers[0].relayingParty.name",
    only(passkey({ relayingParty: { nam: "x" } as never })),
  ],
]

/** The table of names is loaded, and the warnings are logged, after the response. */
async function settle(): Promise<void> {
  await vi.dynamicImportSettled()
  await setImmediate()
}

describe("an unknown option", () => {
  test.each(mistakes)("%s is one warning, which suggests %s", async (path, meant, given) => {
    const { logger, entries } = captureLog()
    const unknown = () =>
      entries.filter(({ message }) => message === "unknown-option").map(({ detail }) => String(detail))
    const visit = async () => Auth(new Request(`${origin}/auth/csrf`), configOf({ ...given, logger }))
    expect((await visit()).status).toBe(200)
    expect(unknown()).toEqual([])
    await settle()
    expect(unknown()).toEqual([expect.stringMatching(`^${path.replaceAll(/[.[\]]/g, "\\$&")}: `)])
    if (meant === undefined) expect(unknown()[0]).toMatch(/\. Remove it$/)
    else expect(unknown()[0]).toContain(`Did you mean \`${meant}\`?`)
    await visit()
    await settle()
    expect(unknown()).toHaveLength(1)
  })

  test.each(mistakes)(
    "%s is an error before the first response under strict, which suggests %s",
    async (path, meant, given) => {
      const { logger, entries } = captureLog()
      const own = typeof given["security"] === "object" ? given["security"] : {}
      const config = configOf({ ...given, logger, security: { ...own, mode: "strict" } })
      const responses = [
        Auth(new Request(`${origin}/auth/csrf`), config),
        Auth(new Request(`${origin}/auth/csrf`), config),
      ]
      expect((await Promise.all(responses)).map(({ status }) => status)).toEqual([500, 500])
      const { session, error } = await createServer(config).session({ headers: new Headers(), origin })
      expect([session, error?.message]).toEqual([null, expect.stringContaining(`${path}: `)])
      const errors = entries.filter(({ level }) => level === "error")
      expect(errors).toHaveLength(1)
      expect(errors[0]?.message).toContain(meant === undefined ? "Remove it" : `Did you mean \`${meant}\`?`)
    },
  )

  test.each(mistakes)("%s is a finding of `checkAll`", async (path, _meant, given) => {
    const { errors, warnings } = await checkAll(configOf(given))
    const found = warnings.filter(({ code }) => code === "unknown-option").map(({ detail }) => detail.split(": ", 1)[0])
    expect([errors, found]).toEqual([[], [path]])
    const own = typeof given["security"] === "object" ? given["security"] : {}
    const strict = await checkAll(configOf({ ...given, security: { ...own, mode: "strict" } }))
    expect(strict.errors.map((error) => error.path)).toContain(path)
  })
})

test("unknown options are looked for after the first response, however long it takes", async () => {
  const { logger, entries } = captureLog()
  const found: unknown[] = []
  const waiting = {
    id: "waiting",
    name: "Waiting",
    type: "credentials",
    credentials: { name: {} },
    async authorize() {
      await settle()
      found.push(entries.filter(({ message }) => message === "unknown-option").length)
      return null
    },
  }
  const config = configOf({ providers: [waiting], sesion: {}, session: { strategy: "jwt" }, skipCSRFCheck, logger })
  const post = { method: "POST", headers: { origin }, body: new URLSearchParams({ name: "ada" }) }
  await Auth(new Request(`${origin}/auth/callback/waiting`, post), config)
  await settle()
  expect([...found, entries.filter(({ message }) => message === "unknown-option").length]).toEqual([0, 1])
})

test("several unknown options are one error under strict", async () => {
  const { logger, entries } = captureLog()
  const config = configOf({ security: "strict", sesion: {}, pages: { login: "/login" }, logger })
  await Auth(new Request(`${origin}/auth/csrf`), config)
  expect(entries.map(({ message }) => message)).toEqual([
    "experimental-webauthn",
    expect.stringMatching(/2 problems:\n- sesion: .*\n- pages\.login: /),
  ])
})

test("an unknown limit stays an error, and is no second finding", async () => {
  const { errors, warnings } = await checkAll(
    configOf({ rateLimit: { limits: { credential: false, link: { ip: false } } } }),
  )
  expect(errors.map(({ path }) => path)).toEqual(["rateLimit.limits.credential", "rateLimit.limits.link.ip"])
  expect(warnings.map(({ code }) => code)).not.toContain("unknown-option")
})

test("a session reader doesn't look for unknown options", async () => {
  const { logger, entries } = captureLog()
  const reader = createSessionReader(configOf({ security: "strict", sesion: {}, logger }))
  expect(await reader.session({ headers: new Headers(), origin })).toMatchObject({ session: null })
  await settle()
  expect(entries).toEqual([])
})

const Region = defineProvider<object, { region: string; tenant: string }>(({ region = "eu" }) => ({
  id: "region",
  name: "Region",
  type: "oidc",
  issuer: `https://${region}.region.test`,
}))

/** What the types of Auth.js v5 allow, and what isn't an option. */
const fine: readonly (readonly [what: string, given: Loose])[] = [
  ["`undefined`", { sesion: undefined, session: { maxage: undefined }, providers: [{ ...acme, foo: undefined }] }],
  ["symbols", { [Symbol("own")]: 1, providers: [{ ...acme, [customFetch]: fetch, [Symbol("own")]: 1 }] }],
  ["the console as the logger", { logger: console }],
  [
    "a logger with levels of its own",
    { logger: { error() {}, warn() {}, debug() {}, info() {}, child() {}, level: "x" } },
  ],
  ["an adapter with members of its own", { adapter: { pool: {}, sweep: () => 0 } }],
  ["a module with members of its own", { modules: [{ id: "own", settings: {} }] }],
  ["the `authorized` callback of Next.js", { callbacks: { authorized: () => true } }],
  ["the `prefix` of Fastify", { prefix: "/api" }],
  ["fields of a form", only(credentials({ credentials: { maxage: { lable: "x" } }, authorize: () => null }))],
  ["parameters", only({ ...acme, authorization: { url: "https://acme.test/a", params: { scop: "openid" } } })],
  ["functions of any endpoint", only({ ...acme, userinfo: { url: "https://acme.test/u", conform() {} } })],
  ["client metadata", only({ ...acme, client: { anything: true } })],
  ["options of a provider of another package", only({ ...acme, options: { tenant: "x", hostedDomain: "y" } })],
  ["options of a provider of your own", only(Region({ region: "us", tenant: "x" }))],
  [
    "a provider of this package under another id",
    only(github({ id: "work", enterprise: { baseUrl: "https://git.test" } })),
  ],
  ["options of the passkey library", only(passkey({ registrationOptions: { anything: 1 }, anything: 1 }))],
  [
    "an instance of a class",
    {
      theme: new (class Theme {
        readonly own = 1
      })(),
    },
  ],
  ["a provider of a test", only(op.provider())],
]

test.each(fine)("%s: no warning and no error", async (_what, given) => {
  for (const security of ["compatible", "strict"]) {
    const { errors, warnings } = await checkAll(
      configOf({ experimental: { enableWebAuthn: true }, ...given, security }),
    )
    const found = [
      ...errors.map(({ problem, path }) => `${path} ${problem}`),
      ...warnings.map(({ code, detail }) => code + detail),
    ]
    expect(found.filter((text) => /no option/.test(text))).toEqual([])
  }
})

test("no provider of this package has an unknown option, with each option that it documents", async () => {
  const providers = await Promise.all(
    catalogue.map(async ({ module, type, options }) => {
      const { default: make } = (await import(`../../src/providers/${module}.ts`)) as { default: unknown }
      const own = Object.fromEntries(options.map((name) => [name.split(".", 1)[0], "x"]))
      const usual =
        type === "email" ? { from: "x", endpoint: "https://mail.test" } : { clientId: "c", issuer: "https://x.test" }
      return call(make, { ...usual, ...own })
    }),
  )
  const { warnings } = await checkAll(configOf({ providers }))
  expect(warnings.filter(({ code }) => code === "unknown-option")).toEqual([])
  expect(providers.length).toBeGreaterThan(100)
})
