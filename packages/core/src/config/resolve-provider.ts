import { InvalidEndpoints, InvalidProvider } from "../errors.js"
import type { Method, ProviderWithMethod } from "../model/auth.js"
import type { AuthConfig } from "../model/config.js"
import type {
  CredentialsConfig,
  CredentialsProvider,
  WebAuthnConfig,
  WebAuthnProvider,
} from "../model/credentials-provider.js"
import type { EmailConfig, EmailProvider } from "../model/email-provider.js"
import type { ProviderConfig, WithMethod } from "../model/given-provider.js"
import type { Check, FlowCheck, OAuthConfig, OAuthEndpoint, OAuthProvider } from "../model/oauth-provider.js"
import type { Fetch } from "../model/provider.js"
import { customFetch } from "../model/symbols.js"
import type { Runtime } from "../primitives/runtime.js"
import { defaultAccount, defaultProfile, reachesLoopback, securityOf } from "./defaults.js"
import { passkeysUnavailable } from "./check/passkeys.js"
import { isPlainObject } from "./merge.js"

type Resolved<T> = T & Pick<ProviderWithMethod, "method">

/**
 * Parses the URLs of a provider and decides every default.
 *
 * @throws InvalidEndpoints if an endpoint isn't a URL
 */
export function resolveProvider(provider: ProviderConfig, config: AuthConfig, runtime: Runtime): ProviderWithMethod {
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
  }
}

/** Even a repeated `import()` is resolved anew at each call, so remember the result. */
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
  const redirectProxyUrl = provider.redirectProxyUrl ?? config.redirectProxyUrl
  return Object.freeze({
    ...commonOf(provider, loadOAuth),
    type: provider.type,
    ...clientOf(provider),
    issuer: realIssuer(provider.issuer),
    wellKnown: provider.wellKnown,
    authorization: withScope(provider.type, endpointOf(provider, "authorization")),
    token: Object.freeze({
      ...endpointOf(provider, "token"),
      ...pick(optionsOf(provider.token), "body", "request", "conform", "clientPrivateKey"),
    }),
    userinfo: Object.freeze({ ...endpointOf(provider, "userinfo"), ...pick(optionsOf(provider.userinfo), "request") }),
    jwksEndpoint: provider.jwks_endpoint?.toString(),
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
    fetch: fetchOf(provider, runtime),
  } satisfies OAuthProvider)
}

/** Wrapped, because some runtimes refuse to call their `fetch` as a method of another object. */
function fetchOf(provider: Pick<OAuthConfig, typeof customFetch>, runtime: Runtime): Fetch {
  const custom = provider[customFetch]
  return custom === undefined ? runtime.fetch : (input, init) => custom(input, init)
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

function commonOf({ id, name, style, method }: ProviderConfig, load: () => Promise<Method>) {
  return { id, name: name ?? id, style: Object.freeze({ ...style }), method: method ?? load }
}

function optionsOf<T extends object>(endpoint: string | T | undefined): Partial<T> {
  return typeof endpoint === "object" ? endpoint : {}
}

function pick<T extends object, K extends keyof T>(from: T, ...keys: readonly K[]): Pick<T, K> {
  const picked: Partial<T> = {}
  for (const key of keys) if (from[key] !== undefined) picked[key] = from[key]
  // All of these members are optional.
  return picked as Pick<T, K>
}

type EndpointKey = "authorization" | "token" | "userinfo"

function endpointOf(provider: OAuthConfig, key: EndpointKey): OAuthEndpoint {
  const given = provider[key]
  const { url: text, params = {} } = typeof given === "string" || given instanceof URL ? { url: given } : (given ?? {})
  const parsed = text === undefined ? undefined : parse(provider.id, key, text)
  if (parsed === undefined || !isPlaceholder(parsed)) return endpoint(parsed, serialized(params))
  return endpoint(undefined, { ...Object.fromEntries(parsed.searchParams), ...serialized(params) })
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

function realIssuer(issuer: string | undefined): string | undefined {
  if (!issuer) return undefined
  return URL.canParse(issuer) && isPlaceholder(new URL(issuer)) ? undefined : issuer
}

/** Objects, such as `claims`, become JSON (OpenID Connect Core §5.5). */
function serialized(params: Readonly<Record<string, unknown>>): Record<string, string> {
  const present = Object.entries(params).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(
    present.map(([key, value]) => [key, isPlainObject(value) ? JSON.stringify(value) : String(value)]),
  )
}

/** OpenID Connect requires a scope. OAuth 2 servers have a default of their own (RFC 6749 §3.3). */
function withScope(type: OAuthConfig["type"], { url, params }: OAuthEndpoint): OAuthEndpoint {
  const isSet = "scope" in params || url?.searchParams.has("scope") === true
  return endpoint(url, type === "oauth" || isSet ? params : { ...params, scope: "openid profile email" })
}

function checksOf(
  { type, checks: own }: OAuthConfig,
  isProxied: boolean,
): Pick<OAuthProvider, "checks" | "authjsChecks" | "stateOptional"> {
  const checks = checkSet(own ?? (type === "oidc" ? ["pkce", "state", "nonce"] : ["pkce", "state"]), isProxied)
  return { checks, authjsChecks: checkSet(own ?? ["pkce"], isProxied), stateOptional: !checks.has("state") }
}

/** `state` tells the redirect proxy where to forward the callback to. */
function checkSet(list: readonly Check[], isProxied: boolean): Set<FlowCheck> {
  const checks = new Set(list.filter((check) => check !== "none"))
  if (isProxied) checks.add("state")
  return checks
}

/** If both options are set, the stricter one applies. */
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
    maxAge: provider.maxAge ?? securityOf(config).emailLinkMaxAge,
    secret: provider.secret,
    apiKey: provider.apiKey,
    server: provider.server,
    code: provider.code !== false,
    fetch: fetchOf(provider, runtime),
    sendVerificationRequest: provider.sendVerificationRequest,
    generateVerificationToken: provider.generateVerificationToken,
    normalizeIdentifier: provider.normalizeIdentifier,
  } satisfies EmailProvider)
}

function resolveCredentials(provider: CredentialsConfig & WithMethod): Resolved<CredentialsProvider> {
  return Object.freeze({
    ...commonOf(provider, loadCredentials),
    type: "credentials",
    credentials: Object.freeze({ ...provider.credentials }),
    authorize: provider.authorize,
    identifier: provider.identifier,
  } satisfies CredentialsProvider)
}

function resolveWebAuthn(provider: WebAuthnConfig & WithMethod): Resolved<WebAuthnProvider> {
  const unavailable = (): Promise<never> => Promise.reject(new InvalidProvider(passkeysUnavailable(provider.id)))
  return Object.freeze({
    ...commonOf(provider, () => Promise.resolve({ start: unavailable, finish: unavailable })),
    type: "webauthn",
    // The page leaves out a provider without fields.
    formFields: provider.method && provider.formFields,
    config: provider,
  } satisfies WebAuthnProvider)
}
