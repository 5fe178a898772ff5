import { InvalidConfig, InvalidEndpoints, InvalidProvider } from "../errors.js"
import type { AuthConfig } from "../model/config.js"
import type { Method, ProviderWithMethod } from "../model/auth.js"
import type { WebAuthnConfig, CredentialsProvider, WebAuthnProvider } from "../model/credentials-provider.js"
import type { EmailConfig, EmailProvider } from "../model/email-provider.js"
import type { Provider, ProviderConfig, WithMethod } from "../model/given-provider.js"
import type { Check, OAuthConfig, OAuthEndpoint, OAuthProvider } from "../model/oauth-provider.js"
import type { Fetch } from "../model/provider.js"
import { customFetch } from "../model/symbols.js"
import { callFactory, withOptions } from "../provider-kit/options.js"
import type { Runtime } from "../primitives/runtime.js"
import { defaultAccount, defaultProfile, reachesLoopback, security } from "./defaults.js"
import { isPlain, merge } from "./merge.js"

/**
 * A provider as the engine sees it: facts and options merged, addresses parsed, every default decided
 * (spec/config.md §4 and §5). What was given is not written to.
 *
 * @throws InvalidEndpoints when an address is not a URL
 * @throws InvalidConfig when the type is unknown
 */
export function resolveProvider(given: Provider, config: AuthConfig, runtime: Runtime): ProviderWithMethod {
  const provider = mergedProvider(given)
  switch (provider.type) {
    case "oauth":
    case "oidc":
      return resolveOAuth(provider, config, runtime)
    case "email":
      return resolveEmail(provider, config, runtime)
    case "credentials":
      return resolveCredentials(provider)
    case "webauthn":
      return resolveWebAuthn(provider)
    default:
      throw new InvalidConfig("A provider has no known `type`: use oauth, oidc, email, credentials or webauthn")
  }
}

type Resolved<T> = T & Pick<ProviderWithMethod, "method">

/** Keys whose values are somebody else's objects, to be passed on as they are. */
const opaque = ["server", "simpleWebAuthn"] as const
const endpoints = ["authorization", "token", "userinfo"] as const

/** The provider with the developer's options laid over its own facts. */
export function mergedProvider(given: Provider): ProviderConfig & WithMethod {
  const own = typeof given === "function" ? callFactory(given, {}) : given
  const options: unknown = own.options
  // Which profile a callback expects is its author's word; it gets what the provider sent.
  if (!isPlain(options)) return own as ProviderConfig
  const base: Record<string, unknown> = { ...withOptions(own, options) }
  // A developer who adds a parameter to an address given as text does not mean to remove the address.
  for (const key of endpoints) if (isPlain(options[key]) && isAddress(base[key])) base[key] = { url: base[key] }
  const result = merge(base, options)
  for (const key of opaque) if (options[key] !== undefined) Object.assign(result, { [key]: options[key] })
  const transport = Reflect.get(options, customFetch) ?? Reflect.get(own, customFetch)
  // The options of a provider have its own shape, so what comes out has it too.
  return Object.assign(result, transport === undefined ? {} : { [customFetch]: transport }) as ProviderConfig
}

function isAddress(value: unknown): value is string | URL {
  return typeof value === "string" || value instanceof URL
}

/** An `import()` is looked up anew at every call: once is enough. */
function once(load: () => Promise<Method>): () => Promise<Method> {
  let loading: Promise<Method> | undefined
  return () => (loading ??= load())
}

const loadOAuth = once(async () => (await import("../methods/oauth/oauth.js")).oauth)
const loadEmail = once(async () => (await import("../methods/email/email.js")).email)
const loadCredentials = once(async () => (await import("../methods/credentials/credentials.js")).credentials)

function resolveOAuth(
  provider: OAuthConfig & WithMethod,
  config: AuthConfig,
  runtime: Runtime,
): Resolved<OAuthProvider> {
  const authorization = scoped(provider.type, endpointOf(provider, "authorization"))
  const redirectProxyUrl = provider.redirectProxyUrl ?? config.redirectProxyUrl
  return Object.freeze({
    ...commonOf(provider, loadOAuth),
    type: provider.type,
    ...clientOf(provider),
    issuer: realAddress(provider.issuer),
    wellKnown: provider.wellKnown,
    authorization,
    token: Object.freeze({
      ...endpointOf(provider, "token"),
      ...pick(partsOf(provider.token), "body", "request", "conform", "clientPrivateKey"),
    }),
    userinfo: Object.freeze({ ...endpointOf(provider, "userinfo"), ...pick(partsOf(provider.userinfo), "request") }),
    jwksEndpoint: provider.jwks_endpoint,
    codeChallengeMethod: provider.codeChallengeMethod ?? "S256",
    ...checksOf(provider, redirectProxyUrl !== undefined),
    profile: provider.profile ?? defaultProfile,
    account: provider.account ?? defaultAccount,
    emailLinking: emailLinkingOf(provider),
    redirectProxyUrl: redirectProxyUrl?.replace(/\/+$/, ""),
    userinfoAsProfile: provider.type === "oauth" || provider.idToken === false,
    allowInsecureRequests: provider.allowInsecureRequests === true,
    reachesLoopback: reachesLoopback(config),
    makeClientSecret: provider.makeClientSecret,
    deprecated: provider.deprecated,
    issuerFor: provider.issuerFor,
    mergeCallback: provider.mergeCallback,
    fetch: transportOf(provider, runtime),
  } satisfies OAuthProvider)
}

/** Some runtimes refuse `fetch` as the method of another object. */
function transportOf(provider: Pick<OAuthConfig, typeof customFetch>, runtime: Runtime): Fetch {
  const transport = provider[customFetch]
  return transport === undefined ? runtime.fetch : (input, init) => transport(input, init)
}

function clientOf({
  client,
  clientId,
  clientSecret,
}: OAuthConfig): Pick<OAuthProvider, "client" | "clientId" | "clientSecret"> {
  return { clientId: text(clientId) ?? "", clientSecret: text(clientSecret), client: Object.freeze({ ...client }) }
}

/** Ids that look like numbers are often given as numbers. */
function text(value: unknown): string | undefined {
  return typeof value === "number" ? String(value) : typeof value === "string" ? value : undefined
}

function commonOf(provider: ProviderConfig & WithMethod, load: () => Promise<Method>) {
  const { id, name, style, method } = provider
  return { id, name: name ?? id, style: Object.freeze({ ...style }), method: method ?? load }
}

function partsOf<T extends object>(endpoint: string | T | undefined): Partial<T> {
  return typeof endpoint === "object" ? endpoint : {}
}

function pick<T extends object, K extends keyof T>(from: T, ...keys: readonly K[]): Pick<T, K> {
  const picked: Partial<T> = {}
  for (const key of keys) if (from[key] !== undefined) picked[key] = from[key]
  // Only optional members are asked for.
  return picked as Pick<T, K>
}

type Endpoint = (typeof endpoints)[number]

function endpointOf(provider: OAuthConfig, key: Endpoint): OAuthEndpoint {
  const given = provider[key]
  const { url: text, params } = isAddress(given) || given === undefined ? { url: given, params: {} } : given
  const address = text === undefined ? undefined : parse(provider.id, key, text)
  const url = address !== undefined && isPlaceholder(address) ? undefined : address
  const query = url === undefined && address !== undefined ? Object.fromEntries(address.searchParams) : {}
  return Object.freeze({ url, params: Object.freeze({ ...query, ...textual(params ?? {}) }) })
}

function parse(id: string, key: Endpoint, address: string | URL): URL {
  if (URL.canParse(address)) return new URL(address)
  throw new InvalidEndpoints(
    `The ${key} endpoint of the provider "${id}" is not a URL: correct it, or the issuer it is made from`,
  )
}

/** Many custom providers carry a host that Auth.js put where an address was missing: it means "discover it". */
export function isPlaceholder(url: URL): boolean {
  return url.hostname === "authjs.dev"
}

function realAddress(issuer: string | undefined): string | undefined {
  if (!issuer) return undefined
  return URL.canParse(issuer) && isPlaceholder(new URL(issuer)) ? undefined : issuer
}

/** Objects, such as `claims`, travel as JSON (OpenID Connect Core §5.5); what is missing is left out. */
function textual(params: Readonly<Record<string, unknown>>): Record<string, string> {
  const present = Object.entries(params).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(
    present.map(([key, value]) => [key, isPlain(value) ? JSON.stringify(value) : String(value)]),
  )
}

/** OpenID Connect requires a scope; plain OAuth 2 has the server's default (complaint 16). An empty one is a choice. */
function scoped(type: OAuthConfig["type"], endpoint: OAuthEndpoint): OAuthEndpoint {
  const { url, params } = endpoint
  if (type === "oauth" || "scope" in params || url?.searchParams.has("scope")) return endpoint
  return Object.freeze({ url, params: Object.freeze({ ...params, scope: "openid profile email" }) })
}

/** Without a list of its own a provider gets everything it can have (design decision 3). */
function checksOf(
  { type, checks: own }: OAuthConfig,
  proxied: boolean,
): Pick<OAuthProvider, "checks" | "stateOptional"> {
  const list: readonly Check[] = own ?? (type === "oidc" ? ["pkce", "state", "nonce"] : ["pkce", "state"])
  const checks = new Set(list.filter((check) => check !== "none"))
  // The proxy finds the way back in `state`.
  if (proxied) checks.add("state")
  return { checks, stateOptional: !checks.has("state") }
}

/** Given both, the narrower permission holds. */
function emailLinkingOf(provider: OAuthConfig): OAuthProvider["emailLinking"] {
  if (provider.allowEmailAccountLinking === "verified") return "verified"
  return provider.allowDangerousEmailAccountLinking === true ? "dangerous" : "never"
}

function resolveEmail(
  provider: EmailConfig & WithMethod,
  config: AuthConfig,
  runtime: Runtime,
): Resolved<EmailProvider> {
  return Object.freeze({
    ...commonOf(provider, loadEmail),
    type: "email",
    from: provider.from,
    maxAge: provider.maxAge ?? security(config).emailLinkMaxAge,
    secret: provider.secret,
    apiKey: provider.apiKey,
    server: provider.server,
    code: provider.code !== false,
    fetch: transportOf(provider, runtime),
    sendVerificationRequest: provider.sendVerificationRequest,
    generateVerificationToken: provider.generateVerificationToken,
    normalizeIdentifier: provider.normalizeIdentifier,
  } satisfies EmailProvider)
}

function resolveCredentials(provider: Extract<ProviderConfig, { type: "credentials" }>): Resolved<CredentialsProvider> {
  return Object.freeze({
    ...commonOf(provider, loadCredentials),
    type: "credentials",
    credentials: Object.freeze({ ...provider.credentials }),
    authorize: provider.authorize,
    identifier: provider.identifier,
  } satisfies CredentialsProvider)
}

function resolveWebAuthn(provider: WebAuthnConfig & WithMethod): Resolved<WebAuthnProvider> {
  const unsupported = (): Promise<never> =>
    Promise.reject(
      new InvalidProvider(`The provider "${provider.id}" brings no \`method\`: import it from a package that does`),
    )
  const method: Method = { start: unsupported, finish: unsupported }
  return Object.freeze({
    ...commonOf(provider, () => Promise.resolve(method)),
    type: "webauthn",
    formFields: provider.formFields,
    config: provider,
  } satisfies WebAuthnProvider)
}
