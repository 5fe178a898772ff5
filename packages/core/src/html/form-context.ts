import type { Messages } from "../i18n/messages.js"
import type { Attempt, AuthRequest } from "../model/http.js"
import type { ResolvedProvider } from "../model/signin.js"
import type { Html } from "./html.js"

/** What the forms of the sign-in page are rendered from. */
export interface FormContext {
  readonly request: AuthRequest
  readonly t: Messages
  /** Tag of the language. */
  readonly locale: string
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
  /** ID of the passkey provider that uses the browser's autofill. */
  readonly autofill: string | undefined
  /** A visitor can sign up with a passkey. */
  readonly passkeySignUp: boolean
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
