import { latestAttempt } from "../../http/attempt.js"
import { page, redirect } from "../../http/respond.js"
import { errorForPage, errorIn } from "../../http/error-param.js"
import { rememberedUrl, toPage } from "../../http/redirect.js"
import type { AuthContext } from "../../model/auth.js"
import type { AuthRequest, AuthResult, Params, SentEmail } from "../../model/http.js"
import { codeForm } from "./code.js"

/** GET verify-request: says that an email is on its way, with a form for its code in the browser that requested it. */
export async function verifyRequest(auth: AuthContext, request: AuthRequest): Promise<AuthResult> {
  const own = auth.pages.verifyRequest
  if (own !== undefined && request.wantsFlow !== true)
    return redirect(toPage(request, own, { ...queryForPage(auth, request), ...errorForPage(auth, request) }))
  const { form, error } = codeOrError(await codeForm(auth, request), errorIn(request))
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
