import type { I18nOptions } from "../i18n/options.js"
import type { Runtime } from "../primitives/runtime.js"
import type { SetCookie } from "./cookie.js"
import type { AccountStep, ErrorStep, FlowResult, MethodsStep, ModuleStep } from "./flow.js"
import type { AuthRequest, AuthResult, Page } from "./http.js"
import type { Logger } from "./logger.js"
import type { Theme } from "./pages.js"

/** The built-in pages, and what flows get instead. Each part loads on first use. */
export interface BuiltInPages<A> {
  render(auth: A, request: AuthRequest, page: Page): Promise<RenderedPage>
  /** A page for a browser whose request no route answers. */
  refuse(site: RefusalSite, request: SeenRequest, refusal: Refusal): Promise<RenderedPage>
  /** @param errorPage the page that shows a failure */
  step(auth: A, request: AuthRequest, outcome: WithStep, errorPage: string | undefined): Promise<Step>
  /** What a flow gets if no route answers its request. */
  refusedStep(site: RefusalSite, request: RefusedRequest, status: number): Promise<ErrorStep>
  /** What a sign-in page shows, with the cookies to set. */
  firstStep(auth: A, request: AuthRequest): Promise<FirstStep>
}

export interface RenderedPage {
  readonly html: string
  readonly status: number
  /** The value of `Content-Security-Policy`. */
  readonly csp: string
  readonly nonce: string
}

/** The part of a request that a refusal depends on. */
export type SeenRequest = Pick<AuthRequest, "headers" | "cookies">

interface RefusedRequest extends SeenRequest {
  /** For the developer of a client. */
  readonly reason: string | undefined
}

/** A request that no route answers, or a site whose configuration can't be used. */
export interface Refusal {
  readonly status: number
  /** The error ID that is also in the log. */
  readonly id?: string | undefined
  /** What is wrong, in development. */
  readonly detail?: string | undefined
}

/** What the page for a refusal needs of its site. */
export interface RefusalSite {
  readonly theme: Theme
  /** `undefined`: the host of the request isn't trusted, or the configuration doesn't say it. */
  readonly origin: string | undefined
  readonly basePath: string
  readonly i18n: I18nOptions
  readonly logger: Logger
  readonly nonce: ((request: { readonly headers: Headers }) => string | undefined) | undefined
  readonly runtime: Runtime
}

/** A step of a flow, and the status of its response. */
export interface Step {
  readonly result: FlowResult | AccountStep | ModuleStep
  readonly status: number
}

/** A result that flows get in another shape. */
export type WithStep = Exclude<AuthResult, { readonly kind: "empty" }>

/** What a sign-in page shows, with the cookies to set. */
export interface FirstStep {
  readonly step: MethodsStep
  readonly cookies: readonly SetCookie[]
}
