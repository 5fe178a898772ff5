import { type Problem, type Warning, invalid, tolerable } from "../../config/check/problem.js"
import { namesOf } from "../../config/check/cookies.js"
import { setProxyUrl } from "../../config/check/values.js"
import { securityMode } from "../../config/presets.js"
import { type Feature, type ProviderFeature, inSentence, nameOf } from "../../config/feature.js"
import type { AuthContext } from "../../model/auth.js"
import type { AuthConfig } from "../../model/config.js"
import type { ProviderConfig } from "../../model/given-provider.js"
import type { OAuthConfig } from "../../model/oauth-provider.js"
import { loadOnce } from "../../primitives/awaitable.js"
import { isLoopback } from "../../primitives/ip-address.js"
import { isWebUrl } from "../../primitives/web-url.js"
import { variableName } from "../../provider-kit/variable-name.js"
import { checksOf, isPlaceholder, resolveOAuth, urlOf, urlsOf } from "./provider.js"

const providers: ProviderFeature<OAuthConfig> = {
  types: ["oauth", "oidc"],
  resolve: resolveOAuth,
  problems: oauthProblems,
  warnings: oauthWarnings,
  warningsOnceCompiled: deprecationWarnings,
  weakened: oauthSettings,
  view: loadOnce(async () => (await import("./view.js")).view),
  load: loadOnce(async () => (await import("./oauth.js")).oauth),
}

/** Sign-in at a provider with OAuth 2.0 or OpenID Connect. */
export const oauth: Feature = {
  providers,
  accountPart: loadOnce(async () => (await import("./account.js")).linkedAccountsPart),
  accountSection: loadOnce(async () => (await import("./account-section.js")).linkedAccountsSection),
  // The cookie of a sign-in that links an account counts only beside a session of its user.
  credentialKinds: [
    { name: "account-link", end: async () => {} },
    {
      name: "provider-tokens",
      async end(auth, { userId }) {
        await (await (await auth.vault?.())?.forget(auth, userId))?.()
      },
    },
  ],
  providerTokens: async (auth, account) => (await import("./account-steps.js")).openTokens(auth, account),
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
  ["connectOnly", [true, false]],
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

function oauthSettings({ allowDangerousEmailAccountLinking, allowInsecureRequests }: OAuthConfig): readonly string[] {
  return namesOf({
    allowDangerousEmailAccountLinking: allowDangerousEmailAccountLinking === true,
    allowInsecureRequests: allowInsecureRequests === true,
  })
}

function* oauthWarnings(path: string, provider: OAuthConfig, config: AuthConfig): Generator<Warning> {
  if (isUnchecked(provider) && securityMode(config) === "compatible") {
    const detail = `${nameOf(provider)} has no checks, so its callbacks can be forged. ${enableChecks}`
    yield { code: "checks-disabled", detail }
  }
  for (const [key] of insecureUrls(provider, config, "development")) {
    const { problem, fix } = insecure(path, provider, key)
    yield { code: "insecure-endpoint", detail: `${path}.${key}: ${problem}. ${fix}` }
  }
}

function* deprecationWarnings({ providers }: AuthContext): Generator<Warning> {
  for (const provider of providers.values()) {
    if ((provider.type !== "oauth" && provider.type !== "oidc") || provider.deprecated === undefined) continue
    const detail = `The provider "${provider.id}" is deprecated. ${provider.deprecated}`
    yield { code: "provider-deprecated", detail }
  }
}
