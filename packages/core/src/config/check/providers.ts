import { isLoopback } from "../../primitives/ip-address.js"
import type { AuthConfig } from "../../model/config.js"
import type { EmailConfig } from "../../model/email-provider.js"
import type { ProviderConfig } from "../../model/given-provider.js"
import type { OAuthConfig } from "../../model/oauth-provider.js"
import { variableName } from "../../provider-kit/variable-name.js"
import { securityMode } from "../defaults.js"
import type { ReadProvider } from "../read-providers.js"
import { isPlaceholder } from "../resolve-provider.js"
import { autofillProblems, webauthnProblems } from "./passkeys.js"
import { invalid, isPositive, isWebUrl, type Problem, type Warning } from "./problem.js"

/** Problems of each provider, and of all together. */
export function* providerProblems(providers: readonly ReadProvider[], config: AuthConfig): Generator<Problem> {
  const ids = new Set<string>()
  for (const read of providers) {
    yield* idProblems(read, ids)
    ids.add(read.provider.id)
    yield* problemsOf(read, config)
  }
  yield* autofillProblems(providers)
}

function* problemsOf({ path, provider }: ReadProvider, config: AuthConfig): Generator<Problem> {
  if (provider.type === "oauth" || provider.type === "oidc") yield* oauthProblems(path, provider, config)
  else if (provider.type === "email") yield* emailProblems(path, provider)
  else if (provider.type === "webauthn") yield* webauthnProblems(path, provider)
  else if (typeof provider.authorize !== "function") {
    yield {
      path: `${path}.authorize`,
      problem: `${nameOf(provider)} has no \`authorize\` function`,
      fix: "Add one that returns the user or null",
      type: "MissingAuthorize",
    }
  }
}

function nameOf(provider: ProviderConfig): string {
  const id: unknown = provider.id
  return `The provider ${JSON.stringify(typeof id === "string" ? id.slice(0, 64) : null)}`
}

/** These characters need no escaping in a URL path. Names such as `constructor` are found on every object. */
function* idProblems({ path, provider }: ReadProvider, taken: ReadonlySet<string>): Generator<Problem> {
  const id: unknown = provider.id
  const isUsable = typeof id === "string" && /^(?!\.{1,2}$)[\w.~-]+$/.test(id) && id !== "undefined" && !(id in {})
  if (!isUsable) {
    const problem = `${nameOf(provider)} has an id that can't be used in a URL`
    yield invalid(`${path}.id`, problem, "Use letters, digits, `-`, `_` and `.`")
  } else if (taken.has(id)) {
    yield invalid(`${path}.id`, `Two providers have the id "${id}"`, "Give one of them another `id` in its options")
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
  yield* clientProblems(`${path}.client.token_endpoint_auth_method`, provider)
  yield* checksProblems(`${path}.checks`, provider, config)
  if (provider.redirectProxyUrl !== undefined && !isWebUrl(provider.redirectProxyUrl)) {
    const fix = "Set a URL such as https://app.example/auth"
    yield invalid(`${path}.redirectProxyUrl`, "The value isn't an http(s) URL", fix)
  }
}

function* clientProblems(path: string, provider: OAuthConfig): Generator<Problem> {
  const method: unknown = provider.client?.token_endpoint_auth_method
  if (!authMethods.has(method)) {
    const problem = `${nameOf(provider)} has an unknown client authentication method`
    yield invalid(path, problem, 'Use "client_secret_basic" or another method of RFC 7591 §2')
  }
  const key = typeof provider.token === "object" ? provider.token.clientPrivateKey : undefined
  if (method === "private_key_jwt" && key === undefined) {
    yield invalid(path, `${nameOf(provider)} uses private_key_jwt but has no key`, "Set `token.clientPrivateKey`")
  }
}

function* checksProblems(path: string, provider: OAuthConfig, config: AuthConfig): Generator<Problem> {
  const checks: readonly unknown[] = provider.checks ?? []
  if (checks.some((check) => !checkNames.has(check))) {
    yield invalid(path, `${nameOf(provider)} has an unknown check`, 'Use "pkce", "state" and "nonce"')
  }
  if (isUnchecked(provider) && securityMode(config) === "strict") {
    yield invalid(path, `${nameOf(provider)} has no checks, so its callbacks can be forged`, enableChecks)
  }
}

const enableChecks = "Omit `checks`, or keep at least one"

function isUnchecked(provider: OAuthConfig): boolean {
  return provider.checks !== undefined && provider.checks.every((check) => check === "none")
}

const endpoints = ["authorization", "token", "userinfo"] as const

/** Every URL of a provider as it was given, with the name of its option. */
function urlsOf(provider: OAuthConfig): readonly (readonly [key: string, url: unknown])[] {
  const own = endpoints.map((key) => [key, urlOf(provider[key])] as const)
  const others = [
    ["issuer", provider.issuer],
    ["wellKnown", provider.wellKnown],
    ["jwks_endpoint", provider.jwks_endpoint],
  ] as const
  return [...own, ...others].filter(([, url]) => url !== undefined && url !== "")
}

function urlOf(endpoint: OAuthConfig["authorization" | "token" | "userinfo"]): unknown {
  return typeof endpoint === "object" && !(endpoint instanceof URL) ? endpoint.url : endpoint
}

function* endpointProblems(path: string, provider: OAuthConfig): Generator<Problem> {
  const urls = urlsOf(provider)
  for (const [key, url] of urls) {
    if (isWebUrl(String(url))) continue
    yield {
      path: `${path}.${key}`,
      problem: `\`${key}\` of ${inSentence(provider)} isn't an http(s) URL`,
      fix: "Correct it, or the `issuer` that it's made from",
      type: "InvalidEndpoints",
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
  }
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
  if (typeof endpoint === "object" && "request" in endpoint && typeof endpoint.request === "function") return true
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
  }
}

function* emailProblems(path: string, { maxAge, ...provider }: EmailConfig): Generator<Problem> {
  if (typeof provider.sendVerificationRequest !== "function") {
    const problem = `${nameOf(provider)} has no \`sendVerificationRequest\` function`
    yield invalid(`${path}.sendVerificationRequest`, problem, "Add one that sends the message")
  }
  if (maxAge !== undefined && !isPositive(maxAge)) {
    yield invalid(`${path}.maxAge`, "The lifetime isn't a positive number", "Set a number of seconds, or omit it")
  }
}

export function* providerWarnings(providers: readonly ReadProvider[], config: AuthConfig): Generator<Warning> {
  for (const { path, provider } of providers) {
    if (provider.type !== "oauth" && provider.type !== "oidc") continue
    if (isUnchecked(provider) && securityMode(config) === "compatible") {
      const detail = `${nameOf(provider)} has no checks, so its callbacks can be forged. ${enableChecks}`
      yield { code: "checks-disabled", detail }
    }
    for (const [key] of insecureUrls(provider, config, "development")) {
      const { problem, fix } = insecure(path, provider, key)
      yield { code: "insecure-endpoint", detail: `${problem}, which production refuses. ${fix}` }
    }
  }
}
