import { toBase64Url } from "../../crypto/digest.js"
import { AuthError } from "../../errors.js"
import { page, redirect } from "../../http/auth-result.js"
import { toProvider } from "../../http/redirect.js"
import type { AuthContext } from "../../model/auth.js"
import type { AuthRequest, AuthResult, Params } from "../../model/http.js"
import type { OAuthProvider } from "../../model/oauth-provider.js"
import { isShared } from "./authjs-cookies.js"
import { callbackUri, cookieName, flowLifetime, invalidCheck, proxyInFront, unseal } from "./flow.js"

/** The purpose that Auth.js v5 uses, so that its deployments can share a redirect proxy with ours. */
const purpose = "encodedState"

/** 256 random bits. Behind a redirect proxy they're sealed together with the URL of this deployment. */
export async function newState(auth: AuthContext, provider: OAuthProvider, request: AuthRequest): Promise<string> {
  const random = toBase64Url(auth.runtime.random(32))
  if (proxyInFront(provider, request) !== undefined)
    return request.scheme.sealer.seal(purpose, { origin: callbackUri(provider, request), random }, flowLifetime)
  // On the redirect proxy, Auth.js opens every state.
  const isOpened = provider.redirectProxyUrl !== undefined && isShared(auth)
  return isOpened ? request.scheme.sealer.seal(purpose, { random }, flowLifetime) : random
}

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
  const target = await targetOf(provider, request, state)
  if (target === undefined || target.origin === request.origin) return undefined
  if (!isAllowed(auth.redirectProxyOrigins, target)) {
    throw new AuthError(
      `The redirect proxy doesn't serve ${target.origin}. Add it to \`redirectProxyOrigins\` if it's yours`,
    )
  }
  auth.logger.debug("The redirect proxy forwards a response", () => ({ provider: provider.id, to: target.origin }))
  if (request.method === "POST") return page({ name: "forward", action: toProvider(target), fields: params })
  for (const [name, value] of Object.entries(params)) target.searchParams.set(name, value)
  return redirect(toProvider(target))
}

/** `undefined`: the state has no target, because the sign-in started here. */
async function targetOf(provider: OAuthProvider, request: AuthRequest, state: string): Promise<URL | undefined> {
  const payload = await unseal(request, purpose, state)
  const origin = payload?.["origin"]
  if (origin === undefined && typeof payload?.["random"] === "string") return undefined
  if (typeof origin !== "string" || !URL.canParse(origin))
    throw invalidCheck(provider, "no deployment behind this proxy sealed its state")
  return new URL(origin)
}

/** An exact origin, or `https://*.example.com` for exactly one label in place of `*`. */
function isAllowed(origins: readonly string[] | undefined, { origin }: URL): boolean {
  if (origins === undefined) return true
  return origins.some((allowed) => {
    const [before = "", after] = allowed.split("*")
    if (after === undefined) return originOrSelf(allowed) === origin
    const label = origin.slice(before.length, origin.length - after.length)
    return before + label + after === origin && /^[\w-]+$/.test(label)
  })
}

function originOrSelf(allowed: string): string {
  return URL.canParse(allowed) ? new URL(allowed).origin : allowed
}
