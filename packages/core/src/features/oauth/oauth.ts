import { platform } from "#crypto"
import { toBase64Url } from "../../crypto/digest.js"
import {
  CallbackRouteError,
  InvalidCheck,
  InvalidConfig,
  InvalidProvider,
  OAuthCallbackError,
  OAuthSignInError,
} from "../../errors.js"
import { redirect } from "../../http/respond.js"
import { callbackUrlOf, toProvider } from "../../http/redirect.js"
import { askedAgain } from "../../http/step-up.js"
import { countFailures } from "../../limits/attempts.js"
import { maxRequestedParam } from "../../limits/of-input.js"
import type { AuthContext, Method } from "../../model/auth.js"
import type { AuthRequest, AuthResult, Params } from "../../model/http.js"
import type { OAuthProvider } from "../../model/oauth-provider.js"
import type { ResolvedProvider } from "../../model/signin.js"
import { keepForRetry } from "../../observability/error-reports.js"
import { variableName } from "../../provider-kit/variable-name.js"
import { signedInUserId } from "../../session/current.js"
import { foreignAttempts } from "./compat/attempts.js"
import { accountSteps } from "./account-steps.js"
import { finish, repeatedParam } from "./finish.js"
import { consumedCookies, redirectUri, writeFlowCookie } from "./flow.js"
import { assertAllowedUrl, withProviderErrors } from "./guarded-fetch.js"
import { newState } from "./proxy.js"
import { addRequestedParams, passedState } from "./requested-params.js"
import { askForCredentials, duringAttempt, requiredAuthentication } from "./required-authentication.js"
import {
  type Metadata,
  type Server,
  clientAuthentication,
  endSessionUrl,
  serverForCallback,
  serverForStart,
} from "./server.js"
import { withParams } from "./token.js"
import { verifiedClaims } from "./verify-token.js"

/** Sign-in with OAuth 2.0 (RFC 6749, with the practices of RFC 9700) and OpenID Connect. */
export const oauth: Method = {
  steps: accountSteps,
  start: async (auth, provider, request) => start(auth, requireOAuth(provider), request),
  async finish(auth, provider, request) {
    // A guessed `state` or code counts, not a user who signs in often.
    const attempt = { action: "callback", counts: [InvalidCheck, OAuthCallbackError, CallbackRouteError] } as const
    return countFailures(auth, request, attempt, () => finish(auth, requireOAuth(provider), request))
  },
  async consumedCookies(auth, given, request) {
    const provider = requireOAuth(given)
    // A response that could be read in two ways ends no attempt.
    if (repeatedParam(auth, request) !== undefined) return []
    const params = stateParam(request)
    const foreign = await foreignAttempts(auth)
    const attempt = await foreign?.findForeignAttempt(auth, provider, request, params)
    if (attempt !== undefined) return attempt.cookies
    const alsoWritten = await foreign?.clearAuthjsCookies(auth, provider, request, params)
    return [...consumedCookies(provider, request), ...(alsoWritten ?? [])]
  },
  openId(auth, provider) {
    if (provider.type !== "oidc") return null
    return {
      clientId: provider.clientId,
      verify: async (token, type) => verifiedClaims(auth, provider, token, type),
      async endSession(params) {
        const url = endSessionUrl(provider, await serverForCallback(auth, provider))
        return url === undefined ? null : toProvider(spaced(withParams(url, params)))
      },
    }
  },
}

function stateParam({ method, query, body }: AuthRequest): Params {
  const { state } = method === "POST" ? body : query
  return typeof state === "string" ? { state } : {}
}

function requireOAuth(provider: ResolvedProvider): OAuthProvider {
  if (provider.type === "oauth" || provider.type === "oidc") return provider
  throw new InvalidProvider(`The provider "${provider.id}" isn't an OAuth provider. Give it a \`method\` of its own`)
}

/**
 * POST signin/:provider for an OAuth provider: redirects to its authorization endpoint.
 *
 * @throws OAuthSignInError if the provider can't be reached; AuthError for a misconfiguration
 */
export async function start(auth: AuthContext, provider: OAuthProvider, request: AuthRequest): Promise<AuthResult> {
  assertClientId(provider)
  if (provider.token.request === undefined) clientAuthentication(provider)
  const callbackUrl = await callbackUrlOf(auth, request)
  const passed = passedState(request)
  const link = request.body["link"] === true || request.body["link"] === "true"
  keepForRetry(request, { provider: provider.id, callbackUrl, link })
  const server = await withProviderErrors(provider, OAuthSignInError, () => serverForStart(auth, provider))
  const url = authorizationUrl(provider, request, server)
  const site = addRequestedParams(auth, provider, request, url)
  if (auth.vault) addLasting(provider, { link, query: request.query }, url)
  const again = auth.stepUp ? askedAgain(request, callbackUrl) : undefined
  if (again !== undefined) askForCredentials(provider, again.maxAge, url.searchParams, site)
  const required = requiredAuthentication(provider, auth.security.enforceIssuerChecks ? url.searchParams : site)
  const secrets = chooseSecrets(auth, provider, server)
  const flow = {
    state: await newState(auth, provider, request),
    redirectUri: redirectUri(provider, request),
    ...secrets,
    callbackUrl,
    userId: await signedInUserId(auth, request),
    link,
    passed,
    requires: again === undefined ? required : duringAttempt(provider, required),
  }
  await addProof(url, flow, provider)
  auth.logger.debug("The sign-in continues at the provider", () => ({
    provider: provider.id,
    at: url.origin + url.pathname,
  }))
  const crossSite = url.searchParams.get("response_mode") === "form_post"
  const foreign = await foreignAttempts(auth)
  return redirect(toProvider(spaced(url)), [
    ...(await writeFlowCookie(request, provider, flow, crossSite)),
    ...((await foreign?.writeAuthjsCookies(auth, request, provider, flow)) ?? []),
  ])
}

/** Without a client ID, the provider shows an error that doesn't name the cause. */
function assertClientId({ id, clientId, authorization: { url, params } }: OAuthProvider): void {
  if (clientId !== "" || url?.searchParams.has("client_id") === true || "client_id" in params) return
  const variables = `${variableName(id, "ID")} and ${variableName(id, "SECRET")}`
  throw new InvalidConfig(
    `The provider "${id}" has no client ID. Set ${variables}, or its \`clientId\` and \`clientSecret\``,
  )
}

/** Everything that the site sends, before the parameters of this sign-in request. */
function authorizationUrl(provider: OAuthProvider, request: AuthRequest, { authorization }: Server): URL {
  if (authorization === undefined) {
    throw new OAuthSignInError(`The provider "${provider.id}" has no authorization endpoint. Set \`authorization\``, {
      provider: provider.id,
    })
  }
  assertAllowedUrl(provider, authorization)
  const url = new URL(authorization)
  const { searchParams } = url
  const protocol = {
    response_type: "code",
    client_id: provider.clientId,
    redirect_uri: redirectUri(provider, request),
  }
  for (const [name, value] of Object.entries(protocol)) if (!searchParams.has(name)) searchParams.set(name, value)
  for (const [name, value] of Object.entries(provider.authorization.params)) searchParams.set(name, value)
  return url
}

/** Asks for access that lasts, and for what a signed-in user grants in addition. What the application configured stays. */
function addLasting(
  { tokens: { params = {}, scope: lasting = "" } }: OAuthProvider,
  { link, query }: { readonly link: boolean; readonly query: Params },
  { searchParams }: URL,
): void {
  for (const [name, value] of Object.entries(params)) if (!searchParams.has(name)) searchParams.set(name, value)
  const configured = searchParams.get("scope") ?? ""
  const asked = link ? scopeOf(query) : ""
  const known = new Set(configured.split(/[\s,]+/))
  const added = new Set(`${lasting} ${asked}`.split(/[\s,]+/).filter((each) => each !== "" && !known.has(each)))
  if (added.size === 0) return
  // Some services separate scopes with commas, and none has one in a scope.
  const separator = /^\S+,\S+$/.test(configured) ? "," : " "
  searchParams.set("scope", [...(configured === "" ? [] : [configured]), ...added].join(separator))
}

/** RFC 6749 §3.3. */
function scopeOf({ scope = "" }: Params): string {
  return scope.length <= maxRequestedParam && /^[\x20\x21\x23-\x5B\x5D-\x7E]*$/.test(scope) ? scope : ""
}

interface Secrets {
  readonly verifier: string | undefined
  readonly nonce: string | undefined
}

/**
 * The checks of this attempt besides `state`: PKCE with S256 unless the provider only supports less. If its metadata doesn't
 * list S256, a nonce is added or replaces PKCE (RFC 9700 §2.1.1).
 */
function chooseSecrets(auth: AuthContext, { id, type, checks }: OAuthProvider, { metadata }: Server): Secrets {
  const secret = () => toBase64Url(auth.runtime.random(32))
  const promise = metadata === undefined ? "unknown" : promiseOf(metadata)
  const pkce = checks.has("pkce")
  const needsNonce = pkce && (promise === "silent" || promise === "plain")
  if (needsNonce) warnOnce(auth, id, metadata)
  return {
    verifier: pkce && promise !== "plain" ? secret() : undefined,
    nonce: type === "oidc" && (checks.has("nonce") || needsNonce) ? secret() : undefined,
  }
}

const warned = new WeakSet<Metadata>()

function warnOnce({ logger }: AuthContext, id: string, metadata: Metadata | undefined): void {
  if (metadata === undefined || warned.has(metadata)) return
  warned.add(metadata)
  logger.warn(
    "pkce-unsupported",
    `The metadata of the provider "${id}" doesn't list PKCE with S256, so state protects its responses, and nonce with OpenID Connect`,
  )
}

/** Many servers support S256 without listing any method. A server that lists only others doesn't. */
function promiseOf({ codeChallengeMethods: methods }: Metadata): "silent" | "S256" | "plain" {
  if (methods === undefined) return "silent"
  return methods.includes("S256") ? "S256" : "plain"
}

async function addProof(
  { searchParams }: URL,
  { state, verifier, nonce }: Secrets & { readonly state: string },
  { checks, codeChallengeMethod: method }: OAuthProvider,
): Promise<void> {
  if (checks.size > 0) searchParams.set("state", state)
  if (verifier !== undefined) {
    searchParams.set("code_challenge", method === "plain" ? verifier : await platform.digest("SHA-256", verifier))
    searchParams.set("code_challenge_method", method)
  }
  if (nonce !== undefined) searchParams.set("nonce", nonce)
}

/** Not every server decodes `+` to a space; all decode `%20`. */
function spaced(url: URL): URL {
  const whole = new URL(url)
  whole.search = url.searchParams.toString().replaceAll("+", "%20")
  return whole
}
