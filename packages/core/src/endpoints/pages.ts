import { isKnownCode } from "../errors.js"
import { lastUsedMethod, latestAttempt } from "../http/attempt.js"
import { requestedCallbackUrl, textOf } from "../http/auth-request.js"
import { page, redirect } from "../http/auth-result.js"
import { callbackUrlOf, rememberCallbackUrl, rememberedUrl, toPage } from "../http/redirect.js"
import type { AuthContext } from "../model/auth.js"
import type { SetCookie } from "../model/cookie.js"
import type { AuthRequest, AuthResult, Params, SentEmail } from "../model/http.js"
import { reportFor } from "../observability/error-reports.js"
import { signedInUser } from "../session/signed-in-user.js"

const errorCode = /^\w{1,64}$/

/** A known error code. The page shows an unknown one as `Default`, so a link can't put words on it. */
function errorOf({ query }: AuthRequest): string | undefined {
  const error = textOf(query["error"])
  if (error === undefined || !errorCode.test(error)) return undefined
  return isKnownCode(error) ? error : "Default"
}

/** The application's own codes, such as `NotInvited`. They're names, so a link can't put a text or a URL on the page. */
const ownCode = /^[A-Za-z][\w.-]{0,63}$/

/** For a page of the application, which may have codes of its own: its `signIn` callback can return `/auth/error?error=NotInvited`. */
function errorForPage(auth: AuthContext, request: AuthRequest): Params {
  const given = textOf(request.query["error"])
  const isOwn = !auth.rules.declaredParams && given !== undefined && ownCode.test(given)
  const error = isOwn && !(given in {}) ? given : errorOf(request)
  return error === undefined ? {} : { error }
}

/** GET signin, with or without a provider: no sign-in starts without a click (login CSRF). */
export async function signInPage(auth: AuthContext, request: AuthRequest): Promise<AuthResult> {
  const error = errorOf(request)
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
  const error = errorOf(request)
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

/** GET verify-request: says that an email is on its way, with a form for its code in the browser that requested it. */
export async function verifyRequestPage(auth: AuthContext, request: AuthRequest): Promise<AuthResult> {
  const { verifyRequest } = auth.pages
  if (verifyRequest !== undefined && request.wantsFlow !== true)
    return redirect(toPage(request, verifyRequest, { ...queryForPage(auth, request), ...errorForPage(auth, request) }))
  // Loads with the rest of email sign-in, which not every application uses.
  const { codeForm } = await import("../features/email/code.js")
  const { form, error } = codeOrError(await codeForm(auth, request), errorOf(request))
  const sent = await sentEmail(auth, request)
  if (form === undefined && sent === undefined) return page({ name: "verify-request", error })
  const { value: csrfToken, cookies } = await request.csrf.token()
  const callbackUrl = form?.callbackUrl ?? rememberedUrl(request) ?? request.origin
  return page(
    {
      name: "verify-request",
      error,
      form: form && { ...form, csrfToken },
      sent: sent && { ...sent, callbackUrl, csrfToken },
    },
    cookies,
  )
}

/** A code that was used or has expired needs no form. */
function codeOrError<Form>(known: Form | "ended", error: string | undefined) {
  return known === "ended" ? { form: undefined, error: error ?? "Verification" } : { form: known, error }
}

/** The email that this browser requested last. The address comes from a sealed cookie, never from the URL. */
async function sentEmail(
  auth: AuthContext,
  request: AuthRequest,
): Promise<Omit<SentEmail, "callbackUrl" | "csrfToken"> | undefined> {
  const { provider, fields, sentAt, again = false } = (await latestAttempt(auth, request)) ?? {}
  const email = fields?.["email"]
  if (provider === undefined || email === undefined || sentAt === undefined) return undefined
  return provider === request.query["provider"] ? { provider, email, sentAt, again } : undefined
}

/** A page of the application may read parameters of its own, as it can with Auth.js. A callback URL here isn't checked. */
function queryForPage({ rules }: AuthContext, { query }: AuthRequest): Params {
  const { error: _, callbackUrl: __, ...others } = query
  if (!rules.declaredParams) return others
  return Object.fromEntries(Object.entries(others).filter(([name]) => name === "provider" || name === "type"))
}
