import { setCookie } from "../../http/cookie.js"
import { redirect } from "../../http/outcome.js"
import { toRoute } from "../../http/redirect.js"
import type { Auth } from "../../model/auth.js"
import type { Incoming, Outcome, Params } from "../../model/http.js"
import type { OAuthProvider } from "../../model/resolved-provider.js"
import { signedInUserId } from "../../session/current.js"
import { cookieName, longestCookie, lost } from "./flow.js"
import type { Flow } from "./flow.js"
import { unseal } from "./unseal.js"

/** Characters; what is longer is nobody's answer (RFC 6749 appendix A.5, A.11: visible characters and space). */
const limits = { code: 4096, state: 1024, error: 1024, iss: 1024 }

/**
 * What the provider sent back: the query, or the form of `response_mode=form_post`.
 *
 * @throws InvalidCheck before anything is done with an answer that cannot be one
 */
export function callbackParams(provider: OAuthProvider, { method, query, body }: Incoming): Params {
  const params: Record<string, string> = Object.create(null)
  for (const [name, value] of Object.entries(method === "POST" ? body : query)) {
    if (typeof value === "string") params[name] = value
  }
  for (const [name, limit] of Object.entries(limits)) {
    const value = params[name] ?? ""
    if (value.length > limit || !/^[\x20-\x7E]*$/.test(value)) throw lost(provider, `its \`${name}\` is malformed`)
  }
  return params
}

/** Seconds. */
const bounceLifetime = 60

/**
 * A form posted from the provider's page arrives without our `SameSite=Lax` cookies. If the attempt belongs to a
 * signed-in person, the answer is kept sealed for a moment and fetched again by a request of our own site, which has
 * the session. The code never stands in a URL. `undefined`: not needed.
 */
export async function bounce(
  auth: Auth,
  provider: OAuthProvider,
  incoming: Incoming,
  { params, flow }: { readonly params: Params; readonly flow: Flow },
): Promise<Outcome | undefined> {
  const { realm, method } = incoming
  if (method !== "POST" || flow.state === undefined || flow.userId === undefined || params["error"] !== undefined)
    return undefined
  if ((await signedInUserId(auth, incoming)) !== undefined) return undefined
  const value = await realm.vault.seal(purpose(incoming), { ...params }, bounceLifetime)
  if (value.length > longestCookie) return undefined
  const name = cookieName(incoming, flow.state)
  const brief = (name: string, value: string) =>
    setCookie({ ...realm.cookies.state, name }, value, { maxAge: bounceLifetime })
  // The attempt is not over: its cookie is given once more, whatever else is said about spent ones.
  const cookies = [brief(name, incoming.cookies.get(name) ?? ""), brief(`${name}.p`, value)]
  return redirect(toRoute(incoming, `callback/${provider.id}`, { state: flow.state }), cookies)
}

/** The parameters that `bounce` has kept, or those that came. */
export async function bounced(provider: OAuthProvider, incoming: Incoming, params: Params): Promise<Params> {
  const { state } = params
  if (incoming.method === "POST" || state === undefined) return params
  const value = incoming.cookies.get(`${cookieName(incoming, state)}.p`)
  if (value === undefined) return params
  const opened = await unseal(incoming, purpose(incoming), value)
  if (opened?.["state"] !== state) throw lost(provider, "the answer that was kept for it has expired")
  const { iat: _, exp: __, jti: ___, ...kept } = opened
  return callbackParams(provider, { ...incoming, method: "POST", body: kept })
}

function purpose({ realm }: Incoming): string {
  return `${realm.cookies.state.name} answer`
}
