import { lastUsedMethod, latestAttempt } from "../../http/attempt.js"
import { requestedCallbackUrl, textOf } from "../../http/auth-request.js"
import { page, redirect } from "../../http/auth-result.js"
import { errorForPage, errorIn } from "../../http/error-param.js"
import { callbackUrlOf, rememberCallbackUrl, toPage } from "../../http/redirect.js"
import type { AuthContext } from "../../model/auth.js"
import type { SetCookie } from "../../model/cookie.js"
import type { AuthRequest, AuthResult } from "../../model/http.js"
import { reportFor } from "../../observability/error-reports.js"
import { signedInUser } from "../../session/signed-in-user.js"

/** GET signin, with or without a provider: no sign-in starts without a click (login CSRF). */
export async function signInPage(auth: AuthContext, request: AuthRequest): Promise<AuthResult> {
  const error = errorIn(request)
  const report = error === undefined ? undefined : reportFor(auth, request, error)
  const callbackUrl = await callbackUrlOf(auth, request, requestedCallbackUrl(request) ?? report?.retry?.callbackUrl)
  const { signIn } = auth.pages
  if (signIn !== undefined && request.wantsFlow !== true) {
    const to = toPage(request, signIn, { callbackUrl, ...errorForPage(auth, request) })
    // The forms of the application's own page may not repeat the callback URL.
    return redirect(to, await rememberCallbackUrl(auth, request))
  }
  const { value: csrfToken, cookies } = await request.csrf.token()
  const email = textOf(request.query["email"])
  const known = { attempt: await latestAttempt(auth, request), lastUsed: lastUsedMethod(auth, request) }
  return page({ name: "signin", error, ...report, email, callbackUrl, csrfToken, ...known }, [
    ...cookies,
    ...(await remembered(auth, request)),
  ])
}

/** An application may send a form without the callback URL after it showed the page. Under `"strict"` a `GET` sets nothing. */
async function remembered(auth: AuthContext, request: AuthRequest): Promise<readonly SetCookie[]> {
  return auth.rules.privateCallbackUrls || request.method !== "GET" ? [] : rememberCallbackUrl(auth, request)
}

/** GET signout: asks for confirmation, so that a link or image on another site can't sign a user out. */
export async function signOutPage(auth: AuthContext, request: AuthRequest): Promise<AuthResult> {
  const { signOut } = auth.pages
  const kept = await remembered(auth, request)
  if (signOut !== undefined && request.wantsFlow !== true) return redirect(toPage(request, signOut, {}), kept)
  const { value: csrfToken, cookies } = await request.csrf.token()
  const [callbackUrl, user] = [await callbackUrlOf(auth, request), await signedInUser(auth, request)]
  return page({ name: "signout", csrfToken, callbackUrl, user }, [...cookies, ...kept])
}

/** GET error: explains an error. */
export async function errorPage(auth: AuthContext, request: AuthRequest): Promise<AuthResult> {
  const error = errorIn(request)
  const { error: own } = auth.pages
  if (own !== undefined && request.wantsFlow !== true)
    return redirect(toPage(request, own, errorForPage(auth, request)))
  const report = reportFor(auth, request, error)
  const code = textOf(request.query["code"])
  if (report?.ending === undefined && report?.retry === undefined)
    return page({ name: "error", error, code, ...report })
  const { value: csrfToken, cookies } = await request.csrf.token()
  return page({ name: "error", error, code, ...report, csrfToken }, cookies)
}
