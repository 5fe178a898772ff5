import { isKnownCode } from "../errors.js"
import { textOf } from "../http/incoming.js"
import { page, redirect } from "../http/outcome.js"
import { resolveCallbackUrl, toPage } from "../http/redirect.js"
import type { Auth } from "../model/auth.js"
import type { Incoming, Outcome, Params } from "../model/http.js"

const word = /^\w{1,64}$/

/** Codes are words, and known ones: of another the page says that something went wrong, and no more. */
function errorOf({ query }: Incoming): string | undefined {
  const error = textOf(query["error"])
  if (error === undefined || !word.test(error)) return undefined
  return isKnownCode(error) ? error : "Default"
}

function callbackUrlOf(auth: Auth, incoming: Incoming): Promise<string> {
  const { query, cookies, realm } = incoming
  return resolveCallbackUrl(auth, incoming, textOf(query["callbackUrl"]) ?? cookies.get(realm.cookies.callbackUrl.name))
}

/** GET signin, also below a provider: nothing starts without a click (login CSRF). */
export async function signInPage(auth: Auth, incoming: Incoming): Promise<Outcome> {
  const [callbackUrl, error] = [await callbackUrlOf(auth, incoming), errorOf(incoming)]
  const { signIn } = auth.pages
  if (signIn !== undefined)
    return redirect(toPage(incoming, signIn, { callbackUrl, ...(error !== undefined && { error }) }))
  const { value: csrfToken, cookies } = await incoming.csrf.token()
  const email = textOf(incoming.query["email"])
  return page({ name: "signin", error, email, callbackUrl, csrfToken }, cookies)
}

/** GET signout: asks before it is done, so that no link or image can do it. */
export async function signOutPage(auth: Auth, incoming: Incoming): Promise<Outcome> {
  const { signOut } = auth.pages
  if (signOut !== undefined) return redirect(toPage(incoming, signOut, {}))
  const { value: csrfToken, cookies } = await incoming.csrf.token()
  return page({ name: "signout", csrfToken, callbackUrl: await callbackUrlOf(auth, incoming) }, cookies)
}

/** GET error: what went wrong, in words for the person. */
export function errorPage(auth: Auth, incoming: Incoming): Outcome {
  const error = errorOf(incoming)
  const { error: own } = auth.pages
  if (own !== undefined) return redirect(toPage(incoming, own, error === undefined ? {} : { error }))
  return page({ name: "error", error, code: textOf(incoming.query["code"]) })
}

/** GET verify-request: a link is on its way, and a code, which the browser that asked may type here. */
export async function verifyRequestPage(auth: Auth, incoming: Incoming): Promise<Outcome> {
  const { verifyRequest } = auth.pages
  const error = errorOf(incoming)
  if (verifyRequest !== undefined)
    return redirect(
      toPage(incoming, verifyRequest, { ...known(incoming.query), ...(error !== undefined && { error }) }),
    )
  // With the rest of e-mail sign-in, which not every application has.
  const { codeForm } = await import("../methods/email-code.js")
  const form = await codeForm(auth, incoming)
  if (form === undefined) return page({ name: "verify-request", error })
  const { value: csrfToken, cookies } = await incoming.csrf.token()
  return page({ name: "verify-request", error, form: { ...form, csrfToken } }, cookies)
}

function known({ provider, type }: Params): Params {
  return { ...(provider !== undefined && { provider }), ...(type !== undefined && { type }) }
}
