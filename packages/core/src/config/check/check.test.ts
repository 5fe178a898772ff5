import { describe, expect, test } from "vitest"
import { AuthError } from "../../errors.js"
import type { Adapter } from "../../model/adapter.js"
import type { AuthConfig } from "../../model/config.js"
import type { Provider } from "../../model/given-provider.js"
import { check } from "../../engine/check.js"
import { entropyOf, strongSecret } from "./values.js"

const secret = "mD5rNw0Zc2Xq8Lk1Bv7Hs4Tj9Yg6Fp3Qe+Ua/OiRxEbKz"
const oauth = { id: "acme", name: "Acme", type: "oauth", issuer: "https://a.test" } as const
const credentials: Provider = {
  id: "c",
  name: "C",
  type: "credentials",
  credentials: { name: {} },
  authorize: () => null,
}
const mail: Provider = { id: "mail", name: "Mail", type: "email", sendVerificationRequest() {} }
const passkey = { id: "p", name: "P", type: "webauthn" } as const
const formFields = { email: { autocomplete: "username webauthn" } }

/** Takes any object, because JavaScript applications can pass what the types forbid. */
function config(given: object = {}): AuthConfig {
  return { secret, trustHost: true, providers: [], ...given }
}

function problems(given: object = {}): readonly (readonly [string, string])[] {
  return check(config({ security: "strict", url: "https://a.test", ...given })).errors.map(({ path, type }) => [
    path,
    type,
  ])
}

const withProvider = (given: object, more: object = {}) => ({ providers: [{ ...oauth, ...given }], ...more })
const withCookie = (options: object, name = "x") => ({
  cookies: { state: { name, options } },
  useSecureCookies: true,
})
const withFields = (fields: object, more: object = {}) => ({
  providers: [{ ...credentials, credentials: fields, ...more }],
})

type Row = readonly [title: string, config: object, path: string, type: string]
const rows: readonly Row[] = [
  ["languages that aren't an object", { i18n: "de" }, "i18n", "InvalidConfig"],
  ["a language without texts", { i18n: { locales: ["en", "sw"] } }, "i18n.locales[1]", "InvalidConfig"],
  ["no languages", { i18n: { locales: [] } }, "i18n.locales", "InvalidConfig"],
  ["a default language that isn't offered", { i18n: { locales: ["de"] } }, "i18n.defaultLocale", "InvalidConfig"],
  ["a cookie for the language that isn't a name", { i18n: { cookies: ["a b"] } }, "i18n.cookies", "InvalidConfig"],
  ["cookies for the language as text", { i18n: { cookies: "lang" } }, "i18n.cookies", "InvalidConfig"],
  ["texts by something else than a tag", { i18n: { messages: { "a b": {} } } }, "i18n.messages.a b", "InvalidConfig"],
  [
    "a text that isn't text",
    { i18n: { messages: { de: { common: { or: 1 } } } } },
    "i18n.messages.de.common.or",
    "InvalidConfig",
  ],
  ["no secret", { secret: undefined }, "secret", "MissingSecret"],
  ["an empty secret", { secret: [] }, "secret", "MissingSecret"],
  ["an empty secret at the front of a list", { secret: ["", secret] }, "secret", "MissingSecret"],
  ["an empty secret in a list", { secret: [secret, ""] }, "secret", "InvalidConfig"],
  ["an empty jwt.secret", { jwt: { secret: "" } }, "jwt.secret", "InvalidConfig"],
  [
    "a weak secret under strict",
    { secret: "short", security: "strict", url: "https://a.test" },
    "secret",
    "InvalidConfig",
  ],
  [
    "a weak jwt.secret under strict",
    { jwt: { secret: "short" }, security: "strict", url: "https://a.test" },
    "secret",
    "InvalidConfig",
  ],
  ["a url that isn't one", { url: "app.test" }, "url", "InvalidConfig"],
  ["a url with another protocol", { url: "ftp://a.test" }, "url", "InvalidConfig"],
  ["a trustHost that is text", { trustHost: "true" }, "trustHost", "InvalidConfig"],
  ["an empty redirect proxy", { redirectProxyUrl: "" }, "redirectProxyUrl", "InvalidConfig"],
  ["an entry that isn't a provider", { providers: [false] }, "providers[0]", "InvalidConfig"],
  ["providers that aren't a list", { providers: oauth }, "providers", "InvalidConfig"],
  ["an event that isn't a function", { events: { signIn: true } }, "events.signIn", "InvalidConfig"],
  ["a callback that isn't a function", { callbacks: { jwt: {} } }, "callbacks.jwt", "InvalidConfig"],
  ["a logger that isn't a function", { logger: { warn: "x" } }, "logger.warn", "InvalidConfig"],
  ["an empty page", { pages: { signIn: "" } }, "pages.signIn", "InvalidConfig"],
  ["a redirect proxy that isn't a URL", { redirectProxyUrl: "/auth" }, "redirectProxyUrl", "InvalidConfig"],
  ["a trusted host that isn't a host", { trustHost: ["a.test", "a.test/x"] }, "trustHost[1]", "InvalidConfig"],
  ["a proxy origin that isn't a host", { redirectProxyOrigins: ["*"] }, "redirectProxyOrigins[0]", "InvalidConfig"],
  ["no listed origin under strict", { url: undefined }, "trustHost", "UntrustedHost"],
  ["no array of providers", { providers: undefined }, "providers", "InvalidConfig"],
  ["a provider without a known type", withProvider({ type: "saml" }), "providers[0]", "InvalidConfig"],
  ["a provider that can't be made", { providers: [thrower(new Error("no"))] }, "providers[0]", "AuthError"],
  ["an id with a slash", withProvider({ id: "a/b" }), "providers[0].id", "InvalidConfig"],
  ["the id undefined", withProvider({ id: "undefined" }), "providers[0].id", "InvalidConfig"],
  ["an id that every object has as a member", withProvider({ id: "constructor" }), "providers[0].id", "InvalidConfig"],
  ["the id __proto__", withProvider({ id: "__proto__" }), "providers[0].id", "InvalidConfig"],
  ["an id of only dots", withProvider({ id: ".." }), "providers[0].id", "InvalidConfig"],
  ["no id", withProvider({ id: undefined }), "providers[0].id", "InvalidConfig"],
  [
    "trusted audiences that aren't a list",
    withProvider({ trustedAudiences: "api" }),
    "providers[0].trustedAudiences",
    "InvalidConfig",
  ],
  [
    "a trusted audience that is empty",
    withProvider({ trustedAudiences: ["api", ""] }),
    "providers[0].trustedAudiences",
    "InvalidConfig",
  ],
  ["two equal ids", { providers: [oauth, { ...oauth }] }, "providers[1].id", "InvalidConfig"],
  [
    "two ids that options make equal",
    { providers: [oauth, { ...oauth, id: "b", options: { id: "acme" } }] },
    "providers[1].id",
    "InvalidConfig",
  ],
  ["no issuer and no endpoints", withProvider({ issuer: undefined }), "providers[0]", "InvalidEndpoints"],
  ["a placeholder as the issuer", withProvider({ issuer: "https://authjs.dev" }), "providers[0]", "InvalidEndpoints"],
  [
    "a missing userinfo endpoint",
    withProvider({ issuer: undefined, authorization: "https://a.test", token: "https://a.test" }),
    "providers[0]",
    "InvalidEndpoints",
  ],
  ["an issuer that isn't a URL", withProvider({ issuer: "a.test" }), "providers[0].issuer", "InvalidEndpoints"],
  [
    "an endpoint that's made from a missing issuer",
    withProvider({ token: "undefined/token" }),
    "providers[0].token",
    "InvalidEndpoints",
  ],
  ["a plain http issuer", withProvider({ issuer: "http://op.test" }), "providers[0].issuer", "InvalidEndpoints"],
  [
    "a plain http token endpoint",
    withProvider({ token: { url: "http://op.test" } }),
    "providers[0].token",
    "InvalidEndpoints",
  ],
  [
    "a plain http URL of the keys",
    withProvider({ jwks_endpoint: "http://op.test" }),
    "providers[0].jwks_endpoint",
    "InvalidEndpoints",
  ],
  [
    "a plain http userinfo endpoint",
    withProvider({ userinfo: "http://op.test" }),
    "providers[0].userinfo",
    "InvalidEndpoints",
  ],
  [
    "an unknown client authentication method",
    withProvider({ client: { token_endpoint_auth_method: "basic" } }),
    "providers[0].client.token_endpoint_auth_method",
    "InvalidConfig",
  ],
  [
    "private_key_jwt without a key",
    withProvider({ client: { token_endpoint_auth_method: "private_key_jwt" } }),
    "providers[0].client.token_endpoint_auth_method",
    "InvalidConfig",
  ],
  ["an unknown check", withProvider({ checks: ["pcke"] }), "providers[0].checks", "InvalidConfig"],
  [
    "no checks under strict",
    withProvider({ checks: ["none"] }, { security: "strict", url: "https://a.test" }),
    "providers[0].checks",
    "InvalidConfig",
  ],
  [
    "a provider's redirect proxy that isn't a URL",
    withProvider({ redirectProxyUrl: "p.test" }),
    "providers[0].redirectProxyUrl",
    "InvalidConfig",
  ],
  [
    "credentials without fields under strict",
    { providers: [{ ...credentials, credentials: {} }], security: "strict", url: "https://a.test" },
    "providers[0].credentials",
    "InvalidConfig",
  ],
  [
    "credentials without authorize",
    { providers: [{ ...credentials, authorize: undefined }] },
    "providers[0].authorize",
    "MissingAuthorize",
  ],
  ["email without an adapter", { providers: [mail] }, "adapter", "MissingAdapter"],
  [
    "an email provider that can't send",
    { providers: [{ ...mail, sendVerificationRequest: undefined }], adapter: full(), session: { strategy: "jwt" } },
    "providers[0].sendVerificationRequest",
    "InvalidConfig",
  ],
  [
    "an email link with a lifetime of 0",
    { providers: [{ ...mail, maxAge: 0 }], adapter: full() },
    "providers[0].maxAge",
    "InvalidConfig",
  ],
  [
    "database sessions without an adapter",
    { ...withProvider({}), session: { strategy: "database" } },
    "adapter",
    "MissingAdapter",
  ],
  [
    "database sessions for credentials without an adapter",
    { providers: [credentials], session: { strategy: "database" } },
    "session.strategy",
    "UnsupportedStrategy",
  ],
  [
    "an adapter without session methods for database sessions",
    { adapter: without("createSession") },
    "adapter",
    "MissingAdapterMethods",
  ],
  [
    "an adapter without session methods for email",
    { providers: [mail], adapter: without("deleteSession") },
    "adapter",
    "MissingAdapterMethods",
  ],
  [
    "an adapter without token methods for email",
    { providers: [mail], adapter: without("useVerificationToken") },
    "adapter",
    "MissingAdapterMethods",
  ],
  [
    "an adapter whose method is undefined",
    { adapter: { ...full(), getUser: undefined } },
    "adapter",
    "MissingAdapterMethods",
  ],
  [
    "passkeys that aren't enabled",
    { providers: [passkey], adapter: full(), security: "compatible" },
    "experimental.enableWebAuthn",
    "ExperimentalFeatureNotEnabled",
  ],
  [
    "passkeys without an adapter",
    { providers: [passkey], experimental: { enableWebAuthn: true }, security: "compatible" },
    "adapter",
    "MissingAdapter",
  ],
  [
    "an adapter without passkey methods",
    passkeys([passkey], without("getAuthenticator")),
    "adapter",
    "MissingAdapterMethods",
  ],
  [
    "a browser library version that isn't one",
    passkeys([{ ...passkey, simpleWebAuthnBrowserVersion: "9" }]),
    "providers[0].simpleWebAuthnBrowserVersion",
    "AuthError",
  ],
  [
    "passkey autofill without a field",
    passkeys([{ ...passkey, enableConditionalUI: true }]),
    "providers[0].enableConditionalUI",
    "MissingWebAuthnAutocomplete",
  ],
  [
    "passkey autofill twice",
    passkeys(["p", "q"].map((id) => ({ ...passkey, id, enableConditionalUI: true, formFields }))),
    "providers[1].enableConditionalUI",
    "DuplicateConditionalUI",
  ],
  ...[0, -5, Number.NaN, Number.POSITIVE_INFINITY, "abc", "60"].map(
    (maxAge): Row => [`the lifetime ${maxAge}`, { session: { maxAge } }, "session.maxAge", "InvalidConfig"],
  ),
  ["a negative updateAge", { session: { updateAge: -1 } }, "session.updateAge", "InvalidConfig"],
  ["a token with a lifetime of 0", { jwt: { maxAge: 0 } }, "jwt.maxAge", "InvalidConfig"],
  [
    "a former sessions' end that isn't a date",
    { security: { formerSessionsUntil: "soon" } },
    "security.formerSessionsUntil",
    "InvalidConfig",
  ],
  [
    "a former sessions' end that is a number",
    { security: { formerSessionsUntil: 1_800_000_000_000 } },
    "security.formerSessionsUntil",
    "InvalidConfig",
  ],
  ["a notBefore that isn't a date", { session: { notBefore: "soon" } }, "session.notBefore", "InvalidConfig"],
  [
    "a negative maxStaleness",
    { session: { revocation: { maxStaleness: -1 } } },
    "session.revocation.maxStaleness",
    "InvalidConfig",
  ],
  ["a negative absolute lifetime", { session: { absoluteMaxAge: -1 } }, "session.absoluteMaxAge", "InvalidConfig"],
  ["a default link lifetime of 0", { security: { emailLinkMaxAge: 0 } }, "security.emailLinkMaxAge", "InvalidConfig"],
  ["an unknown strategy", { session: { strategy: "jtw" } }, "session.strategy", "InvalidConfig"],
  ["an unknown security mode", { security: "paranoid" }, "security", "InvalidConfig"],
  ["an unknown environment", { environment: "test" }, "environment", "InvalidConfig"],
  ["an unknown color scheme", { theme: { colorScheme: "blue" } }, "theme.colorScheme", "InvalidConfig"],
  ["a page without a slash", { pages: { signIn: "login" } }, "pages.signIn", "InvalidConfig"],
  ["a page that leads to another site", { pages: { error: "//evil.test" } }, "pages.error", "InvalidConfig"],
  ["terms that are a script", { pages: { terms: "javascript:alert(1)" } }, "pages.terms", "InvalidConfig"],
  ["terms on another site without its scheme", { pages: { terms: "//evil.test" } }, "pages.terms", "InvalidConfig"],
  ["a privacy policy that isn't a web page", { pages: { privacy: "data:,x" } }, "pages.privacy", "InvalidConfig"],
  ["a page with a backslash", { pages: { newUser: "/\\evil.test" } }, "pages.newUser", "InvalidConfig"],
  ["a page with a line break", { pages: { signOut: "/a\nb" } }, "pages.signOut", "InvalidConfig"],
  [
    "a page with a javascript URL",
    { pages: { verifyRequest: "javascript:alert(1)" } },
    "pages.verifyRequest",
    "InvalidConfig",
  ],
  [
    "a color that ends its declaration",
    { theme: { brandColor: "red;background:url(//x)" } },
    "theme.brandColor",
    "InvalidConfig",
  ],
  ["a color that loads a URL", { theme: { buttonText: "url(https://x.test)" } }, "theme.buttonText", "InvalidConfig"],
  ["a logo with a javascript URL", { theme: { logo: "javascript:alert(1)" } }, "theme.logo", "InvalidConfig"],
  [
    "a lifetime for the session cookie",
    { cookies: { sessionToken: { options: { maxAge: 60 } } } },
    "cookies.sessionToken.options.maxAge",
    "InvalidConfig",
  ],
  ["a cookie name with a semicolon", withCookie({}, "a;b"), "cookies.state.name", "InvalidConfig"],
  [
    "a domain that sets another cookie",
    withCookie({ domain: "x\r\nSet-Cookie:" }),
    "cookies.state.options.domain",
    "InvalidConfig",
  ],
  [
    "a cookie path with another attribute",
    withCookie({ path: "/; Domain=evil.test" }),
    "cookies.state.options.path",
    "InvalidConfig",
  ],
  ["a cookie path without a slash", withCookie({ path: "auth" }), "cookies.state.options.path", "InvalidConfig"],
  ["a fractional lifetime", withCookie({ maxAge: 1.5 }), "cookies.state.options.maxAge", "InvalidConfig"],
  [
    "an invalid expiry date",
    withCookie({ expires: new Date(Number.NaN) }),
    "cookies.state.options.expires",
    "InvalidConfig",
  ],
  ["an unknown sameSite", withCookie({ sameSite: "loose" }), "cookies.state.options.sameSite", "InvalidConfig"],
  ["an unknown priority", withCookie({ priority: "urgent" }), "cookies.state.options.priority", "InvalidConfig"],
  [
    "a __Host- cookie with a domain",
    withCookie({ domain: "a.test" }, "__Host-x"),
    "cookies.state.options.domain",
    "InvalidConfig",
  ],
  [
    "a __Host- cookie with a path",
    withCookie({ path: "/auth" }, "__Host-x"),
    "cookies.state.options.path",
    "InvalidConfig",
  ],
  [
    "a __Secure- cookie without secure",
    withCookie({ secure: false }, "__Secure-x"),
    "cookies.state.options.secure",
    "InvalidConfig",
  ],
  [
    "a __Host- prefix in other case",
    withCookie({ path: "/auth" }, "__hOsT-x"),
    "cookies.state.options.path",
    "InvalidConfig",
  ],
  [
    "a __Secure- prefix in other case",
    withCookie({ secure: false }, "__secure-x"),
    "cookies.state.options.secure",
    "InvalidConfig",
  ],
  [
    "sameSite none without secure",
    withCookie({ secure: false, sameSite: "None" }, "x"),
    "cookies.state.options.sameSite",
    "InvalidConfig",
  ],
  [
    "a partitioned cookie without secure",
    withCookie({ secure: false, partitioned: true }, "x"),
    "cookies.state.options.partitioned",
    "InvalidConfig",
  ],
  [
    "two cookies with one name",
    { cookies: { state: { name: "x" }, nonce: { name: "x" } } },
    "cookies.nonce.name",
    "InvalidConfig",
  ],
  [
    "a cookie named like a part of another",
    { cookies: { sessionToken: { name: "s" }, state: { name: "s.0" } } },
    "cookies.state.name",
    "InvalidConfig",
  ],
  [
    "a name that clashes only over http",
    { cookies: { sessionToken: { name: "authjs.state" } }, url: undefined, trustHost: ["a.test"] },
    "cookies.state.name",
    "InvalidConfig",
  ],
  ["a module without a valid id", { modules: [{ id: "a b" }] }, "modules[0].id", "InvalidConfig"],
  ["a module twice", { modules: [{ id: "a" }, { id: "a" }] }, "modules[1]", "InvalidConfig"],
  ["a module with the name of a built-in route", { modules: [{ id: "session" }] }, "modules[0]", "InvalidConfig"],
  ["a module with a built-in path", { modules: [{ id: "a", paths: ["csrf"] }] }, "modules[0]", "InvalidConfig"],
  ["a module that needs another one", { modules: [{ id: "a", needs: ["b"] }] }, "modules[0]", "InvalidConfig"],
  ["a module with records, and no store", { modules: [{ id: "a", records: {} }] }, "modules[0]", "InvalidConfig"],
]

function full(): Adapter {
  const names =
    "createUser getUser getUserByEmail getUserByAccount updateUser linkAccount createSession getSessionAndUser updateSession deleteSession createVerificationToken useVerificationToken getAccount getAuthenticator createAuthenticator listAuthenticatorsByUserId updateAuthenticatorCounter"
  return Object.fromEntries(names.split(" ").map((name) => [name, async () => null]))
}

function without(name: keyof Adapter): Adapter {
  const { [name]: _, ...rest } = full()
  return rest
}

function passkeys(providers: readonly object[], adapter: Adapter = full()): object {
  return { providers, adapter, experimental: { enableWebAuthn: true }, security: "compatible" }
}

describe("exactly one problem is found in", () => {
  test.each(rows)("%s", (_, given, path, type) => {
    expect(problems(given)).toEqual([[path, type]])
  })
})

describe("under compatible, exactly one error or one warning is found in", () => {
  test.each(rows.filter(([, given]) => !("security" in given) && !("url" in given)))("%s", (_, given, path) => {
    const { errors, warnings } = check(config({ url: "https://a.test", ...given }))
    const about = warnings.filter(({ detail }) => detail.startsWith(`${path}: `))
    expect(errors.length + about.length).toBe(1)
  })
})

const sound: readonly (readonly [string, object])[] = [
  ["a minimal configuration", {}],
  ["a provider with an issuer", withProvider({})],
  ["a provider with only a discovery document", withProvider({ issuer: undefined, wellKnown: "https://a.test/x" })],
  [
    "custom requests instead of endpoints",
    withProvider({
      issuer: undefined,
      authorization: "https://a.test",
      token: { request() {} },
      userinfo: { request() {} },
    }),
  ],
  [
    "OpenID Connect without userinfo",
    withProvider({ type: "oidc", issuer: undefined, authorization: "https://a.test", token: "https://a.test" }),
  ],
  [
    "plain http on this machine",
    withProvider({ issuer: "http://localhost:8080", token: "http://127.0.0.1/t", userinfo: "http://[::1]/u" }),
  ],
  ["plain http where it's allowed", withProvider({ issuer: "http://op.test", allowInsecureRequests: true })],
  ["plain http in development", withProvider({ issuer: "http://op.test" }, { environment: "development" })],
  [
    "private_key_jwt with a key",
    withProvider({ client: { token_endpoint_auth_method: "private_key_jwt" }, token: { clientPrivateKey: {} } }),
  ],
  ["no checks under compatible", withProvider({ checks: ["none"] }, { security: "compatible" })],
  [
    "credentials without fields under compatible",
    { providers: [{ ...credentials, credentials: {} }], security: "compatible" },
  ],
  [
    "credentials with database sessions",
    { providers: [credentials], adapter: full(), session: { strategy: "database" } },
  ],
  ["email with a complete adapter", { providers: [mail], adapter: full() }],
  ["an adapter with inherited methods", { providers: [mail], adapter: Object.create(full()) as object }],
  ["an adapter without session methods under jwt", { adapter: {}, session: { strategy: "jwt" } }],
  [
    "passkeys",
    passkeys([{ ...passkey, enableConditionalUI: true, formFields, simpleWebAuthnBrowserVersion: "v9.0.1" }]),
  ],
  [
    "pages and themes",
    {
      pages: { signIn: "/login?x=1", error: "https://a.test/error" },
      theme: { brandColor: "rgb(1 2 3 / 50%)", buttonText: "", logo: "/logo.png", colorScheme: "auto" },
    },
  ],
  [
    "a theme with a data URL",
    { theme: { brandColor: "#fff", buttonText: "var(--x)", logo: "data:image/png;base64,AA==" } },
  ],
  [
    "every form of trusted host",
    { trustHost: ["a.test", "b.test:8443", "*.c.test", "https://d.test", "[::1]:80", "localhost"] },
  ],
  [
    "custom cookies",
    { cookies: { sessionToken: { name: "sid", options: { domain: ".a.test", sameSite: "none", secure: true } } } },
  ],
  ["a strict configuration", { ...withProvider({}), security: "strict", url: "https://a.test", adapter: full() }],
  [
    "a strict configuration with a weak secret in development",
    { secret: "short", security: "strict", environment: "development" },
  ],
  ["an updateAge of 0", { session: { updateAge: 0 } }],
  [
    "modules",
    {
      modules: [
        { id: "a-1", paths: ["keys.json"] },
        { id: "b", needs: ["a-1"] },
      ],
    },
  ],
]
test.each(sound)("no problem is found in %s", (_, given) => {
  expect(problems(given)).toEqual([])
})

test("all problems are reported together", () => {
  const given = {
    secret: "",
    providers: [{ ...oauth, issuer: undefined }, oauth, mail],
    session: { maxAge: -5 },
    pages: { error: "x" },
  }
  expect(problems(given).map(([path]) => path)).toEqual([
    "secret",
    "providers[0]",
    "providers[1].id",
    "adapter",
    "session.maxAge",
    "pages.error",
  ])
})

test("problems of one configuration aren't reported for the next", () => {
  problems({ providers: [mail] })
  expect(problems({ providers: [oauth] })).toEqual([])
})

test("each missing method is named once, for sessions and email together", () => {
  const { deleteSession: _, useVerificationToken: __, ...adapter } = full()
  expect(check(config({ providers: [mail], adapter })).errors[0]?.problem).toBe(
    "The adapter lacks useVerificationToken, deleteSession",
  )
})

test("a frozen configuration is checked, and no message ends with a period or contains a secret", () => {
  const hidden = "hunter2-hunter2"
  const url = `https://user:${hidden}@op.test:bad`
  const broken = Object.freeze(
    config({
      secret: [hidden],
      security: "strict",
      url,
      redirectProxyUrl: hidden,
      trustHost: [`${hidden}/`],
      providers: [
        Object.freeze({ ...oauth, clientSecret: hidden, issuer: url, token: `http://user:${hidden}@op.test` }),
        thrower(new Error(hidden)),
      ],
      cookies: { state: { options: { domain: `${hidden};` } } },
      pages: { error: hidden },
    }),
  )
  const { errors } = check(broken)
  expect(errors.length).toBeGreaterThan(7)
  expect(JSON.stringify(check(broken))).not.toContain(hidden)
  for (const { problem } of errors) expect(problem).not.toMatch(/\.$/)
})

function thrower(error: Error): () => never {
  return () => {
    throw error
  }
}

test("an AuthError that a factory throws is shown in the message", () => {
  const { errors } = check(config({ providers: [thrower(new AuthError("There is no server: set one"))] }))
  expect(errors[0]?.problem).toContain("There is no server: set one")
})

const warned: readonly (readonly [string, object, readonly string[]])[] = [
  [
    "records that are atomic within one process only",
    { modules: [{ id: "a", records: {} }], records: { atomic: "process" } },
    ["records-not-atomic"],
  ],
  ["a weak secret", { secret: "short" }, ["weak-secret"]],
  ["a weak secret among strong ones", { secret: [secret, "short"] }, ["weak-secret"]],
  ["a weak jwt.secret", { jwt: { secret: "short" } }, ["weak-secret"]],
  ["a provider with an empty list of checks", withProvider({ checks: [] }), ["checks-disabled"]],
  [
    "plain http in development",
    withProvider({ token: "http://op.test" }, { environment: "development" }),
    ["insecure-endpoint"],
  ],
  ["passkeys", passkeys([passkey]), ["experimental-webauthn"]],
  [
    "a sign-up with a passkey beside sign-in by email",
    passkeys([passkey, mail]),
    ["experimental-webauthn", "passkey-unproven-email"],
  ],
  [
    "a sign-up with a passkey beside sign-in by email that reclaims the mailbox",
    { ...passkeys([passkey, mail]), security: { mode: "compatible", reclaimMailbox: true } },
    ["experimental-webauthn"],
  ],
  [
    "passkeys that only users create beside sign-in by email",
    { ...passkeys([passkey, mail]), security: { mode: "compatible", passkeySignUp: false } },
    ["experimental-webauthn"],
  ],
  [
    "passkeys with a `getUserInfo` beside sign-in by email",
    passkeys([{ ...passkey, getUserInfo: async () => null }, mail]),
    ["experimental-webauthn"],
  ],
  ["a form with nothing but a password", withFields({ password: { type: "password" } }), ["user-not-limited"]],
  ["a form with nothing but a pin", withFields({ pin: {} }), ["user-not-limited"]],
  [
    "a form with a secret and a hidden field",
    withFields({ tenant: { type: "hidden" }, code: { type: "password" } }),
    ["user-not-limited"],
  ],
  ["a form whose first field is a name", withFields({ badge: {}, pin: {} }), []],
  ["a form with a usual name after the secret", withFields({ pin: {}, email: {} }), []],
  ["a form without a secret", withFields({ message: {}, signature: {} }), []],
  ["a form without declared fields", withFields({}), []],
  ["a form with an `identifier`", withFields({ pin: {} }, { identifier: () => "everyone" }), []],
  ["a form without limits", { ...withFields({ pin: {} }), rateLimit: false }, []],
  [
    "a form without limits of its own",
    { ...withFields({ pin: {} }), rateLimit: { limits: { credentials: false } } },
    [],
  ],
  ["a url with another path than basePath", { url: "https://a.test/x", basePath: "/y" }, ["env-url-basepath-mismatch"]],
  ["a url with the path of basePath", { url: "https://a.test/x/", basePath: "/x" }, []],
  ["a configuration without problems", withProvider({}), []],
]
test.each(warned)("%s gives the expected warnings", (_, given, expected) => {
  expect(check(config(given)).warnings.map(({ code }) => code)).toEqual(expected)
})

describe("the entropy of a secret", () => {
  const strong = [
    "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "K7gNU3sdo+OL0wNhqoVWhr3g6s1xYv72ol/pe/Unols=",
    "mD5rNw0Zc2Xq8Lk1Bv7Hs4Tj9Yg6Fp3Qe-Ua_OiRxEbKz",
  ]
  test.each(strong)("%s has at least the entropy of 32 random bytes", (text) => {
    expect(entropyOf(text)).toBeGreaterThanOrEqual(strongSecret)
  })

  const weak = [
    "",
    "secret",
    "a".repeat(500),
    `${"a".repeat(200)}b`,
    "0123456789abcdef".repeat(20),
    "6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b",
    "abababababababababab".repeat(4),
    "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fG",
    "12345678901234567890123456789012345678901234567890",
  ]
  test.each(weak)("%j has less", (text) => {
    expect(entropyOf(text)).toBeLessThan(strongSecret)
  })
})
