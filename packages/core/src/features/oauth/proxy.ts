import { toBase64Url } from "../../crypto/digest.js"
import { AuthError, InvalidConfig } from "../../errors.js"
import { page, redirect } from "../../http/respond.js"
import { toProvider } from "../../http/redirect.js"
import type { AuthContext } from "../../model/auth.js"
import type { AuthRequest, AuthResult, Params } from "../../model/http.js"
import type { OAuthProvider } from "../../model/oauth-provider.js"
import { createThrottle } from "../../observability/throttle.js"
import { isLoopback } from "../../primitives/ip-address.js"
import { stateOf } from "../../primitives/state.js"
import { callbackUri, cookieName, flowLifetime, invalidCheck, openedIn, proxyInFront } from "./flow.js"

/** The purpose that Auth.js v5 uses, so that its deployments can share a redirect proxy with ours. */
const purpose = "encodedState"

/** 256 random bits. Behind a redirect proxy they're sealed together with the URL of this deployment. */
export async function newState(auth: AuthContext, provider: OAuthProvider, request: AuthRequest): Promise<string> {
  const random = toBase64Url(auth.runtime.random(32))
  if (proxyInFront(provider, request) !== undefined) {
    assertOwnOrigin(auth, provider, request)
    const state = { origin: callbackUri(provider, request), random, named: true }
    return request.scheme.sealer.seal(purpose, state, flowLifetime)
  }
  // On the redirect proxy, Auth.js opens every state.
  const isOpened = auth.compat && provider.redirectProxyUrl !== undefined && !auth.security.keyPerPurpose
  return isOpened ? request.scheme.sealer.seal(purpose, { random }, flowLifetime) : random
}

/**
 * The proxy sends the code to the origin in the state. So the state is only sealed for an origin that the configuration or
 * the hosting platform names: the host of a request could be that of an attacker.
 *
 * @throws InvalidConfig
 */
function assertOwnOrigin(auth: AuthContext, { id }: OAuthProvider, request: AuthRequest): void {
  if (isOwnOrigin(auth, request)) return
  const { origin } = request
  throw new InvalidConfig(
    `The sign-in with "${id}" was refused, because nothing but the request says that ${origin} is this site, and the redirect proxy would send it the code. If it's yours, set AUTH_URL, or add it to \`redirectProxyOrigins\` or \`trustHost\``,
  )
}

function isOwnOrigin(auth: AuthContext, { origin, headers }: AuthRequest): boolean {
  const { origin: fixed, trustHost, redirectProxyOrigins = [], deploymentOrigins, development } = auth
  // A list in `trustHost` was compared with the host before.
  if (fixed !== undefined || typeof trustHost !== "boolean") return true
  const url = new URL(origin)
  if (isAllowed([...redirectProxyOrigins, ...deploymentOrigins], url) || (development && isLoopback(url))) return true
  // Vercel sets this header, and routes only hosts of the project to the deployment that it names. Elsewhere, a client can
  // send it, but no deployment has such a name.
  const deployment = headers.get("x-vercel-deployment-url") ?? ""
  return vercelDeployment.test(deployment) && deploymentOrigins.includes(`https://${deployment}`)
}

const vercelDeployment = /^[\w-]+\.vercel\.app$/

/**
 * On the redirect proxy: forwards the response to the deployment that sent the request. `undefined`: it's this one.
 *
 * @throws InvalidCheck if the state wasn't sealed with our secret; AuthError if its origin isn't allowed
 */
export async function forward(
  auth: AuthContext,
  provider: OAuthProvider,
  request: AuthRequest,
  params: Params,
): Promise<AuthResult | undefined> {
  const { state } = params
  const isProxy = provider.redirectProxyUrl !== undefined && proxyInFront(provider, request) === undefined
  if (!isProxy || state === undefined || request.cookies.has(cookieName(provider, request, state))) return undefined
  const sealed = await targetOf(provider, request, state)
  if (sealed === undefined || sealed.target.origin === request.origin) return undefined
  assertForwarded(auth, sealed)
  const { target } = sealed
  auth.logger.debug("The redirect proxy forwards a response", () => ({ provider: provider.id, to: target.origin }))
  if (request.method === "POST") return page({ name: "forward", action: toProvider(target), fields: params })
  for (const [name, value] of Object.entries(params)) target.searchParams.set(name, value)
  return redirect(toProvider(target))
}

interface Target {
  readonly target: URL
  /** The deployment that sealed the state knew its origin from more than the request. */
  readonly named: boolean
}

/** `undefined`: the state has no target, because the sign-in started here. */
async function targetOf(provider: OAuthProvider, request: AuthRequest, state: string): Promise<Target | undefined> {
  const payload = await openedIn(request, purpose, state)
  const origin = payload?.["origin"]
  if (origin === undefined && typeof payload?.["random"] === "string") return undefined
  if (typeof origin !== "string" || !URL.canParse(origin))
    throw invalidCheck(provider, "no deployment behind this proxy sealed its state")
  return { target: new URL(origin), named: payload?.["named"] === true }
}

/**
 * Without a list, deployments that named their own origin get their responses. Under `"compatible"` those of Auth.js do too,
 * with a warning: it seals a state for any host that a request names.
 */
function assertForwarded(auth: AuthContext, { target, named }: Target): void {
  const { redirectProxyOrigins: listed } = auth
  if (listed === undefined ? named : isAllowed(listed, target)) return
  if (listed === undefined && !auth.rules.namedDeployments) return warnOnce(auth, target)
  throw new AuthError(
    `The redirect proxy doesn't serve ${target.origin}. Add it to \`redirectProxyOrigins\` if it's yours`,
  )
}

const throttleOf = stateOf("unnamed-deployments", () => createThrottle({ maxListeners: 100 }))

function warnOnce(auth: AuthContext, { origin }: URL): void {
  if (!throttleOf(auth).allows("forwarded", auth.logSink, auth.runtime.now())) return
  auth.logger.warn(
    "redirect-proxy-open",
    `The redirect proxy sent a response to ${origin}, because a deployment with this secret asked for it. Auth.js asks for any host that a request names, so an attacker could receive codes. Set \`redirectProxyOrigins\``,
  )
}

/** An exact origin, or `https://*.example.com` for exactly one label in place of `*`. Without a scheme it's https. */
function isAllowed(origins: readonly string[], { origin }: URL): boolean {
  return origins.some((given) => {
    const allowed = given.includes("://") ? given : `https://${given}`
    const [before = "", after] = allowed.split("*")
    if (after === undefined) return originOrSelf(allowed) === origin
    const label = origin.slice(before.length, origin.length - after.length)
    return before + label + after === origin && /^[\w-]+$/.test(label)
  })
}

function originOrSelf(allowed: string): string {
  return URL.canParse(allowed) ? new URL(allowed).origin : allowed
}
