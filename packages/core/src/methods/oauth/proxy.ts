import { AuthError } from "../../errors.js"
import { toBase64Url } from "../../crypto/digest.js"
import { page, redirect } from "../../http/outcome.js"
import { toProvider } from "../../http/redirect.js"
import type { Auth } from "../../model/auth.js"
import type { Incoming, Outcome, Params } from "../../model/http.js"
import type { OAuthProvider } from "../../model/resolved-provider.js"
import { callbackAddress, proxyInFront } from "./address.js"
import { cookieName, lost } from "./flow.js"
import { unseal } from "./unseal.js"

/** Compatible with other deployments behind the same proxy (spec/cookies.md §4). */
const purpose = "encodedState"

/** 256 random bits; behind a proxy sealed together with the address the proxy has to send the answer to. */
export async function newState(auth: Auth, provider: OAuthProvider, incoming: Incoming): Promise<string> {
  const random = toBase64Url(auth.runtime.random(32))
  if (proxyInFront(provider, incoming) === undefined) return random
  return incoming.realm.vault.seal(purpose, { origin: callbackAddress(provider, incoming), random }, 900)
}

/**
 * On the proxy: the answer goes on to the deployment that asked. `undefined`: it is ours.
 *
 * @throws InvalidCheck when the state was not sealed with our secret; AuthError when its origin is not allowed
 */
export async function forward(
  auth: Auth,
  provider: OAuthProvider,
  incoming: Incoming,
  params: Params,
): Promise<Outcome | undefined> {
  const { state } = params
  const isProxy = provider.redirectProxyUrl !== undefined && proxyInFront(provider, incoming) === undefined
  if (!isProxy || state === undefined || incoming.cookies.has(cookieName(incoming, state))) return undefined
  const target = await targetOf(provider, incoming, state)
  if (target.origin === incoming.origin) return undefined
  if (!isAllowed(auth.config.redirectProxyOrigins, target)) {
    throw new AuthError(
      `The redirect proxy does not serve ${target.origin}: add it to \`redirectProxyOrigins\` if it is yours`,
    )
  }
  auth.logger.debug("The redirect proxy passes an answer on", () => ({ provider: provider.id, to: target.origin }))
  if (incoming.method === "POST") return page({ name: "forward", action: toProvider(target), fields: params })
  for (const [name, value] of Object.entries(params)) target.searchParams.set(name, value)
  return redirect(toProvider(target))
}

async function targetOf(provider: OAuthProvider, incoming: Incoming, state: string): Promise<URL> {
  const origin = (await unseal(incoming, purpose, state))?.["origin"]
  if (typeof origin !== "string" || !URL.canParse(origin))
    throw lost(provider, "no deployment behind this proxy sealed its state")
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
