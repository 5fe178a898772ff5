import { AuthError } from "../../errors.js"
import { toBase64Url } from "../../crypto/digest.js"
import { page, redirect } from "../../http/auth-result.js"
import { toProvider } from "../../http/redirect.js"
import type { AuthContext } from "../../model/auth.js"
import type { AuthRequest, AuthResult, Params } from "../../model/http.js"
import type { OAuthProvider } from "../../model/oauth-provider.js"
import { callbackUri, proxyInFront } from "./redirect-uri.js"
import { cookieName, invalidCheck } from "./flow.js"
import { unseal } from "./unseal.js"

/** Compatible with other deployments behind the same proxy (spec/cookies.md §4). */
const purpose = "encodedState"

/** 256 random bits; behind a proxy sealed together with the address the proxy has to send the answer to. */
export async function newState(auth: AuthContext, provider: OAuthProvider, request: AuthRequest): Promise<string> {
  const random = toBase64Url(auth.runtime.random(32))
  if (proxyInFront(provider, request) === undefined) return random
  return request.scheme.sealer.seal(purpose, { origin: callbackUri(provider, request), random }, 900)
}

/**
 * On the proxy: the answer goes on to the deployment that asked. `undefined`: it is ours.
 *
 * @throws InvalidCheck when the state was not sealed with our secret; AuthError when its origin is not allowed
 */
export async function forward(
  auth: AuthContext,
  provider: OAuthProvider,
  request: AuthRequest,
  params: Params,
): Promise<AuthResult | undefined> {
  const { state } = params
  const isProxy = provider.redirectProxyUrl !== undefined && proxyInFront(provider, request) === undefined
  if (!isProxy || state === undefined || request.cookies.has(cookieName(request, state))) return undefined
  const target = await targetOf(provider, request, state)
  if (target.origin === request.origin) return undefined
  if (!isAllowed(auth.redirectProxyOrigins, target)) {
    throw new AuthError(
      `The redirect proxy does not serve ${target.origin}: add it to \`redirectProxyOrigins\` if it is yours`,
    )
  }
  auth.logger.debug("The redirect proxy passes an answer on", () => ({ provider: provider.id, to: target.origin }))
  if (request.method === "POST") return page({ name: "forward", action: toProvider(target), fields: params })
  for (const [name, value] of Object.entries(params)) target.searchParams.set(name, value)
  return redirect(toProvider(target))
}

async function targetOf(provider: OAuthProvider, request: AuthRequest, state: string): Promise<URL> {
  const origin = (await unseal(request, purpose, state))?.["origin"]
  if (typeof origin !== "string" || !URL.canParse(origin))
    throw invalidCheck(provider, "no deployment behind this proxy sealed its state")
  return new URL(origin)
}

/** An exact origin, or `https://*.example.com` for exactly one label. */
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
