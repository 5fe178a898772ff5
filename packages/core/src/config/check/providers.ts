import { limitsFor } from "../../features/rate-limits/default-limits.js"
import { isOnlySecret } from "../../features/rate-limits/identifying-fields.js"
import type { AuthConfig } from "../../model/config.js"
import type { CredentialsConfig } from "../../model/credentials-provider.js"
import type { EmailConfig } from "../../model/email-provider.js"
import type { ProviderConfig } from "../../model/given-provider.js"
import type { OAuthConfig } from "../../model/oauth-provider.js"
import { isLoopback } from "../../primitives/ip-address.js"
import { isWebUrl } from "../../primitives/web-url.js"
import { refuseAll } from "../../provider-kit/refuse-all.js"
import { variableName } from "../../provider-kit/variable-name.js"
import { securityMode } from "../presets.js"
import type { ReadProvider } from "../read-providers.js"
import { numberOf } from "../repair.js"
import { checksOf, isPlaceholder, urlOf, urlsOf } from "../resolve-provider.js"
import { autofillProblems, webauthnProblems } from "./passkeys.js"
import { type Problem, type Warning, invalid, isPositive, tolerable } from "./problem.js"

/** Problems of each provider, and of all together. */
export function* providerProblems(providers: readonly ReadProvider[], config: AuthConfig): Generator<Problem> {
  const ids = new Set<string>()
  for (const read of providers) {
    yield* idProblems(read, ids)
    // Only the first one of an id is used.
    if (!ids.has(read.provider.id)) yield* problemsOf(read, config)
    ids.add(read.provider.id)
  }
  yield* autofillProblems(providers)
}

function* problemsOf({ path, provider }: ReadProvider, config: AuthConfig): Generator<Problem> {
  if (provider.type === "oauth" || provider.type === "oidc") yield* oauthProblems(path, provider, config)
  else if (provider.type === "email") yield* emailProblems(path, provider)
  else if (provider.type === "webauthn") yield* webauthnProblems(path, provider)
  else yield* credentialsProblems(path, provider, config)
}

/** `Credentials()` without `authorize` refuses every sign-in in Auth.js v5, and an object without it fails every request. */
function* credentialsProblems(path: string, provider: CredentialsConfig, config: AuthConfig): Generator<Problem> {
  // Under `"strict"` no other field reaches `authorize`.
  if (securityMode(config) === "strict" && Object.keys(provider.credentials ?? {}).length === 0) {
    const problem = `${nameOf(provider)} declares no fields, so \`authorize\` would get none`
    yield invalid(
      `${path}.credentials`,
      problem,
      "Name the fields of your form: `credentials: { email: {}, password: {} }`",
    )
  }
  const authorize: unknown = provider.authorize
  if (typeof authorize === "function" && authorize !== refuseAll) return
  const problem = `${nameOf(provider)} has no \`authorize\` function`
  const found: Problem = {
    path: `${path}.authorize`,
    problem,
    fix: "Add one that returns the user or null",
    type: "MissingAuthorize",
  }
  yield authorize === refuseAll ? { ...found, tolerated: "invalid-option" } : found
}

function nameOf(provider: ProviderConfig): string {
  const id: unknown = provider.id
  return `The provider ${JSON.stringify(typeof id === "string" ? id.slice(0, 64) : null)}`
}

/** The characters that need no escaping in a URL path (RFC 3986 §3.3). */
const urlSegment = /^(?!\.{1,2}$)[\w.~!$&'()*+,;=:@-]+$/

/** Names such as `constructor` are found on every object. */
function* idProblems({ path, provider }: ReadProvider, taken: ReadonlySet<string>): Generator<Problem> {
  const id: unknown = provider.id
  if (typeof id !== "string" || !urlSegment.test(id) || id === "undefined" || id in {}) {
    const problem = `${nameOf(provider)} has an id that can't be used in a URL`
    yield invalid(`${path}.id`, problem, "Use letters, digits, `-`, `_` and `.`")
  } else if (taken.has(id)) {
    const problem = `Two providers have the id "${id}", so only the first one is used`
    const fix = "Give one of them another `id` in its options"
    yield { ...invalid(`${path}.id`, problem, fix), tolerated: "duplicate-provider" }
  }
}

const authMethods: ReadonlySet<unknown> = new Set([
  undefined,
  "client_secret_basic",
  "client_secret_post",
  "client_secret_jwt",
  "private_key_jwt",
  "none",
])
const checkNames: ReadonlySet<unknown> = new Set(["pkce", "state", "nonce", "none"])

function* oauthProblems(path: string, provider: OAuthConfig, config: AuthConfig): Generator<Problem> {
  yield* endpointProblems(path, provider)
  for (const [key] of insecureUrls(provider, config, "production")) yield insecure(path, provider, key)
  for (const problem of clientProblems(`${path}.client.token_endpoint_auth_method`, provider))
    yield { ...problem, disables: path }
  yield* checksProblems(`${path}.checks`, provider, config)
  yield* oauthValueProblems(path, provider)
  yield* audienceProblems(`${path}.trustedAudiences`, provider)
  const proxy: unknown = provider.redirectProxyUrl
  if (proxy !== undefined && proxy !== null && !isWebUrl(proxy)) {
    const problem = tolerable(`${path}.redirectProxyUrl`, "The value isn't an http(s) URL", setProxyUrl)
    yield proxy === "" ? problem : { ...problem, disables: path }
  }
}

/** Only these values count, so another one has no effect. */
const oauthValues: readonly (readonly [name: keyof OAuthConfig | "idToken", values: readonly unknown[]])[] = [
  ["allowDangerousEmailAccountLinking", [true, false]],
  ["allowEmailAccountLinking", ["verified"]],
  ["allowInsecureRequests", [true, false]],
  ["verifyAuthentication", [true, false]],
  ["idToken", [true, false]],
  ["codeChallengeMethod", ["S256", "plain"]],
]

function* oauthValueProblems(path: string, provider: OAuthConfig): Generator<Problem> {
  for (const [name, values] of oauthValues) {
    const value: unknown = Reflect.get(provider, name)
    if (value === undefined || value === null || values.includes(value)) continue
    const fix = `Use ${values.map((each) => JSON.stringify(each)).join(" or ")}, or omit it`
    yield tolerable(`${path}.${String(name)}`, "The value is unknown, so it has no effect", fix)
  }
}

export const setProxyUrl = "Set a URL such as https://app.example/auth, or omit it"

function* clientProblems(path: string, provider: OAuthConfig): Generator<Problem> {
  const method: unknown = provider.client?.token_endpoint_auth_method
  if (!authMethods.has(method)) {
    const problem = `${nameOf(provider)} has an unknown client authentication method`
    yield tolerable(path, problem, 'Use "client_secret_basic" or another method of RFC 7591 §2')
  }
  const { token } = provider
  const key = typeof token === "object" && token !== null ? token.clientPrivateKey : undefined
  if (method === "private_key_jwt" && !key) {
    yield tolerable(path, `${nameOf(provider)} uses private_key_jwt but has no key`, "Set `token.clientPrivateKey`")
  }
}

function* checksProblems(path: string, provider: OAuthConfig, config: AuthConfig): Generator<Problem> {
  const checks: unknown = provider.checks ?? []
  if (!Array.isArray(checks) || checks.some((check) => !checkNames.has(check))) {
    yield tolerable(path, `${nameOf(provider)} has an unknown check`, 'Use a list of "pkce", "state" and "nonce"')
  } else if (isUnchecked(provider) && securityMode(config) === "strict") {
    yield invalid(path, `${nameOf(provider)} has no checks, so its callbacks can be forged`, enableChecks)
  }
}

function* audienceProblems(path: string, provider: OAuthConfig): Generator<Problem> {
  const trusted: unknown = provider.trustedAudiences ?? []
  if (typeof trusted === "function") return
  if (Array.isArray(trusted) && trusted.every((audience) => typeof audience === "string" && audience !== "")) return
  yield invalid(path, "The value is neither a list of audiences nor a function", "Set a list of texts, or omit it")
}

const enableChecks = "Omit `checks`, or keep at least one"

function isUnchecked({ checks }: OAuthConfig): boolean {
  return checks !== undefined && checks !== null && checksOf(checks).length === 0
}

const endpoints = ["authorization", "token", "userinfo"] as const

function* endpointProblems(path: string, provider: OAuthConfig): Generator<Problem> {
  const urls = urlsOf(provider)
  for (const [key, url] of urls) {
    if (isWebUrl(String(url))) continue
    yield {
      path: `${path}.${key}`,
      problem: `\`${key}\` of ${inSentence(provider)} isn't an http(s) URL`,
      fix: "Correct it, or the `issuer` that it's made from",
      type: "InvalidEndpoints",
      ...(URL.canParse(String(url)) || !isEndpoint(key) ? { tolerated: "invalid-option" } : {}),
      ...(unused.has(key) ? {} : { disables: path }),
    }
  }
  if (urls.some(([key, url]) => (key === "issuer" || key === "wellKnown") && isRealUrl(url))) return
  const missing = endpoints.filter((key) => isNeeded(provider, key) && !isGiven(provider, key))
  if (missing.length === 0) return
  const id: unknown = provider.id
  const variable = typeof id === "string" ? ` (${variableName(id, "ISSUER")})` : ""
  yield {
    path,
    problem: `${nameOf(provider)} has neither an issuer nor the endpoints ${missing.join(", ")}`,
    fix: `Set \`issuer\`${variable}, or the endpoints`,
    type: "InvalidEndpoints",
    ...(startsWithoutIssuer(provider) ? { tolerated: "invalid-option", disables: path } : {}),
  }
}

/** Auth.js v5 reads neither. */
const unused: ReadonlySet<string> = new Set(["wellKnown", "jwks_endpoint"])

function isEndpoint(key: string): boolean {
  return key === "authorization" || key === "token" || key === "userinfo"
}

/** Auth.js v5 fails every request if a provider has neither an issuer nor all three endpoints. */
function startsWithoutIssuer(provider: OAuthConfig): boolean {
  return Boolean(provider.issuer) || endpoints.every((key) => Boolean(urlOf(provider[key])))
}

function inSentence(provider: ProviderConfig): string {
  return nameOf(provider).replace("The", "the")
}

function isRealUrl(url: unknown): boolean {
  return !(URL.canParse(String(url)) && isPlaceholder(new URL(String(url))))
}

function isNeeded(provider: OAuthConfig, key: (typeof endpoints)[number]): boolean {
  return key !== "userinfo" || provider.type === "oauth" || provider.idToken === false
}

function isGiven(provider: OAuthConfig, key: (typeof endpoints)[number]): boolean {
  const endpoint = provider[key]
  if (
    typeof endpoint === "object" &&
    endpoint !== null &&
    "request" in endpoint &&
    typeof endpoint.request === "function"
  )
    return true
  const url = urlOf(endpoint)
  return url !== undefined && url !== "" && isRealUrl(url)
}

/** RFC 6749 §3.1.2.1: over plain http, the network can read codes and tokens. */
function insecureUrls(provider: OAuthConfig, config: AuthConfig, environment: "development" | "production") {
  if (provider.allowInsecureRequests === true || (config.environment ?? "production") !== environment) return []
  return urlsOf(provider).filter(([, text]) => {
    const url = URL.canParse(String(text)) ? new URL(String(text)) : undefined
    return url?.protocol === "http:" && !isLoopback(url)
  })
}

function insecure(path: string, provider: ProviderConfig, key: string): Problem {
  return {
    path: `${path}.${key}`,
    problem: `\`${key}\` of ${inSentence(provider)} is a plain http URL`,
    fix: "Use https, or set `allowInsecureRequests` on a network you trust",
    type: "InvalidEndpoints",
    tolerated: "insecure-endpoint",
  }
}

function* emailProblems(path: string, { maxAge, ...provider }: EmailConfig): Generator<Problem> {
  if (typeof provider.sendVerificationRequest !== "function") {
    const problem = `${nameOf(provider)} has no \`sendVerificationRequest\` function`
    const found = tolerable(`${path}.sendVerificationRequest`, problem, "Add one that sends the message")
    yield { ...found, disables: path }
  }
  if (maxAge !== undefined && maxAge !== null && !isPositive(maxAge)) {
    const fix = "Set a number of seconds, or omit it"
    const found = tolerable(`${path}.maxAge`, "The lifetime isn't a positive number", fix)
    yield isPositive(numberOf(maxAge)) ? found : { ...found, disables: path }
  }
  if (provider.code !== undefined && provider.code !== null && typeof provider.code !== "boolean")
    yield tolerable(`${path}.code`, "The value isn't a boolean", "Set `true` or `false`")
}

export function* providerWarnings(providers: readonly ReadProvider[], config: AuthConfig): Generator<Warning> {
  for (const { path, provider } of providers) {
    if (provider.type === "credentials") yield* credentialsWarnings(path, provider, config)
    if (provider.type !== "oauth" && provider.type !== "oidc") continue
    if (isUnchecked(provider) && securityMode(config) === "compatible") {
      const detail = `${nameOf(provider)} has no checks, so its callbacks can be forged. ${enableChecks}`
      yield { code: "checks-disabled", detail }
    }
    for (const [key] of insecureUrls(provider, config, "development")) {
      const { problem, fix } = insecure(path, provider, key)
      yield { code: "insecure-endpoint", detail: `${path}.${key}: ${problem}. ${fix}` }
    }
  }
}

function* credentialsWarnings(path: string, provider: CredentialsConfig, config: AuthConfig): Generator<Warning> {
  if (limitsFor(config.rateLimit ?? {}, "credentials") === undefined) return
  if (!isOnlySecret({ credentials: provider.credentials ?? {}, identifier: provider.identifier })) return
  const problem = `No field of ${inSentence(provider)} says who the user is, so guesses are limited per IP address only`
  yield { code: "user-not-limited", detail: `${path}: ${problem}. ${setIdentifier}` }
}

const setIdentifier =
  'Declare the field that does, such as `email`, or set `identifier`. If there is one secret for everyone, use `identifier: () => "everyone"`'
