import {
  type Client,
  type ClientAuth,
  ClientSecretJwt,
  type ModifyAssertionOptions,
  PrivateKeyJwt,
  clockSkew,
  modifyAssertion,
} from "oauth4webapi"
import { AuthError, InvalidEndpoints } from "../../errors.js"
import { maxEndpoint, maxMetadataList } from "../../limits/of-input.js"
import type { AuthContext } from "../../model/auth.js"
import type { OAuthProvider } from "../../model/oauth-provider.js"
import { isLoopback } from "../../primitives/ip-address.js"
import { systemRuntime } from "../../primitives/runtime.js"
import { variableName } from "../../provider-kit/variable-name.js"
import { createDocumentCache } from "./document-cache.js"
import { ProviderError, assertAllowedUrl, isOutOfOrder, parseObject, request, asksForJson } from "./guarded-fetch.js"

/** The fields of the metadata that are used (RFC 8414 §2, OpenID Connect Discovery §3). */
export interface Metadata {
  readonly issuer: string
  readonly authorization_endpoint: string | undefined
  readonly token_endpoint: string | undefined
  readonly userinfo_endpoint: string | undefined
  readonly jwks_uri: string | undefined
  readonly revocation_endpoint: string | undefined
  readonly end_session_endpoint: string | undefined
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
  /** RFC 7009. */
  readonly revocation: URL | undefined
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
  const { revocation } = provider.tokens
  const keys = provider.jwksEndpoint === undefined ? undefined : new URL(provider.jwksEndpoint)
  return {
    issuer: metadata?.issuer ?? provider.issuer,
    authorization: endpoint(provider.authorization.url, metadata?.authorization_endpoint),
    token: endpoint(provider.token.url, metadata?.token_endpoint),
    userinfo: endpoint(provider.userinfo.url, metadata?.userinfo_endpoint),
    jwks: endpoint(keys, metadata?.jwks_uri),
    revocation: endpoint(revocation === undefined ? undefined : new URL(revocation), metadata?.revocation_endpoint),
    metadata,
  }
}

/** Where a session ends (OpenID Connect RP-Initiated Logout 1.0). It isn't part of the server, because a sign-in works without it. */
export function endSessionUrl(provider: OAuthProvider, { metadata }: Server): URL | undefined {
  const found = metadata?.end_session_endpoint
  return found === undefined ? undefined : discovered(provider, found)
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
    const response = await request(provider, url, { headers: asksForJson })
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
    revocation_endpoint: text("revocation_endpoint"),
    end_session_endpoint: text("end_session_endpoint"),
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

/** The client as `oauth4webapi` wants it, with its clock set to ours. */
export function clientOf(auth: AuthContext, { clientId, client }: OAuthProvider): Client {
  const {
    id_token_signed_response_alg: idTokenAlg,
    userinfo_signed_response_alg: userinfoAlg,
    default_max_age: maxAge,
    require_auth_time: requireAuthTime,
  } = client
  return {
    client_id: clientId,
    [clockSkew]: Math.floor(auth.runtime.now() / 1000) - Math.floor(systemRuntime.now() / 1000),
    ...(idTokenAlg === undefined ? {} : { id_token_signed_response_alg: idTokenAlg }),
    ...(userinfoAlg === undefined ? {} : { userinfo_signed_response_alg: userinfoAlg }),
    ...(maxAge === undefined ? {} : { default_max_age: maxAge }),
    ...(requireAuthTime === undefined ? {} : { require_auth_time: requireAuthTime }),
  }
}

/**
 * Authenticates the client at the token endpoint (RFC 6749 §2.3, OpenID Connect Core §9).
 *
 * @param now milliseconds since 1970, for a secret that is made for this request
 * @throws AuthError if the method is unknown or its secret is missing
 */
export function clientAuthentication(provider: OAuthProvider, server?: Server, now = 0): ClientAuth {
  const method: string = provider.client.token_endpoint_auth_method ?? defaultMethod(server)
  if (method === "none") return (_as, { client_id }, body) => body.set("client_id", client_id)
  if (method === "private_key_jwt") {
    const key = provider.token.clientPrivateKey
    if (key === undefined) throw misconfigured(provider, "needs `token.clientPrivateKey` for private_key_jwt")
    return PrivateKeyJwt(key, typed)
  }
  const { clientSecret, makeClientSecret } = provider
  if (clientSecret) return withSecret(provider, method, clientSecret)
  if (makeClientSecret === undefined || method !== "client_secret_post") {
    const variable = variableName(provider.id, "SECRET")
    // One template: the minifier of Next.js 14 doesn't escape the backticks of a constant that it puts into a template.
    throw misconfigured(
      provider,
      `has no \`clientSecret\`. Set it, or set \`client.token_endpoint_auth_method\` to "none". The environment variable is ${variable}`,
    )
  }
  return async (as, client, body, headers) => {
    const made = await makeClientSecret({ clientId: client.client_id, now })
    await withSecret(provider, method, made)(as, client, body, headers)
  }
}

function withSecret(provider: OAuthProvider, method: string, secret: string): ClientAuth {
  switch (method) {
    case "client_secret_basic":
      return (_as, { client_id }, _body, headers) =>
        headers.set("authorization", `Basic ${btoa(`${formEncode(client_id)}:${formEncode(secret)}`)}`)
    case "client_secret_post":
      return (_as, { client_id }, body) => {
        body.set("client_id", client_id)
        body.set("client_secret", secret)
      }
    case "client_secret_jwt":
      return ClientSecretJwt(secret, typed)
    default:
      throw misconfigured(provider, "has an unknown `client.token_endpoint_auth_method`")
  }
}

/** Basic is the default of both specifications, unless the server's metadata lists only the other one. */
function defaultMethod(server: Server | undefined): string {
  const methods = server?.metadata?.authMethods ?? []
  const onlyPost = methods.includes("client_secret_post") && !methods.includes("client_secret_basic")
  return onlyPost ? "client_secret_post" : "client_secret_basic"
}

/** An explicit type keeps the assertion from being used for another purpose (RFC 8725 §3.11). */
const typed: ModifyAssertionOptions = {
  [modifyAssertion](header) {
    header["typ"] = "client-authentication+jwt"
  },
}

/** RFC 6749 appendix B. Unreserved characters aren't encoded, for servers that forget to decode. */
function formEncode(text: string): string {
  return encodeURIComponent(text).replaceAll("%20", "+")
}

function misconfigured({ id }: OAuthProvider, problem: string): AuthError {
  return new AuthError(`The provider "${id}" ${problem}`, { providerId: id })
}
