import { type AuthError, InvalidProvider, UnknownAction } from "../../../errors.js"
import { toRoute } from "../../../http/redirect.js"
import { languageOf } from "../../../i18n/language-of.js"
import type { AuthContext } from "../../../model/auth.js"
import type { FirstStep, Step, WithStep } from "../../../model/built-in-pages.js"
import type { ConfirmSignOutStep, FlowResult, MethodsStep, SignedOutStep } from "../../../model/flow.js"
import type { AuthRequest, AuthResult, Page } from "../../../model/http.js"
import { isSignInProblem } from "../../../model/signin-problem.js"
import { defined } from "../../../primitives/defined.js"
import { appName, ownPage } from "../../../html/site-link.js"
import { type FlowContext, type PageOf, viewOf } from "../../../html/view.js"
import { type Brought, loadViews } from "../brought.js"
import { signInPage } from "../endpoints.js"
import { knownWays } from "../known-ways.js"
import { errorOf, errorOfCode, statusOf } from "./error.js"
import { methodsOf } from "./methods.js"

/** @param errorPage the page that shows a failure */
export async function stepOf(
  brought: Brought,
  auth: AuthContext,
  request: AuthRequest,
  outcome: WithStep,
  errorPage = "",
): Promise<Step> {
  const context = await contextOf(brought, auth, request)
  switch (outcome.kind) {
    case "page":
      return stepOfPage(brought, context, outcome.page)
    case "redirect":
      return stepOfRedirect(context, outcome)
    case "failure":
      return stepOfError(context, { error: outcome.error, url: errorPage })
    case "json":
      return stepOfJson(context, outcome)
  }
}

/** The step of the sign-in page. */
export async function firstStepOf(brought: Brought, auth: AuthContext, request: AuthRequest): Promise<FirstStep> {
  const outcome = await signInPage(auth, request)
  if (outcome.kind !== "page" || outcome.page.name !== "signin") throw new TypeError("This isn't the sign-in page")
  const step = methodsStep(await contextOf(brought, auth, request), outcome.page)
  return { step, cookies: outcome.cookies }
}

async function contextOf(brought: Brought, auth: AuthContext, request: AuthRequest): Promise<FlowContext> {
  const { messages: t, tag: locale, direction } = await languageOf(auth, request)
  const views = await loadViews(brought, auth)
  return {
    auth,
    request,
    t,
    locale,
    direction,
    views,
    refused(code, url, details = {}) {
      const error = errorOfCode(t, code, details)
      return { result: { status: "error", error, url }, status: statusOf(code, details.problem) }
    },
  }
}

function step(result: FlowResult): Step {
  return { result, status: 200 }
}

async function stepOfPage(brought: Brought, context: FlowContext, page: Page): Promise<Step> {
  switch (page.name) {
    case "signin":
      return step(methodsStep(context, page))
    case "signout":
      return step(signOutStep(context, page))
    case "error":
      return context.refused(codeOfPage(page), toRoute(context.request, "error"), page)
    case "factor":
      return factorStep(context, page)
    case "module":
      return moduleStep(page)
    case "forward":
      return step({ status: "redirect", url: page.action, form: page.fields })
    default:
      return stepOfFeature(brought, context, page)
  }
}

async function stepOfFeature(
  { featurePages, accountSections }: Brought,
  context: FlowContext,
  page: Page,
): Promise<Step> {
  const found = await featurePages.find(({ name }) => name === page.name)?.load(accountSections)
  if (found === undefined) throw new TypeError(`No feature has the page "${page.name}"`)
  return found.stepOf(context, page)
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
  const { forgotPassword, createAccount, terms, privacy } = auth.pages
  const links = {
    forgotPassword: ownPage(request, forgotPassword),
    createAccount: ownPage(request, createAccount),
    terms: ownPage(request, terms),
    privacy: ownPage(request, privacy),
  }
  return {
    status: "methods",
    app: appName(context),
    language: { tag, direction },
    links: defined(links),
    csrfToken,
    callbackUrl,
    methods: methodsOf(context),
    ...(lastUsed !== undefined && { lastUsed }),
    ...(error !== undefined && {
      error: errorOfCode(context.t, error, { ...page, methods: knownWays(context, page) }),
    }),
  }
}

function signOutStep({ request }: FlowContext, page: PageOf<"signout">): ConfirmSignOutStep | SignedOutStep {
  const { csrfToken = "", callbackUrl, user } = page
  if (user === null) return { status: "signed-out", url: callbackUrl }
  const named = user?.label === undefined ? {} : { user: user.label }
  return { status: "confirm-sign-out", csrfToken, callbackUrl, ...named, url: toRoute(request, "signout") }
}

/** Codes that the error page reads from a parameter of its own. */
const preciseCodes: ReadonlySet<string> = new Set(["InvalidCheck", "SignOutError"])

function codeOfPage({ error = "Default", code }: PageOf<"error">): string {
  return code !== undefined && preciseCodes.has(code) ? code : error
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
  if (error instanceof InvalidProvider || error instanceof UnknownAction) return context.refused("InvalidRequest", url)
  const { auth, request, t } = context
  const problem = isSignInProblem(error.cause?.["problem"]) ? error.cause["problem"] : undefined
  const provider = auth.providers.get(request.providerId ?? "")?.name
  const shown = errorOf(t, error, { problem, provider, field })
  return { result: { status: "error", error: shown, url }, status: statusOf(shown.code, problem) }
}

type Json = Extract<AuthResult, { readonly kind: "json" }>

function stepOfJson(context: FlowContext, outcome: Json): Step {
  const { auth, request } = context
  const provider = auth.providers.get(request.providerId ?? "")
  const step = provider && viewOf(context, provider).optionsStep?.(context, outcome)
  if (step === undefined) throw new TypeError(`Flows get no JSON from the route "${request.action}"`)
  return step
}
