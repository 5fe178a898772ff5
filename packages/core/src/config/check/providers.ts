import { isLoopback } from "../../http/origin.js"
import type { AuthConfig } from "../../model/config.js"
import type { ProviderConfig } from "../../model/given-provider.js"
import type { OAuthConfig } from "../../model/oauth-provider.js"
import { securityMode } from "../defaults.js"
import { variableName } from "../../provider-kit/variable-name.js"
import { autofillProblems, webauthnProblems } from "./passkeys.js"
import { invalid, isPositive, isWebUrl, type Problem, type ProblemType, type Warning } from "./problem.js"
import { isPlaceholder } from "../providers.js"
import type { ReadProvider } from "../read-providers.js"

/** What is wrong with the providers, each by itself and all together. */
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
    const fix = "Add `authorize`, which returns the user or null"
    yield {
      path: `${path}.authorize`,
      problem: `${nameOf(provider)} has no \`authorize\``,
      fix,
      type: "MissingAuthorize",
    }
  }
}

function nameOf(provider: ProviderConfig): string {
  const id: unknown = provider.id
  return `The provider ${JSON.stringify(typeof id === "string" ? id.slice(0, 64) : null)}`
}

/** Characters that need no escaping in a path; a name of `Object.prototype` would be found in any look-up by name. */
function* idProblems({ path, provider }: ReadProvider, taken: ReadonlySet<string>): Generator<Problem> {
  const id: unknown = provider.id
  const usable = typeof id === "string" && /^(?!\.{1,2}$)[\w.~-]+$/.test(id) && id !== "undefined" && !(id in {})
  if (!usable) {
    yield invalid(
      `${path}.id`,
      `${nameOf(provider)} has an id that cannot stand in a URL`,
      "Use letters, digits, `-`, `_` and `.`",
    )
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
  for (const [key] of insecureAddresses(provider, config, "production")) yield insecure(path, provider, key)
  yield* clientProblems(`${path}.client.token_endpoint_auth_method`, provider)
  yield* checksProblems(`${path}.checks`, provider, config)
  if (provider.redirectProxyUrl !== undefined && !isWebUrl(provider.redirectProxyUrl)) {
    yield invalid(
      `${path}.redirectProxyUrl`,
      "The address of the redirect proxy is not an http(s) URL",
      "Write the whole URL",
    )
  }
}

function* clientProblems(path: string, provider: OAuthConfig): Generator<Problem> {
  const method: unknown = provider.client?.token_endpoint_auth_method
  if (!authMethods.has(method)) {
    yield invalid(
      path,
      `${nameOf(provider)} uses an unknown client authentication`,
      'Use "client_secret_basic" or another of RFC 7591',
    )
  }
  const key = typeof provider.token === "object" ? provider.token.clientPrivateKey : undefined
  if (method === "private_key_jwt" && key === undefined) {
    yield invalid(path, `${nameOf(provider)} signs assertions but has no key`, "Set `token.clientPrivateKey`")
  }
}

function* checksProblems(path: string, provider: OAuthConfig, config: AuthConfig): Generator<Problem> {
  const checks: readonly unknown[] = provider.checks ?? []
  if (checks.some((check) => !checkNames.has(check))) {
    yield invalid(path, `${nameOf(provider)} lists an unknown check`, 'Use "pkce", "state" and "nonce"')
  }
  if (isUnchecked(provider) && securityMode(config) === "strict") {
    yield invalid(path, `${nameOf(provider)} switches every check off`, "Leave `checks` out, or keep one of them")
  }
}

const endpoints = ["authorization", "token", "userinfo"] as const

/** Where every address stands, as given. */
function addressesOf(provider: OAuthConfig): readonly (readonly [key: string, address: unknown])[] {
  const own = endpoints.map((key) => [key, addressOf(provider[key])] as const)
  const others = [
    ["issuer", provider.issuer],
    ["wellKnown", provider.wellKnown],
    ["jwks_endpoint", provider.jwks_endpoint],
  ] as const
  return [...own, ...others].filter(([, address]) => address !== undefined && address !== "")
}

function addressOf(endpoint: OAuthConfig["authorization" | "token" | "userinfo"]): unknown {
  return typeof endpoint === "object" && !(endpoint instanceof URL) ? endpoint.url : endpoint
}

function* endpointProblems(path: string, provider: OAuthConfig): Generator<Problem> {
  const type: ProblemType = "InvalidEndpoints"
  const addresses = addressesOf(provider)
  for (const [key, address] of addresses) {
    if (isWebUrl(String(address))) continue
    const fix = "Correct it, or the `issuer` it is made from"
    yield { path: `${path}.${key}`, problem: `${nameOf(provider)}: \`${key}\` is not an http(s) URL`, fix, type }
  }
  if (addresses.some(([key, address]) => (key === "issuer" || key === "wellKnown") && !isPlaceholderText(address)))
    return
  const missing = endpoints.filter((key) => isNeeded(provider, key) && !isGiven(provider, key))
  if (missing.length === 0) return
  const id: unknown = provider.id
  const variable = typeof id === "string" ? ` (${variableName(id, "ISSUER")})` : ""
  const fix = `Set \`issuer\`${variable}, or the endpoints`
  yield {
    path,
    problem: `${nameOf(provider)} has neither an issuer nor the endpoints ${missing.join(", ")}`,
    fix,
    type,
  }
}

function isPlaceholderText(address: unknown): boolean {
  return URL.canParse(String(address)) && isPlaceholder(new URL(String(address)))
}

function isNeeded(provider: OAuthConfig, key: (typeof endpoints)[number]): boolean {
  return key !== "userinfo" || provider.type === "oauth" || provider.idToken === false
}

function isGiven(provider: OAuthConfig, key: (typeof endpoints)[number]): boolean {
  const endpoint = provider[key]
  if (typeof endpoint === "object" && "request" in endpoint && typeof endpoint.request === "function") return true
  const address = addressOf(endpoint)
  return address !== undefined && address !== "" && !isPlaceholderText(address)
}

/** RFC 6749 §3.1.2.1: codes and tokens over plain http belong to whoever listens. */
function insecureAddresses(provider: OAuthConfig, config: AuthConfig, where: "development" | "production") {
  if (provider.allowInsecureRequests === true || (config.environment ?? "production") !== where) return []
  return addressesOf(provider).filter(([, address]) => {
    const url = URL.canParse(String(address)) ? new URL(String(address)) : undefined
    return url?.protocol === "http:" && !isLoopback(url)
  })
}

function insecure(path: string, provider: ProviderConfig, key: string): Problem {
  const problem = `${nameOf(provider)}: \`${key}\` is plain http on another host`
  return {
    path: `${path}.${key}`,
    problem,
    fix: "Use https, or `allowInsecureRequests` within a trusted network",
    type: "InvalidEndpoints",
  }
}

function isUnchecked(provider: OAuthConfig): boolean {
  return provider.checks !== undefined && provider.checks.every((check) => check === "none")
}

function* emailProblems(path: string, provider: Extract<ProviderConfig, { type: "email" }>): Generator<Problem> {
  if (typeof provider.sendVerificationRequest !== "function") {
    yield invalid(`${path}.sendVerificationRequest`, `${nameOf(provider)} cannot send`, "Add `sendVerificationRequest`")
  }
  const { maxAge } = provider
  if (maxAge !== undefined && !isPositive(maxAge)) {
    yield invalid(
      `${path}.maxAge`,
      "The lifetime is not a positive number",
      "Give a number of seconds, or leave it out",
    )
  }
}

/** What is allowed and still should be heard of. */
export function* providerWarnings(providers: readonly ReadProvider[], config: AuthConfig): Generator<Warning> {
  for (const { path, provider } of providers) {
    if (provider.type !== "oauth" && provider.type !== "oidc") continue
    if (isUnchecked(provider) && securityMode(config) === "compatible") {
      yield {
        code: "checks-disabled",
        detail: `${nameOf(provider)} switches every check off: leave \`checks\` out, or keep one of them`,
      }
    }
    for (const [key] of insecureAddresses(provider, config, "development")) {
      const { problem, fix } = insecure(path, provider, key)
      yield { code: "insecure-endpoint", detail: `${problem}, which production refuses. ${fix}` }
    }
  }
}
