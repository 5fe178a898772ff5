import { isLoopback } from "../../primitives/ip-address.js"
import { AuthError, InvalidEndpoints } from "../../errors.js"
import type { AuthContext } from "../../model/auth.js"
import { maxEndpoint, maxMetadataList } from "../../limits/of-input.js"
import type { OAuthProvider } from "../../model/oauth-provider.js"
import { variableName } from "../../provider-kit/variable-name.js"
import { createDocumentCache } from "./document-cache.js"
import { assertAllowedUrl, parseObject, ProviderError, request } from "./guarded-fetch.js"
import { isOutOfOrder } from "./provider-problem.js"

/** The fields of the metadata that are used (RFC 8414 §2, OpenID Connect Discovery §3). */
export interface Metadata {
  readonly issuer: string
  readonly authorization_endpoint: string | undefined
  readonly token_endpoint: string | undefined
  readonly userinfo_endpoint: string | undefined
  readonly jwks_uri: string | undefined
  readonly codeChallengeMethods: readonly string[] | undefined
  readonly idTokenAlgorithms: readonly string[] | undefined
  readonly userinfoAlgorithms: readonly string[] | undefined
  readonly authMethods: readonly string[] | undefined
  readonly sendsIssuer: boolean
}

/** The endpoints of a provider: the configured ones, otherwise the discovered ones. */
export interface Server {
  /** What `iss` must be. `undefined`: not known, so not checked. */
  readonly issuer: string | undefined
  readonly authorization: URL | undefined
  readonly token: URL | undefined
  readonly userinfo: URL | undefined
  readonly jwks: URL | undefined
  readonly metadata: Metadata | undefined
}

/** @throws AuthError for a misconfiguration; ProviderError for metadata that is malformed or can't be loaded */
export async function serverForStart(auth: AuthContext, provider: OAuthProvider): Promise<Server> {
  const { url } = provider.authorization
  return describe(provider, url === undefined ? await discover(auth, provider, true) : undefined)
}

/** @throws AuthError for a misconfiguration; ProviderError for metadata that is malformed or can't be loaded */
export async function serverForCallback(auth: AuthContext, provider: OAuthProvider): Promise<Server> {
  const required = lacksToken(provider) || lacksUserinfo(provider)
  const wantsKeys = provider.type === "oidc" && provider.jwksEndpoint === undefined
  const known = provider.issuer !== undefined || provider.wellKnown !== undefined
  return describe(provider, required || (wantsKeys && known) ? await discover(auth, provider, required) : undefined)
}

function lacksToken({ token }: OAuthProvider): boolean {
  return token.url === undefined && token.request === undefined
}

function lacksUserinfo({ userinfo, userinfoAsProfile }: OAuthProvider): boolean {
  return userinfoAsProfile && userinfo.url === undefined && userinfo.request === undefined
}

function describe(provider: OAuthProvider, metadata: Metadata | undefined): Server {
  const endpoint = (own: URL | undefined, found: string | undefined) =>
    own ?? (found === undefined ? undefined : discovered(provider, found))
  const keys = provider.jwksEndpoint === undefined ? undefined : new URL(provider.jwksEndpoint)
  return {
    issuer: metadata?.issuer ?? provider.issuer,
    authorization: endpoint(provider.authorization.url, metadata?.authorization_endpoint),
    token: endpoint(provider.token.url, metadata?.token_endpoint),
    userinfo: endpoint(provider.userinfo.url, metadata?.userinfo_endpoint),
    jwks: endpoint(keys, metadata?.jwks_uri),
    metadata,
  }
}

/** Metadata from the internet must not point to services on this machine (server-side request forgery). */
function discovered(provider: OAuthProvider, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || (isLoopback(url) && !isLoopback(wellKnown(provider)))) {
    throw new ProviderError("The discovery document names an endpoint that isn't a public URL")
  }
  assertAllowedUrl(provider, url)
  return url
}

const documents = createDocumentCache<Metadata | undefined>(3_600_000)

/** `undefined`: the provider publishes no metadata, and none is required. */
async function discover(auth: AuthContext, provider: OAuthProvider, required: boolean): Promise<Metadata | undefined> {
  const url = wellKnown(provider)
  const exact = auth.security.enforceIssuerChecks
  const { fetch, issuer } = provider
  const key = { fetch, url: [url.href, issuer, exact, required].join(" "), now: auth.runtime.now() }
  return documents.get(key, async () => {
    const response = await request(provider, url, { headers: { accept: "application/json" } })
    if (response.status === 404 && !required) return undefined
    if (response.status !== 200) {
      const problem = isOutOfOrder(response.status) ? "unreachable" : "misconfigured"
      throw new ProviderError(`The discovery document at ${url.href} answered with status ${response.status}`, {
        problem,
      })
    }
    const metadata = toMetadata(parseObject(await response.text(), "discovery document"))
    assertIssuer(provider, metadata.issuer, { exact, url })
    return metadata
  })
}

function wellKnown({ id, wellKnown: configured, issuer }: OAuthProvider): URL {
  if (configured !== undefined) return new URL(configured)
  if (issuer === undefined) {
    throw new InvalidEndpoints(
      `The provider "${id}" lacks an endpoint. Set \`issuer\`, or \`authorization\`, \`token\` and \`userinfo\`. The environment variable of \`issuer\` is ${variableName(id, "ISSUER")}`,
    )
  }
  const url = new URL(issuer)
  url.pathname = `${url.pathname.replace(/\/$/, "")}/.well-known/openid-configuration`
  return url
}

function toMetadata(document: Record<string, unknown>): Metadata {
  const text = (name: string) =>
    typeof document[name] === "string" && document[name].length <= maxEndpoint ? document[name] : undefined
  const texts = (name: string) => {
    const value = document[name]
    return Array.isArray(value)
      ? value.slice(0, maxMetadataList).filter((item) => typeof item === "string" && item.length <= maxEndpoint)
      : undefined
  }
  const issuer = text("issuer")
  if (issuer === undefined || issuer === "") throw new ProviderError("The discovery document names no issuer")
  return {
    issuer,
    authorization_endpoint: text("authorization_endpoint"),
    token_endpoint: text("token_endpoint"),
    userinfo_endpoint: text("userinfo_endpoint"),
    jwks_uri: text("jwks_uri"),
    codeChallengeMethods: texts("code_challenge_methods_supported"),
    idTokenAlgorithms: texts("id_token_signing_alg_values_supported"),
    userinfoAlgorithms: texts("userinfo_signing_alg_values_supported"),
    authMethods: texts("token_endpoint_auth_methods_supported"),
    sendsIssuer: document["authorization_response_iss_parameter_supported"] === true,
  }
}

/**
 * RFC 8414 §3.3: the document must name the issuer it was loaded for. Issuers with several tenants publish a template,
 * which `issuerFor` completes within the same origin.
 */
function assertIssuer(provider: OAuthProvider, found: string, rules: IssuerRules): void {
  if (namesIssuer(provider, found, rules)) return
  const { id, issuer } = provider
  throw new AuthError(
    `The discovery document of the provider "${id}" names another issuer. Set \`issuer\` to exactly what the provider publishes`,
    { providerId: id, issuer, found: found.slice(0, 500) },
  )
}

interface IssuerRules {
  readonly exact: boolean
  readonly url: URL
}

function namesIssuer({ issuer, issuerFor }: OAuthProvider, found: string, { exact, url }: IssuerRules): boolean {
  if (issuer === undefined) return !exact || originOf(found) === url.origin
  if (issuer === found || (issuerFor !== undefined && originOf(issuer) === originOf(found))) return true
  return !exact && isSameUrl(issuer, found)
}

function isSameUrl(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href
}

export function originOf(text: string): string | undefined {
  return URL.canParse(text) ? new URL(text).origin : undefined
}
