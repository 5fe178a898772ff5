import { lastUsedMethod, latestAttempt } from "../../http/attempt.js"
import { requestedCallbackUrl, textOf } from "../../http/auth-request.js"
import { page, redirect } from "../../http/respond.js"
import { errorForPage, errorIn } from "../../http/error-param.js"
import { callbackUrlOf, rememberCallbackUrl, toPage } from "../../http/redirect.js"
import type { AuthContext, SessionContext } from "../../model/auth.js"
import type { SetCookie } from "../../model/cookie.js"
import type { AuthRequest, AuthResult, SessionRequest, SignedInUser } from "../../model/http.js"
import { reportFor } from "../../observability/error-reports.js"
import type { LiveSession } from "../../model/session-strategy.js"
import { readAccepted } from "../../session/current.js"
import { hasRows } from "../../session/revocation.js"
import { tokenOf } from "../../session/session-cookie.js"

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
  return page({ name: "signout", csrfToken, callbackUrl, user, canEndAll: canEndAll(auth) }, [...cookies, ...kept])
}

function canEndAll(auth: AuthContext): boolean {
  return auth.features.account !== undefined && auth.adapter?.deleteSessions !== undefined && hasRows(auth)
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

/**
 * Who is signed in, without calling the callbacks of the application: Auth.js v5 doesn't call them for a page.
 *
 * @returns `null` if no user is signed in, and `undefined` if the session can't be read
 */
async function signedInUser(auth: SessionContext, request: SessionRequest): Promise<SignedInUser | null | undefined> {
  const found = tokenOf(auth, request)
  if (found === undefined) return null
  try {
    const live = await readAccepted(auth, request, found)
    return live == null ? null : { label: labelOf(live) }
  } catch {
    // The sign-out reports it.
    return undefined
  }
}

function labelOf({ content }: LiveSession): string | undefined {
  const { email, name } = content.kind === "sealed" ? content.claims : content.user
  return [email, name].find((text) => typeof text === "string" && text !== "") ?? undefined
}
