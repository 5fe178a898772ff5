import { InvalidProvider } from "../errors.js"
import { setCookie } from "../http/cookie.js"
import { askedUrl } from "../http/incoming.js"
import { denied, redirect } from "../http/outcome.js"
import { resolveCallbackUrl, toRoute } from "../http/redirect.js"
import type { Auth } from "../model/auth.js"
import type { SetCookie } from "../model/cookie.js"
import type { Incoming, Outcome } from "../model/http.js"
import { providerOf } from "./provider.js"

/** Browsers drop cookies over 4096 bytes, name and attributes included (RFC 6265 §6.1). */
const longestValue = 3800

/** POST signin and POST signin/:provider. */
export async function startSignIn(auth: Auth, incoming: Incoming): Promise<Outcome> {
  const remembered = await rememberCallbackUrl(auth, incoming)
  if (incoming.providerId === undefined) return redirect(toRoute(incoming, "signin"), remembered)
  const provider = providerOf(auth, incoming)
  if (provider === undefined) return denied(new InvalidProvider("No such provider is configured"))
  const method = await provider.method()
  const outcome = await method.start(auth, provider, incoming)
  return { ...outcome, cookies: [...remembered, ...outcome.cookies] }
}

/** Remembers where the person wants to go, for a page of ours on the way that does not know it. */
export async function rememberCallbackUrl(auth: Auth, incoming: Incoming): Promise<readonly SetCookie[]> {
  const cookie = incoming.realm.cookies.callbackUrl
  const asked = askedUrl(incoming)
  if (asked === undefined) return []
  const url = await resolveCallbackUrl(auth, incoming, asked)
  const isKnown = url === incoming.cookies.get(cookie.name)
  return isKnown || encodeURIComponent(url).length > longestValue ? [] : [setCookie(cookie, url)]
}
