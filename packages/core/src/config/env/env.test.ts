import { describe, expect, test } from "vitest"
import type { AuthConfig } from "../../model/config.js"
import type { Provider, ProviderConfig } from "../../model/given-provider.js"
import type { OAuthConfig } from "../../model/oauth-provider.js"
import { defineProvider } from "../../provider-kit/define.js"
import { createActionURL, isAuthAction } from "./action-url.js"
import { setEnvDefaults, withEnv } from "./env.js"
import type { Env } from "./variables.js"
import { makeProvider } from "../read-providers.js"

const config = (given: Partial<AuthConfig> = {}): AuthConfig => Object.freeze({ providers: [], ...given })

describe("withEnv", () => {
  const rows: readonly (readonly [
    title: string,
    env: Env,
    given: Partial<AuthConfig>,
    expected: Partial<AuthConfig>,
  ])[] = [
    [
      "AUTH_URL sets url and basePath",
      { AUTH_URL: "https://a.test/api/auth/" },
      {},
      { url: "https://a.test/api/auth/", basePath: "/api/auth" },
    ],
    [
      "NEXTAUTH_URL is used if AUTH_URL is empty",
      { AUTH_URL: "", NEXTAUTH_URL: "https://b.test" },
      {},
      { url: "https://b.test", basePath: undefined },
    ],
    [
      "NEXTAUTH_URL without a scheme is https",
      { NEXTAUTH_URL: "b.test:8443/api/auth" },
      {},
      { url: "https://b.test:8443/api/auth", basePath: "/api/auth" },
    ],
    ["NEXTAUTH_URL with another scheme stays as it is", { NEXTAUTH_URL: "ftp://b.test" }, {}, { url: "ftp://b.test" }],
    ["a configured url wins", { AUTH_URL: "https://a.test" }, { url: "https://c.test" }, { url: "https://c.test" }],
    [
      "a configured base path wins over the path of AUTH_URL",
      { AUTH_URL: "https://a.test/x" },
      { basePath: "/y" },
      { basePath: "/y" },
    ],
    [
      "numbered secrets come first, the newest at the front",
      { AUTH_SECRET: "s", AUTH_SECRET_1: "s1", AUTH_SECRET_3: "s3", NEXTAUTH_SECRET: "n" },
      {},
      { secret: ["s3", "s1", "s", "n"] },
    ],
    [
      "empty and repeated secrets are left out",
      { AUTH_SECRET: "s", AUTH_SECRET_1: "", NEXTAUTH_SECRET: "s" },
      {},
      { secret: ["s"] },
    ],
    ["without variables no secret is set", {}, {}, { secret: undefined }],
    ["an empty configured array of secrets counts as unset", { AUTH_SECRET: "s" }, { secret: [] }, { secret: ["s"] }],
    ["a configured secret wins", { AUTH_SECRET: "s" }, { secret: "own" }, { secret: "own" }],
    [
      "the redirect proxy is read",
      { AUTH_REDIRECT_PROXY_URL: "https://p.test/auth" },
      {},
      { redirectProxyUrl: "https://p.test/auth" },
    ],
    [
      "Vercel names the origins of a deployment",
      { VERCEL: "1", VERCEL_URL: "app-x1-team.vercel.app", VERCEL_BRANCH_URL: "app-git-b-team.vercel.app" },
      {},
      { deploymentOrigins: ["https://app-x1-team.vercel.app", "https://app-git-b-team.vercel.app"], trustHost: true },
    ],
    [
      "Cloudflare Pages names the origins of a project",
      { CF_PAGES: "1", CF_PAGES_URL: "https://373f31e2.app.pages.dev" },
      {},
      { deploymentOrigins: ["https://373f31e2.app.pages.dev", "https://*.app.pages.dev"] },
    ],
    [
      "Netlify names the origins of a deployment",
      { NETLIFY: "true", DEPLOY_PRIME_URL: "https://deploy-preview-1--app.netlify.app", URL: "https://app.test" },
      {},
      { deploymentOrigins: ["https://deploy-preview-1--app.netlify.app", "https://app.test"] },
    ],
    [
      "variables of a platform that the application doesn't run on name no origins",
      { VERCEL_URL: "app.vercel.app", CF_PAGES_URL: "https://a.app.pages.dev", URL: "https://app.test", VERCEL: "0" },
      {},
      { deploymentOrigins: undefined },
    ],
    [
      "configured origins of a deployment win",
      { VERCEL: "1", VERCEL_URL: "app.vercel.app" },
      { deploymentOrigins: ["https://pr.app.test"] },
      { deploymentOrigins: ["https://pr.app.test"] },
    ],
    [
      "NODE_ENV=development sets the environment",
      { NODE_ENV: "development" },
      {},
      { environment: "development", trustHost: true },
    ],
    [
      "NODE_ENV=production sets the environment",
      { NODE_ENV: "production" },
      {},
      { environment: "production", trustHost: false },
    ],
    ["another NODE_ENV names a deployment", { NODE_ENV: "staging" }, {}, { environment: "production" }],
    ["NODE_ENV=test leaves the environment unset", { NODE_ENV: "test" }, {}, { environment: undefined }],
    [
      "a configured environment wins",
      { NODE_ENV: "production" },
      { environment: "development" },
      { environment: "development" },
    ],
    ["VERCEL_ENV tells the environment", { VERCEL_ENV: "preview" }, {}, { environment: "production" }],
    ["`vercel dev` is development", { VERCEL_ENV: "development" }, {}, { environment: "development" }],
    [
      "NODE_ENV wins over VERCEL_ENV",
      { NODE_ENV: "development", VERCEL_ENV: "preview" },
      {},
      { environment: "development" },
    ],
    [
      "Netlify tells the environment",
      { NETLIFY: "true", CONTEXT: "deploy-preview" },
      {},
      { environment: "production" },
    ],
    ["`netlify dev` is development", { NETLIFY: "true", CONTEXT: "dev" }, {}, { environment: "development" }],
    ["CONTEXT alone says nothing", { CONTEXT: "production" }, {}, { environment: undefined }],
    ["Cloudflare Pages is production", { CF_PAGES: "1" }, {}, { environment: "production" }],
    ["Deno Deploy is production", { DENO_DEPLOYMENT_ID: "id" }, {}, { environment: "production" }],
    ["without variables the environment is unset", {}, {}, { environment: undefined }],
  ]
  test.each(rows)("%s", (_, env, given, expected) => {
    expect(withEnv(config(given), env)).toMatchObject(expected)
  })

  const trust: readonly (readonly [Env, AuthConfig["trustHost"]])[] = [
    [{}, false],
    [{ NODE_ENV: "production" }, false],
    [{ NODE_ENV: "test" }, true],
    [{ AUTH_URL: "https://a.test", NODE_ENV: "production" }, true],
    [{ AUTH_TRUST_HOST: "true", NODE_ENV: "production" }, true],
    [{ AUTH_TRUST_HOST: "1" }, true],
    [{ AUTH_TRUST_HOST: "TRUE" }, true],
    [{ AUTH_TRUST_HOST: "false", NODE_ENV: "development" }, false],
    [{ AUTH_TRUST_HOST: "0", VERCEL: "1" }, false],
    [{ AUTH_TRUST_HOST: "no" }, false],
    [{ AUTH_TRUST_HOST: " , " }, false],
    [{ AUTH_TRUST_HOST: "A.test, b.test:8443" }, ["a.test", "b.test:8443"]],
    [{ AUTH_TRUST_HOST: "a.test" }, ["a.test"]],
    [{ AUTH_URL: "", AUTH_TRUST_HOST: "", VERCEL: "1", NODE_ENV: "production" }, true],
    [{ CF_PAGES: "1", NODE_ENV: "production" }, true],
    [{ VERCEL: "", NODE_ENV: "production" }, false],
    [{ VERCEL: "0", NODE_ENV: "production" }, false],
  ]
  test.each(trust)("%j sets trustHost to %j", (env, expected) => {
    expect(withEnv(config(), env).trustHost).toEqual(expected)
  })

  test("a configured trustHost wins, also false", () => {
    expect(withEnv(config({ trustHost: false }), { AUTH_TRUST_HOST: "true" }).trustHost).toBe(false)
  })

  test("the path of AUTH_URL wins over the framework's default", () => {
    const options = { basePath: "/api/auth" }
    expect(withEnv(config(), {}, options).basePath).toBe("/api/auth")
    expect(withEnv(config(), { AUTH_URL: "https://a.test/" }, options).basePath).toBe("/api/auth")
    expect(withEnv(config(), { AUTH_URL: "https://a.test/own" }, options).basePath).toBe("/own")
  })

  test("the same configuration and variables give the same object, until a variable that was read changes", () => {
    const given = config()
    const env = { AUTH_SECRET: "one", HOME: "/a" }
    const first = withEnv(given, env)
    expect(withEnv(given, { ...env, HOME: "/b" })).toBe(first)
    const second = withEnv(given, { ...env, AUTH_SECRET: "two" })
    expect(second.secret).toEqual(["two"])
    expect(withEnv(given, { ...env, AUTH_SECRET: "two" }, { basePath: "/x" }).basePath).toBe("/x")
  })

  test("missing providers stay missing", () => {
    const broken: object = {}
    expect(withEnv(broken as AuthConfig, {}).providers).toBeUndefined()
  })
})

const env: Env = {
  AUTH_ACME_ID: "id",
  AUTH_ACME_SECRET: "secret",
  AUTH_ACME_ISSUER: "https://acme.test",
  AUTH_ACME_KEY: "key",
  AUTH_ACME_TWO_ID: "id two",
}
const Acme = defineProvider(({ issuer }) => ({
  id: "acme",
  name: "Acme",
  type: "oidc",
  issuer,
  token: `${issuer}/token`,
}))
const Fixed = defineProvider({ id: "acme", name: "Acme", type: "oidc", issuer: "https://built-in.test" })
const literal: ProviderConfig = { id: "acme", name: "Acme", type: "oidc" }

/** A factory in the style of Auth.js: it makes its texts when it is called. */
const foreign = (options: Readonly<Record<string, string>> = {}): OAuthConfig => ({
  id: "acme",
  name: "Acme",
  type: "oidc",
  token: `${options["issuer"]}/token`,
  options,
})

describe("the environment of a provider", () => {
  const seen = (given: Provider) => makeProvider(withEnv(config({ providers: [given] }), env).providers[0] ?? literal)
  const client = { clientId: "id", clientSecret: "secret", issuer: "https://acme.test", apiKey: "key" }

  const forms: readonly (readonly [string, Provider, object])[] = [
    ["a literal", literal, client],
    ["a bare function", Acme, { ...client, token: "https://acme.test/token" }],
    [
      "a called factory",
      Acme({ clientSecret: "own" }),
      { ...client, clientSecret: "own", token: "https://acme.test/token" },
    ],
    [
      "a called factory with its own issuer",
      Acme({ issuer: "https://own.test" }),
      { clientId: "id", token: "https://own.test/token" },
    ],
    ["a factory with a built-in issuer", Fixed, client],
    [
      "a literal with its own issuer",
      { ...literal, issuer: "https://own.test" },
      { ...client, issuer: "https://own.test" },
    ],
    ["an uncalled factory of another library", foreign, { ...client, token: "https://acme.test/token" }],
    ["a called factory of another library", foreign({ clientId: "own" }), { ...client, clientId: "own" }],
    ["a plain function", () => literal, client],
    [
      "a factory with another id",
      Acme({ id: "acme-two" }),
      { id: "acme-two", clientId: "id two", clientSecret: "secret" },
    ],
    [
      "a spread factory",
      { ...Acme({}), name: "Other" },
      { ...client, name: "Other", token: "https://acme.test/token" },
    ],
    ["an email provider", { id: "acme", name: "A", type: "email", sendVerificationRequest() {} }, { apiKey: "key" }],
  ]
  test.each(forms)("reaches %s", (_, given, expected) => {
    expect(seen(given)).toMatchObject(expected)
  })

  test("calls another library's factory without options, and then once with the variables", () => {
    const calls: object[] = []
    const spied = (options: object) => {
      calls.push(options)
      return literal
    }
    const given = config({ providers: [spied] })
    withEnv(given, env)
    withEnv(given, env)
    expect(calls).toEqual([{}, client])
  })

  test("doesn't change the input", () => {
    const provider = Object.freeze({ ...literal, options: Object.freeze({ id: "acme" }) })
    withEnv(config({ providers: Object.freeze([provider]) }), env)
    expect(provider).toEqual({ ...literal, options: { id: "acme" } })
  })

  test("leaves a factory that needs options to the check", () => {
    const broken = (): never => {
      throw new Error("no server")
    }
    expect(withEnv(config({ providers: [broken] }), env).providers).toEqual([broken])
  })

  test("ignores an empty variable", () => {
    expect(withEnv(config({ providers: [literal] }), { AUTH_ACME_ID: "" }).providers).toEqual([literal])
  })
})

describe("setEnvDefaults", () => {
  test("writes into the given object, and sets basePath to /auth", () => {
    const given: AuthConfig = { providers: [literal] }
    setEnvDefaults({ AUTH_SECRET: "s", AUTH_ACME_ID: "id" }, given)
    expect(given).toMatchObject({ secret: ["s"], basePath: "/auth", providers: [{ clientId: "id" }] })
  })

  test("writes the client into each provider, whatever its form", () => {
    const object = { ...literal }
    const called = Acme({ clientSecret: "own", allowInsecureRequests: true })
    const frozen = Object.freeze({ ...literal, clientId: "own" })
    const given: AuthConfig = {
      providers: [object, Acme, foreign, called, frozen, { ...literal, type: "email", sendVerificationRequest() {} }],
    }
    setEnvDefaults(env, given)
    const client = { clientId: "id", clientSecret: "secret", issuer: "https://acme.test" }
    expect(given.providers).toMatchObject([
      client,
      client,
      client,
      { ...client, options: { clientSecret: "own" } },
      { ...client, clientId: "own" },
      { apiKey: "key" },
    ])
    expect(given.providers[0]).toBe(object)
    expect(frozen).toEqual({ ...literal, clientId: "own" })
  })

  test("a provider written this way signs in with the same client", () => {
    const given: AuthConfig = { providers: [Acme({ clientSecret: "own" })] }
    setEnvDefaults(env, given)
    expect(makeProvider(given.providers[0] ?? literal)).toMatchObject({
      clientId: "id",
      clientSecret: "own",
      token: "https://acme.test/token",
    })
  })

  test("warns of a basePath next to AUTH_URL, unless the warning is suppressed", () => {
    const codes: string[] = []
    const given = (): AuthConfig => ({
      providers: [],
      basePath: "/a",
      logger: { warn: (code) => void codes.push(code) },
    })
    setEnvDefaults({ AUTH_URL: "https://a.test" }, given())
    setEnvDefaults({ AUTH_URL: "https://a.test" }, given(), true)
    expect(codes).toEqual(["env-url-basepath-redundant"])
  })
})

describe("createActionURL", () => {
  const base: Readonly<Record<string, string>> = { host: "inner.test" }
  type Row = readonly [
    title: string,
    headers: Readonly<Record<string, string>>,
    env: Env,
    given: Partial<AuthConfig>,
    expected: string,
  ]
  const rows: readonly Row[] = [
    ["the host of the request", base, {}, { basePath: "/auth" }, "https://inner.test/auth/session"],
    [
      "AUTH_URL before every header",
      { ...base, "x-forwarded-host": "evil.test" },
      { AUTH_URL: "https://a.test" },
      { basePath: "/auth", trustHost: true },
      "https://a.test/auth/session",
    ],
    [
      "the path of AUTH_URL if there is no basePath",
      base,
      { AUTH_URL: "https://a.test/x/" },
      {},
      "https://a.test/x/session",
    ],
    [
      "the path of AUTH_URL if basePath is /",
      base,
      { AUTH_URL: "https://a.test/x" },
      { basePath: "/" },
      "https://a.test/x/session",
    ],
    ["a basePath with extra slashes", base, {}, { basePath: "auth//" }, "https://inner.test/auth/session"],
    ["the root", base, {}, { basePath: "/" }, "https://inner.test/session"],
    [
      "a trusted proxy",
      { ...base, "x-forwarded-host": "a.test", "x-forwarded-proto": "http" },
      {},
      { trustHost: true },
      "http://a.test/session",
    ],
    [
      "the first of several proxies",
      { ...base, "x-forwarded-host": "a.test, inner.test", "x-forwarded-proto": "https,http" },
      {},
      { trustHost: true },
      "https://a.test/session",
    ],
    ["an untrusted proxy", { ...base, "x-forwarded-host": "evil.test" }, {}, {}, "https://inner.test/session"],
    [
      "trust from the environment",
      { ...base, "x-forwarded-host": "a.test" },
      { VERCEL: "1" },
      {},
      "https://a.test/session",
    ],
  ]
  test.each(rows)("follows %s", (_, headers, env, given, expected) => {
    expect(createActionURL("session", undefined, new Headers(headers), env, given).href).toBe(expected)
  })

  test.each(["http", "http:"])("accepts the protocol %s", (protocol) => {
    expect(createActionURL("csrf", protocol, new Headers(base), {}, {}).href).toBe("http://inner.test/csrf")
  })

  test.each([[{ host: "app.test:1@evil.test" }], [{ host: "" }], [{}], [{ host: "a.test/b" }]])(
    "refuses a request with the host %j",
    (headers) => {
      expect(() => createActionURL("session", "https", new Headers(headers), {}, {})).toThrow(/no valid host/)
    },
  )

  test("refuses a forwarded protocol other than http and https", () => {
    const headers = new Headers({ ...base, "x-forwarded-proto": "javascript" })
    expect(() => createActionURL("session", "https", headers, {}, { trustHost: true })).toThrow(/host or protocol/)
  })

  test("refuses a forwarded host that isn't listed", () => {
    const headers = new Headers({ ...base, "x-forwarded-host": "evil.test" })
    expect(() => createActionURL("session", "https", headers, {}, { trustHost: ["a.test"] })).toThrow(
      /isn't configured/,
    )
  })

  test("warns if the path of AUTH_URL differs from basePath, ignoring trailing slashes", () => {
    const codes: string[] = []
    const logger = { warn: (code: string) => void codes.push(code) }
    const call = (url: string) =>
      createActionURL("session", "https", new Headers(), { AUTH_URL: url }, { basePath: "/auth", logger })
    expect(call("https://a.test/auth/").href).toBe("https://a.test/auth/session")
    expect(codes).toEqual([])
    expect(call("https://a.test/other").href).toBe("https://a.test/auth/session")
    expect(codes).toEqual(["env-url-basepath-mismatch"])
  })
})

test.each([
  ["session", true],
  ["webauthn-options", true],
  ["constructor", false],
  ["", false],
])("whether %j is an action: %j", (word, expected) => {
  expect(isAuthAction(word)).toBe(expected)
})
