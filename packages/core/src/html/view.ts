import type { Messages } from "../i18n/messages.js"
import type { AuthContext } from "../model/auth.js"
import type { Step } from "../model/built-in-pages.js"
import type { CaptchaWidget } from "../model/captcha.js"
import type { SignInMethod } from "../model/flow.js"
import type { Attempt, AuthRequest, AuthResult, Page } from "../model/http.js"
import type { ResolvedProvider } from "../model/signin.js"
import type { SignInProblem } from "../model/signin-problem.js"
import type { Html } from "./html.js"
import type { Image } from "./image.js"

export type PageOf<Name extends Page["name"]> = Extract<Page, { readonly name: Name }>

/** What every page is rendered from. */
export interface PageContext {
  readonly auth: AuthContext
  readonly request: AuthRequest
  readonly t: Messages
  /** Tag of the language, for `Intl`. */
  readonly locale: string
  readonly views: Views
}

/** A page without the HTML document around it. */
export interface View {
  readonly title: string
  /** Class of the `<main>` element. */
  readonly root: string
  readonly status: number
  readonly content: Html
  readonly images: readonly Image[]
  /** CSS rules that only this page needs. */
  readonly rules: string
  readonly script?: string | undefined
  /** The script sends requests to this site. */
  readonly connects?: boolean
  /** What shows the CAPTCHA of a form. */
  readonly captcha?: CaptchaWidget | undefined
  /** @default "same-origin" */
  readonly referrer?: "strict-origin"
  /** Sources for `form-action`, redirects included; `undefined` if the CSP grammar can't express them. */
  readonly formTargets: readonly string[] | undefined
}

/** How a page looks. */
export interface PageView<P extends Page = Page> {
  /** @param script what {@link PageView.script} named */
  render(context: PageContext, page: P, script: string | undefined): View
  /** The script that improves the page: that of all pages, or that of a provider before it. @default none */
  script?(page: P, context: Pick<PageContext, "auth" | "views">): "page" | "provider" | undefined
}

/** A page that a feature brings, and the step that a flow gets instead. */
export interface FeaturePageView<P extends Page = Page> extends PageView<P> {
  stepOf(context: FlowContext, page: P): Step
}

/** What every step is made from. */
export interface FlowContext extends PageContext {
  readonly direction: "ltr" | "rtl"
  /** @param url the page that shows the error */
  readonly refused: (code: string, url: string, details?: Details) => Step
}

/** What is known about an error besides its code. */
export interface Details {
  readonly problem?: SignInProblem | undefined
  /** The name of the provider. */
  readonly provider?: string | undefined
  readonly id?: string | undefined
  readonly field?: string | undefined
  /** What the user can sign in with, such as "GitHub or Email". */
  readonly methods?: string | undefined
}

/** By the type of the providers. */
export type Views = ReadonlyMap<string, ProviderView>

/** What the texts of a provider depend on. */
export type LabelContext = Pick<PageContext, "t" | "locale" | "views"> & {
  /** Every provider on the page. */
  readonly providers: readonly ResolvedProvider[]
}

/** What pages and flows say of the providers of a type. */
export interface ProviderView<P extends ResolvedProvider = ResolvedProvider> {
  /** Whether the sign-in page has it. Otherwise, the application has a page for it. @default true */
  isOnPage?(provider: P): boolean
  /** Sources for `form-action`. Without them, a sign-in doesn't leave the site. */
  targets?(provider: P): readonly string[]
  form(provider: P, context: FormContext): Html
  /** Whether the user fills something in. @default if the sign-in doesn't leave the site */
  isForm?(provider: P, context: Pick<FormContext, "auth" | "providers" | "views">): boolean
  /** Beside the text that opens the form. */
  readonly icon?: Html
  /** CSS rules of the forms. */
  readonly rules?: string
  /** The text of the button. @default "Sign in with" and the name */
  label?(provider: P, context: LabelContext): string | undefined
  /** The text that opens the form in place of another one, if there's one provider of this type. @default the name */
  instead?(provider: P, t: Messages): string | undefined
  /** What a sentence calls it. @default the name */
  noun?(provider: P, t: Messages): string | undefined
  /** The error that leads back to the form, and the input that it's about. */
  readonly failure?: { readonly error: string; input(provider: P): string | undefined }
  /** The first form of this type gets the focus. */
  readonly takesFocus?: boolean
  /** Whether the browser's autofill signs in. */
  usesAutofill?(provider: P): boolean
  /** The script sends requests to this site. */
  readonly connects?: boolean
  /** Runs before the script of all pages. */
  script?(): Promise<string>
  method(provider: P, context: MethodContext): OwnMethod
  /** What a flow gets instead of the JSON of a route of the provider. */
  optionsStep?(context: FlowContext, outcome: JsonResult): Step
}

type JsonResult = Extract<AuthResult, { readonly kind: "json" }>

/** What differs between the methods of a flow. */
type OwnMethod<M extends SignInMethod = SignInMethod> = M extends SignInMethod
  ? Omit<M, "id" | "name" | "label" | "instead" | "logo" | "logoDark" | "icon">
  : never

/** What the methods of a flow are made from. */
export interface MethodContext extends PageContext {
  readonly providers: readonly ResolvedProvider[]
  /** ID of the provider that uses the browser's autofill. */
  readonly autofill: string | undefined
}

/** What the forms of the sign-in page are rendered from. */
export interface FormContext extends PageContext {
  /** Every provider on the page. */
  readonly providers: readonly ResolvedProvider[]
  readonly callbackUrl: string
  readonly csrfToken: string | undefined
  readonly email: string | undefined
  /** The latest attempt of this browser. */
  readonly attempt: Attempt | undefined
  /** The input that the error is about. */
  readonly failure: Failure | undefined
  /** The error, for its place beside the input. */
  readonly error: Html | undefined
  /** ID of the provider whose first input gets the focus. */
  readonly focused: string | undefined
  /** ID of the provider whose form is open. `undefined`: the page has only one. */
  readonly open: string | undefined
  /** ID of the provider that uses the browser's autofill. */
  readonly autofill: string | undefined
  /** URL of the application's own page. */
  readonly forgotPassword: string | undefined
  /** Element IDs already used on this page. */
  readonly ids: Set<string>
}

/** The input that the error of the page is about. */
export interface Failure {
  /** ID of the provider. */
  readonly provider: string
  readonly input: string
}

export function viewOf({ views }: Pick<PageContext, "views">, { type }: Pick<ResolvedProvider, "type">): ProviderView {
  const found = views.get(type)
  if (found === undefined) throw new TypeError(`No feature shows providers of the type "${type}"`)
  return found
}

export function isOnPage(context: Pick<PageContext, "views">, provider: ResolvedProvider): boolean {
  return viewOf(context, provider).isOnPage?.(provider) ?? true
}

export function leavesSite(context: Pick<PageContext, "views">, provider: ResolvedProvider): boolean {
  return viewOf(context, provider).targets !== undefined
}

/** Where a sign-in leads to. Empty: it doesn't leave the site. */
export function targetsOf(context: Pick<PageContext, "views">, provider: ResolvedProvider): readonly string[] {
  return viewOf(context, provider).targets?.(provider) ?? []
}

/** Whether the provider has inputs of which the user needs some to sign in. */
export function isForm(
  provider: ResolvedProvider,
  context: Pick<FormContext, "auth" | "providers" | "views">,
): boolean {
  return viewOf(context, provider).isForm?.(provider, context) ?? !leavesSite(context, provider)
}

/** ID of the provider that uses the browser's autofill. */
export function autofillOf(
  context: Pick<PageContext, "views">,
  providers: readonly ResolvedProvider[],
): string | undefined {
  return providers.find((each) => viewOf(context, each).usesAutofill?.(each))?.id
}
