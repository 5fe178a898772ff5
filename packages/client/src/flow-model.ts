import type {
  EmailSentStep,
  ErrorStep,
  FactorStep,
  FlowError,
  MethodsStep,
  RedirectStep,
  SignedInStep,
  SignedOutStep,
} from "@latchkey/core/types"

export type {
  CredentialsMethod,
  EmailCode,
  EmailMethod,
  EmailSentStep,
  ErrorStep,
  FactorStep,
  FlowError,
  FlowResult,
  MethodsStep,
  OAuthMethod,
  PasskeyMethod,
  RedirectStep,
  SignedInStep,
  SignedOutStep,
  SignInField,
  SignInMethod,
} from "@latchkey/core/types"

/** The values of a form. Values that aren't text are sent as JSON. */
export type FlowFields = FormData | Readonly<Record<string, unknown>>

export interface StepOptions {
  /** The id of the provider. @default the first one of the type that the step needs */
  readonly provider?: string | undefined
  /** Where the user goes after the sign-in. @default `callbackUrl` in the URL of the page, else the server decides */
  readonly redirectTo?: string | undefined
}

export interface MethodsOptions {
  /** Where the user goes after the sign-in. @default `callbackUrl` in the URL of the page */
  readonly callbackUrl?: string | undefined
  /** A code whose text to return as `error`. @default `error` in the URL of the page */
  readonly error?: string | undefined
}

export interface PasskeyStepOptions extends StepOptions {
  /** Offers passkeys in the browser's autofill, and resolves when the user selects one. @default false */
  readonly autofill?: boolean | undefined
  /** Cancels the request to the browser. Another passkey step cancels it too. */
  readonly signal?: AbortSignal | undefined
  /** Fields for the server, such as `email`. */
  readonly fields?: FlowFields | undefined
}

/** What a step of a sign-in can lead to. */
export type SignInResult = SignedInStep | RedirectStep | FactorStep | ErrorStep

/**
 * The steps of a sign-in. Each function resolves to a step, which you narrow by `status`. None of them throws for a refusal or
 * a failed network: `status` is `"error"` then, with the sentence for the user in `error.message`. `error.code` is the code of
 * the server, `ClientFetchError` if it didn't respond, or the name of a DOMException such as `NotAllowedError` for passkeys.
 *
 * After a sign-in or sign-out, the session of the client and of the other tabs is up to date.
 */
export interface Flow {
  /** What a sign-in page shows: the methods with their fields, and the error of an earlier attempt. */
  methods(options?: MethodsOptions): Promise<MethodsStep | ErrorStep>
  /** Signs in with a credentials provider, such as a name and a password. */
  password(fields: FlowFields, options?: StepOptions): Promise<SignInResult>
  /** Requests an email with a link, and maybe a code. */
  email(address: string, options?: StepOptions): Promise<EmailSentStep | RedirectStep | ErrorStep>
  /** The email that this browser requested last, for example after a reload. */
  emailSent(options?: Pick<StepOptions, "provider">): Promise<EmailSentStep | ErrorStep>
  /** Signs in with the code of an email that this browser requested. */
  code(code: string, options?: StepOptions): Promise<SignInResult>
  /** Signs in with a passkey. Without `autofill`, call it from a click handler: browsers require a user gesture. */
  passkey(options?: PasskeyStepOptions): Promise<SignInResult>
  /** Creates a passkey: for the user who is signed in, or as a new user with `email` in the fields. */
  createPasskey(fields?: FlowFields, options?: Omit<PasskeyStepOptions, "autofill" | "fields">): Promise<SignInResult>
  /** What the user has to prove next, if this browser has a sign-in that waits: after a reload, or on the page of `pages.factor`. */
  factor(): Promise<FactorStep | ErrorStep>
  /** Answers the factor. A wrong answer resolves to the same step, with `error`. */
  answerFactor(fields: FlowFields): Promise<SignInResult>
  /**
   * Answers a factor that has `passkey` with a passkey. `fields` are sent along, such as `trust`. Call it from a click handler:
   * browsers require a user gesture.
   */
  factorPasskey(step: FactorStep, options?: Pick<PasskeyStepOptions, "signal" | "fields">): Promise<SignInResult>
  /** Starts a sign-in at an OAuth provider. Pass the result to `follow`. */
  oauth(provider: string, options?: Pick<StepOptions, "redirectTo">): Promise<RedirectStep | ErrorStep>
  signOut(options?: Pick<StepOptions, "redirectTo">): Promise<SignedOutStep | ErrorStep>
  /** The text for a code in the URL of your page, which the server adds after a redirect. */
  error(code: string): Promise<FlowError>
  /** Goes to the `url` of a step. */
  follow(step: { readonly url: string }): void
}
