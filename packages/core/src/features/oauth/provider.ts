import { InvalidEndpoints } from "../../errors.js"
import type { AuthConfig } from "../../model/config.js"
import type { FlowCheck, OAuthConfig, OAuthEndpoint, OAuthProvider } from "../../model/oauth-provider.js"
import type { Runtime } from "../../primitives/runtime.js"
import { isWebUrl } from "../../primitives/web-url.js"
import { followsOptions } from "../../provider-kit/options.js"
import { commonOf, fetchOf } from "../../config/common-provider.js"
import { defaultAccount, defaultProfile } from "../../config/defaults.js"
import { isPlainObject } from "../../config/merge.js"
import { reachesLoopback, securityMode } from "../../config/presets.js"

/**
 * Parses the URLs of a provider and decides every default.
 *
 * @throws InvalidEndpoints if an endpoint isn't a URL
 */
export function resolveOAuth(provider: OAuthConfig, config: AuthConfig, runtime: Runtime): OAuthProvider {
  const redirectProxyUrl = (provider.redirectProxyUrl ?? config.redirectProxyUrl) || undefined
  return Object.freeze({
    ...commonOf(provider),
    type: provider.type,
    ...clientOf(provider),
    issuer: realIssuer(provider.issuer),
    wellKnown: webUrl(provider.wellKnown),
    authorization: withScope(provider.type, endpointOf(provider, "authorization")),
    replaceableParams: replaceableParams(provider),
    token: Object.freeze({
      ...endpointOf(provider, "token"),
      ...pick(optionsOf(provider.token), "body", "request", "conform", "clientPrivateKey"),
    }),
    userinfo: Object.freeze({ ...endpointOf(provider, "userinfo"), ...pick(optionsOf(provider.userinfo), "request") }),
    jwksEndpoint: webUrl(provider.jwks_endpoint),
    codeChallengeMethod: provider.codeChallengeMethod === "plain" ? "plain" : "S256",
    ...resolveChecks(provider, redirectProxyUrl !== undefined),
    profile: provider.profile ?? defaultProfile,
    account: provider.account ?? defaultAccount,
    emailLinking: emailLinkingOf(provider),
    redirectProxyUrl: redirectProxyUrl?.replace(/\/+$/, ""),
    userinfoAsProfile: provider.type === "oauth" || provider.idToken === false,
    allowInsecureRequests: provider.allowInsecureRequests === true,
    plainHttpHosts: securityMode(config) === "strict" ? none : plainHttpHosts(provider),
    reachesLoopback: reachesLoopback(config),
    makeClientSecret: provider.makeClientSecret,
    trustedAudiences: trustedAudiences(provider),
    verifyAuthentication: provider.verifyAuthentication !== false,
    connectOnly: provider.connectOnly === true,
    tokens: Object.freeze({ ...provider.tokens }),
    deprecated: provider.deprecated,
    issuerFor: provider.issuerFor,
    mergeCallback: provider.mergeCallback,
    fetch: fetchOf(provider, runtime),
  })
}

function clientOf({
  client,
  clientId,
  clientSecret,
}: OAuthConfig): Pick<OAuthProvider, "client" | "clientId" | "clientSecret"> {
  return { clientId: text(clientId) ?? "", clientSecret: text(clientSecret), client: Object.freeze({ ...client }) }
}

/** JavaScript applications may pass a numeric client id as a number. */
function text(value: unknown): string | undefined {
  return typeof value === "number" ? String(value) : typeof value === "string" ? value : undefined
}

function optionsOf<T extends object>(endpoint: string | T | undefined): Partial<T> {
  return typeof endpoint === "object" && endpoint !== null ? endpoint : {}
}

function pick<T extends object, K extends keyof T>(from: T, ...keys: readonly K[]): Pick<T, K> {
  const picked: Partial<T> = {}
  for (const key of keys) if (from[key] !== undefined) picked[key] = from[key]
  // All of these members are optional.
  return picked as Pick<T, K>
}

type EndpointKey = "authorization" | "token" | "userinfo"

function endpointOf(provider: Pick<OAuthConfig, "id" | EndpointKey>, key: EndpointKey): OAuthEndpoint {
  const given = provider[key]
  const { url: text, params } = typeof given === "string" || given instanceof URL ? { url: given } : (given ?? {})
  const parsed = text ? parse(provider.id, key, text) : undefined
  const own = serialized(params ?? {})
  if (parsed === undefined || !isPlaceholder(parsed)) return endpoint(parsed, own)
  return endpoint(undefined, { ...Object.fromEntries(parsed.searchParams), ...own })
}

function endpoint(url: URL | undefined, params: Readonly<Record<string, string>>): OAuthEndpoint {
  return Object.freeze({ url, params: Object.freeze(params) })
}

function parse(id: string, key: EndpointKey, url: string | URL): URL {
  if (URL.canParse(url)) return new URL(url)
  throw new InvalidEndpoints(
    `The ${key} endpoint of the provider "${id}" isn't a URL. Correct it, or the \`issuer\` that it's made from`,
  )
}

/** Custom providers for Auth.js often use this host where they mean discovery. */
export function isPlaceholder(url: URL): boolean {
  return url.hostname === "authjs.dev"
}

function realIssuer(given: unknown): string | undefined {
  const issuer = given instanceof URL ? given.href.replace(/\/$/, "") : given
  if (typeof issuer !== "string" || issuer === "") return undefined
  return URL.canParse(issuer) && isPlaceholder(new URL(issuer)) ? undefined : issuer
}

/** Auth.js v5 doesn't read these options, so it works with any value. */
function webUrl(value: unknown): string | undefined {
  return (typeof value === "string" || value instanceof URL) && isWebUrl(String(value)) ? String(value) : undefined
}

const none: ReadonlySet<string> = new Set()

/** Auth.js v5 sends requests to plain http URLs, such as that of an identity provider in the same container network. */
function plainHttpHosts(provider: OAuthConfig): ReadonlySet<string> {
  const urls = urlsOf(provider).filter(([, text]) => isWebUrl(String(text)))
  const insecure = urls.map(([, text]) => new URL(String(text))).filter(({ protocol }) => protocol === "http:")
  return new Set(insecure.map(({ host }) => host))
}

const endpointKeys: readonly EndpointKey[] = ["authorization", "token", "userinfo"]

/** Every URL of a provider as it was given, with the name of its option. */
export function urlsOf(provider: OAuthConfig): readonly (readonly [key: string, url: unknown])[] {
  const own = endpointKeys.map((key) => [key, urlOf(provider[key])] as const)
  const others = [
    ["issuer", provider.issuer],
    ["wellKnown", provider.wellKnown],
    ["jwks_endpoint", provider.jwks_endpoint],
  ] as const
  return [...own, ...others].filter(([, url]) => url !== undefined && url !== null && url !== "")
}

export function urlOf(endpoint: OAuthConfig[EndpointKey]): unknown {
  if (endpoint === null) return undefined
  return typeof endpoint === "object" && !(endpoint instanceof URL) ? endpoint.url : endpoint
}

/** Objects, such as `claims`, become JSON (OpenID Connect Core §5.5). */
function serialized(params: Readonly<Record<string, unknown>>): Record<string, string> {
  const present = Object.entries(params).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(
    present.map(([key, value]) => [key, isPlainObject(value) ? JSON.stringify(value) : String(value)]),
  )
}

/** Wishes about the provider's page, and permissions that a sign-in may ask for in addition. */
const wishes = ["display", "login_hint", "prompt", "scope", "ui_locales"]

/**
 * A parameter of the application's own options can't be replaced, nor one of a custom provider: it's all its own. Other
 * parameters of a service, such as `tenantId`, come from options of the application too, unless they're empty.
 */
function replaceableParams(provider: OAuthConfig): ReadonlySet<string> {
  const isService = followsOptions(provider)
  const own = endpointOf({ ...(isService ? provider.options : provider), id: provider.id }, "authorization")
  const { url, params } = endpointOf(provider, "authorization")
  const entries = [...(url?.searchParams ?? []), ...Object.entries(params)]
  const empty = entries.flatMap(([name, value]) => (value === "" ? [name] : []))
  const defaults = isService ? [...wishes, ...empty] : ["scope"]
  return new Set(defaults.filter((name) => !(name in own.params) && own.url?.searchParams.has(name) !== true))
}

function trustedAudiences({ trustedAudiences: trusted }: OAuthConfig): OAuthProvider["trustedAudiences"] {
  return typeof trusted === "function" ? trusted : (audience) => trusted?.includes(audience) === true
}

/** OpenID Connect requires a scope. OAuth 2 servers have a default of their own (RFC 6749 §3.3). */
function withScope(type: OAuthConfig["type"], { url, params }: OAuthEndpoint): OAuthEndpoint {
  const isSet = "scope" in params || url?.searchParams.has("scope") === true
  return endpoint(url, type === "oauth" || isSet ? params : { ...params, scope: "openid profile email" })
}

const checkNames: readonly FlowCheck[] = ["pkce", "state", "nonce"]

/** The known checks of a list, or of text such as `"state"`. */
export function checksOf(given: unknown): readonly FlowCheck[] {
  if (typeof given === "string") return checkNames.filter((check) => given.includes(check))
  return Array.isArray(given) ? given.filter((check) => checkNames.includes(check)) : []
}

function resolveChecks(
  { type, checks: own }: OAuthConfig,
  isProxied: boolean,
): Pick<OAuthProvider, "checks" | "authjsChecks" | "stateOptional"> {
  const given = own === undefined || own === null ? undefined : checksOf(own)
  const checks = checkSet(given ?? (type === "oidc" ? checkNames : ["pkce", "state"]), isProxied)
  return { checks, authjsChecks: checkSet(given ?? ["pkce"], isProxied), stateOptional: !checks.has("state") }
}

/** `state` contains the URL to which the redirect proxy forwards the callback. */
function checkSet(list: readonly FlowCheck[], isProxied: boolean): Set<FlowCheck> {
  const checks = new Set(list)
  if (isProxied) checks.add("state")
  return checks
}

/** If both options are set, the stricter one applies. */
function emailLinkingOf(provider: OAuthConfig): OAuthProvider["emailLinking"] {
  if (provider.allowEmailAccountLinking === "verified") return "verified"
  return provider.allowDangerousEmailAccountLinking === true ? "dangerous" : "never"
}
