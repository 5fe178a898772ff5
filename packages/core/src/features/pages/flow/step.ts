import { type AuthError, InvalidProvider, UnknownAction } from "../../../errors.js"
import { textOf } from "../../../http/auth-request.js"
import { toRoute } from "../../../http/redirect.js"
import { languageOf } from "../../../i18n/language-of.js"
import { resendAfter } from "../../email/resend.js"
import type { AuthContext } from "../../../model/auth.js"
import type {
  AccountStep,
  ConfirmEmailStep,
  ConfirmSignOutStep,
  FlowResult,
  MethodsStep,
  ModuleStep,
  PasskeyStep,
  SignedOutStep,
} from "../../../model/flow.js"
import type { AuthRequest, AuthResult, Page } from "../../../model/http.js"
import { isSignInProblem } from "../../../model/signin-problem.js"
import { passkeyTexts } from "../../passkeys/form.js"
import { appName, ownPage } from "../../../html/site-link.js"
import type { PageContext, PageOf } from "../../../html/view.js"
import { type Details, errorOf, errorOfCode, statusOf } from "./error.js"
import { methodsOf } from "./methods.js"

/** A step of a flow, and the status of its response. */
export interface Step {
  readonly result: FlowResult | AccountStep | ModuleStep
  readonly status: number
}

/** A result that flows get in another shape. */
export type WithStep = Exclude<AuthResult, { readonly kind: "empty" }>

/** @param errorPage the page that shows a failure */
export async function stepOf(
  auth: AuthContext,
  request: AuthRequest,
  outcome: WithStep,
  errorPage = "",
): Promise<Step> {
  const context = await contextOf(auth, request)
  switch (outcome.kind) {
    case "page":
      return stepOfPage(context, outcome.page)
    case "redirect":
      return stepOfRedirect(context, outcome)
    case "failure":
      return stepOfError(context, { error: outcome.error, url: errorPage })
    case "json":
      return passkeyStep(context, outcome)
  }
}

/** The step of the sign-in page. */
export async function methodsStepOf(
  auth: AuthContext,
  request: AuthRequest,
  outcome: AuthResult,
): Promise<MethodsStep> {
  if (outcome.kind !== "page" || outcome.page.name !== "signin") throw new TypeError("This isn't the sign-in page")
  return methodsStep(await contextOf(auth, request), outcome.page)
}

async function contextOf(auth: AuthContext, request: AuthRequest): Promise<FlowContext> {
  const { messages: t, tag: locale, direction } = await languageOf(auth, request)
  return { auth, request, t, locale, direction }
}

interface FlowContext extends PageContext {
  readonly direction: "ltr" | "rtl"
}

function step(result: FlowResult): Step {
  return { result, status: 200 }
}

function stepOfPage(context: FlowContext, page: Page): Step {
  switch (page.name) {
    case "signin":
      return step(methodsStep(context, page))
    case "signout":
      return step(signOutStep(context, page))
    case "error":
      return refused(context, codeOfPage(page), toRoute(context.request, "error"), page)
    case "verify-request":
      return sentBefore(context, page)
    case "confirm-email":
      return step(confirmStep(page))
    case "account":
      return { result: accountStep(context, page), status: 200 }
    case "factor":
      return factorStep(context, page)
    case "module":
      return moduleStep(page)
    case "forward":
      return step({ status: "redirect", url: page.action, form: page.fields })
  }
}

function factorStep({ request }: FlowContext, { step: shown, error }: PageOf<"factor">): Step {
  const refused = error === undefined ? {} : { error: { code: "FactorRefused", message: error } }
  return { result: { ...shown, ...refused, url: toRoute(request, "factor") }, status: error === undefined ? 200 : 401 }
}

function moduleStep({ module, shown, csrfToken = "" }: PageOf<"module">): Step {
  const { title, blocks, error, status = 200 } = shown
  const refused = error === undefined ? {} : { error: { code: "Refused", message: error } }
  return { result: { status: "page", module, title, blocks, csrfToken, ...refused }, status }
}

function methodsStep(context: FlowContext, page: PageOf<"signin">): MethodsStep {
  const { auth, request, locale: tag, direction } = context
  const { csrfToken = "", callbackUrl, error, lastUsed } = page
  const { forgotPassword, createAccount } = auth.pages
  const links = { forgotPassword: ownPage(request, forgotPassword), createAccount: ownPage(request, createAccount) }
  return {
    status: "methods",
    app: appName(context),
    language: { tag, direction },
    links: Object.fromEntries(Object.entries(links).filter(([, url]) => url !== undefined)),
    csrfToken,
    callbackUrl,
    methods: methodsOf(context),
    ...(lastUsed !== undefined && { lastUsed }),
    ...(error !== undefined && { error: errorOfCode(context.t, error, page) }),
  }
}

function accountStep({ request }: FlowContext, { overview, csrfToken = "" }: PageOf<"account">): AccountStep {
  return { status: "account", overview, csrfToken, url: toRoute(request, "account") }
}

function signOutStep({ request }: FlowContext, page: PageOf<"signout">): ConfirmSignOutStep | SignedOutStep {
  const { csrfToken = "", callbackUrl, user } = page
  if (user === null) return { status: "signed-out", url: callbackUrl }
  const named = user?.label === undefined ? {} : { user: user.label }
  return { status: "confirm-sign-out", csrfToken, callbackUrl, ...named, url: toRoute(request, "signout") }
}

/** The email that this browser requested last. */
function sentBefore(context: FlowContext, { sent, form }: PageOf<"verify-request">): Step {
  const { auth, request } = context
  const provider = auth.providers.get(sent?.provider ?? "")
  if (sent === undefined || provider?.type !== "email")
    return refused(context, "Verification", toRoute(request, "signin"))
  const seconds = Math.floor((auth.runtime.now() - sent.sentAt) / 1000)
  return step({
    status: "email-sent",
    email: sent.email,
    provider: provider.id,
    expiresIn: Math.max(0, provider.maxAge - seconds),
    resendIn: Math.max(0, resendAfter - seconds),
    ...(form && { code: { length: form.longest ?? form.length ?? 0, digits: form.digits, url: form.action } }),
    url: request.origin + request.path,
  })
}

function confirmStep(page: PageOf<"confirm-email">): ConfirmEmailStep {
  const { account, replaces, device, fields, csrfToken = "", action } = page
  return {
    status: "confirm-email",
    ...(account !== undefined && { account }),
    ...(replaces !== undefined && { replaces }),
    ...(device !== undefined && { device }),
    fields,
    csrfToken,
    url: action,
  }
}

/** Codes that the error page reads from a parameter of its own. */
const preciseCodes: ReadonlySet<string> = new Set(["InvalidCheck", "SignOutError"])

function codeOfPage({ error = "Default", code }: PageOf<"error">): string {
  return code !== undefined && preciseCodes.has(code) ? code : error
}

function refused({ t }: FlowContext, code: string, url: string, details: Details = {}): Step {
  const error = errorOfCode(t, code, details)
  return { result: { status: "error", error, url }, status: statusOf(code, details.problem) }
}

type Redirect = Extract<AuthResult, { readonly kind: "redirect" }>

function stepOfRedirect(context: FlowContext, { to: url, meaning }: Redirect): Step {
  if (meaning?.status === "error") return stepOfError(context, { ...meaning, url })
  return step({ ...(meaning ?? { status: "redirect" }), url })
}

interface Refusal {
  readonly error: AuthError
  readonly field?: string | undefined
  /** The page that shows the error. */
  readonly url: string
}

function stepOfError(context: FlowContext, { error, field, url }: Refusal): Step {
  // The client caused these, so they aren't the fault of the server.
  if (error instanceof InvalidProvider || error instanceof UnknownAction) return refused(context, "InvalidRequest", url)
  const { auth, request, t } = context
  const problem = isSignInProblem(error.cause?.["problem"]) ? error.cause["problem"] : undefined
  const provider = auth.providers.get(request.providerId ?? "")?.name
  const shown = errorOf(t, error, { problem, provider, field })
  return { result: { status: "error", error: shown, url }, status: statusOf(shown.code, problem) }
}

type Json = Extract<AuthResult, { readonly kind: "json" }>

/** What a flow gets from `webauthn-options`. */
function passkeyStep(context: FlowContext, { body, status = 200 }: Json): Step {
  const { request, t } = context
  const url = toRoute(request, "signin")
  if (status === 403) return refused(context, "RecentSignInRequired", url)
  const field = textOf(request.query["email"]) === undefined ? "email" : undefined
  if (status !== 200) return refused(context, "InvalidRequest", url, { field })
  const { action, options } = body as Pick<PasskeyStep, "action" | "options">
  return step({ status: "passkey", action, options, messages: passkeyTexts(t) })
}
