import type { Block, PageBlock, PasskeyButton } from "./module-content.js"
import type { AccountOverview } from "./account.js"
/** One field of a sign-in form: the attributes of its `<input>`, and its label. */
export interface SignInField {
  readonly name: string
  readonly label: string
  /** Such as `"text"`, `"email"`, `"password"` or `"hidden"`. */
  readonly type: string
  readonly required: boolean
  readonly autocomplete?: string
  readonly placeholder?: string
  readonly value?: string
  /** Further attributes in the spelling of HTML, such as `minlength`. */
  readonly attributes?: Readonly<Record<string, string | number | boolean>>
}

interface MethodOf<T extends string> {
  /** The id of the provider. */
  readonly id: string
  readonly type: T
  /** The name of the provider. */
  readonly name: string
  /** The text of the button, in the user's language. */
  readonly label: string
  /** Send a `POST` with the fields, `csrfToken` and `callbackUrl` here. */
  readonly url: string
  readonly fields: readonly SignInField[]
  /** The text that opens its form in place of the one that is open, in the user's language. */
  readonly instead: string
  /** The URL of an image for `<img src>`, which may be a data URL. */
  readonly logo?: string
  /** The same for a dark background, if it's another one. */
  readonly logoDark?: string
  /** `logo` as paths on a canvas of 24 × 24, unless the configuration has an image. */
  readonly icon?: readonly IconPath[]
}

/** A path of an icon (SVG 2 §9.3). */
export interface IconPath {
  readonly d: string
  /** Its color. @default the color of the text */
  readonly fill?: string
}

/** Sign-in at a provider. The response is a redirect. */
export type OAuthMethod = MethodOf<"oauth" | "oidc">
/** A link or code by email. The field is `email`. */
export type EmailMethod = MethodOf<"email">
/** A password or anything else that `authorize` checks. */
export type CredentialsMethod = MethodOf<"credentials">

/** Passkeys. The fields are sent to `optionsUrl` as its query, with `action`. */
export interface PasskeyMethod extends MethodOf<"webauthn"> {
  /** A `GET` returns the options for `navigator.credentials`. */
  readonly optionsUrl: string
  /** Offer passkeys in the browser's autofill. */
  readonly autofill: boolean
  /** A visitor can create an account with a passkey. */
  readonly signUp?: { readonly label: string }
}

/** A way to sign in. `type` says which fields it has. */
export type SignInMethod = OAuthMethod | EmailMethod | CredentialsMethod | PasskeyMethod

/** Why a step was refused. */
export interface FlowError {
  /** Such as `"CredentialsSignin"` or `"RateLimited"`: see the list of codes in `docs/headless.md`. */
  readonly code: string
  /** A sentence for the user, in the user's language. */
  readonly message: string
  /** The name of the field that it belongs to. */
  readonly field?: string
  /** Seconds until the next attempt is allowed. */
  readonly retryAfter?: number
  /**
   * The `code` of the `CredentialsSignin` that `authorize` threw, or what is known about another error: `"unreachable"` if the
   * provider is out of order, so the user may try again. See the list in `docs/headless.md`.
   */
  readonly reason?: string
  /** Names this occurrence in the log of the server. */
  readonly id?: string
}

/** GET signin: what a sign-in page shows. */
export interface MethodsStep {
  readonly status: "methods"
  /** The name of the application. */
  readonly app: string
  /** The language of all texts. */
  readonly language: { readonly tag: string; readonly direction: "ltr" | "rtl" }
  /** The URLs of these options of `pages`. */
  readonly links: {
    readonly forgotPassword?: string
    readonly createAccount?: string
    readonly terms?: string
    readonly privacy?: string
  }
  /** Empty if the application checks the sender of requests itself. */
  readonly csrfToken: string
  /** Where the user goes after the sign-in. */
  readonly callbackUrl: string
  readonly methods: readonly SignInMethod[]
  /** The id of the method that the user signed in with last time, in this browser. */
  readonly lastUsed?: string
  /** The `error` in the query of the request. */
  readonly error?: FlowError
}

/** The user is signed in, and the response has set the session cookie. */
export interface SignedInStep {
  readonly status: "signed-in"
  /** Where the user goes next. */
  readonly url: string
}

/** The flow continues at another page: a provider, or a page that the application chose. */
export interface RedirectStep {
  readonly status: "redirect"
  readonly url: string
  /** If it's there, submit a form with these hidden fields to `url` (method `POST`) instead of opening it. */
  readonly form?: Readonly<Record<string, string>>
}

/** An email with a link, and maybe a code, is on its way. */
export interface EmailSentStep {
  readonly status: "email-sent"
  /** As the user typed it, normalized. */
  readonly email: string
  /** The id of the provider. */
  readonly provider: string
  /** Seconds for which the link works. */
  readonly expiresIn: number
  /** Seconds after which to offer to send another email. */
  readonly resendIn: number
  /** If it's there, the email also has a code. Send it as `code` in a `POST` to `url`, from the same browser. */
  readonly code?: EmailCode | undefined
  /** The page that tells the user to look for the email. */
  readonly url: string
}

/** The code in an email. */
export interface EmailCode {
  /** The length of the longest one, if this browser requested several. */
  readonly length: number
  /** It has only digits. */
  readonly digits: boolean
  readonly url: string
}

/** What requested an email link, in words of ours. */
export interface RequestingDevice {
  readonly browser?: string
  readonly system?: string
  readonly secondsAgo: number
}

/** The user has to prove something else, such as a code of an app. Send a `POST` with the fields and `csrfToken`. */
export interface FactorStep {
  readonly status: "factor"
  /** The id of the module whose factor it is. */
  readonly factor: string
  readonly title: string
  readonly text?: string
  /** What to show above the fields, such as a QR code. */
  readonly blocks?: readonly Block[]
  readonly fields: readonly SignInField[]
  /** The text of the button. */
  readonly submit: string
  /** Texts of further buttons, by the value of the field `action` that each sends, without the other fields. */
  readonly actions?: Readonly<Record<string, string>>
  /** Another button: a passkey answers, too. Send it as the field `passkey`. */
  readonly passkey?: PasskeyButton & Pick<PasskeyStep, "messages">
  readonly csrfToken: string
  /** Send the `POST` here. */
  readonly url: string
  /** The last answer was wrong. */
  readonly error?: FlowError
}

/** A page of a module. */
export interface ModuleStep {
  readonly status: "page"
  /** The id of the module. */
  readonly module: string
  readonly title: string
  readonly blocks: readonly PageBlock[]
  readonly csrfToken: string
  readonly error?: FlowError
}

/** A link was opened in another browser than the one that requested it: ask the user, then send `fields` and `csrfToken`. */
export interface ConfirmEmailStep {
  readonly status: "confirm-email"
  /** The email of the account, masked. */
  readonly account?: string
  /** The user who is signed in and would be replaced, masked. Empty: a user without an email. */
  readonly replaces?: string
  /** What requested the link. */
  readonly device?: RequestingDevice
  readonly fields: Readonly<Record<string, string>>
  readonly csrfToken: string
  /** Send a `POST` here. */
  readonly url: string
}

/** GET signout with a session: ask the user, then send a `POST` with `csrfToken` and `callbackUrl`. */
export interface ConfirmSignOutStep {
  readonly status: "confirm-sign-out"
  readonly csrfToken: string
  readonly callbackUrl: string
  /** The email or the name of the user. */
  readonly user?: string
  /** Send the `POST` here. */
  readonly url: string
}

/** No user is signed in anymore. */
export interface SignedOutStep {
  readonly status: "signed-out"
  /** Where the user goes next. */
  readonly url: string
}

/** GET webauthn-options: what `navigator.credentials` needs, with binary values as base64url. */
export interface PasskeyStep {
  readonly status: "passkey"
  readonly action: "authenticate" | "register"
  readonly options: Readonly<Record<string, unknown>>
  /** Sentences for the user, by the name of the DOMException of `navigator.credentials`. */
  readonly messages: Readonly<Record<string, string>>
}

/** GET account: what belongs to the user. Send the forms of the account page as a `POST` with `csrfToken` and `action`. */
export interface AccountStep {
  readonly status: "account"
  /** `undefined`: the account was deleted. */
  readonly overview: AccountOverview | undefined
  readonly csrfToken: string
  /** Send the `POST` here. */
  readonly url: string
}

/** POST account: the form was carried out. */
export interface AccountChangedStep {
  readonly status: "account-changed"
  /** What was done, such as `"passkey-removed"`. */
  readonly done: string
  /** The new email that a link was sent to. */
  readonly email?: string
}

/** The step was refused. The HTTP status is 400 or above. */
export interface ErrorStep {
  readonly status: "error"
  readonly error: FlowError
  /** The page that shows the error. */
  readonly url: string
}

/** The answer to a request with `Accept: application/json`. Narrow it by `status`. */
export type FlowResult =
  | MethodsStep
  | SignedInStep
  | RedirectStep
  | EmailSentStep
  | FactorStep
  | ConfirmEmailStep
  | ConfirmSignOutStep
  | SignedOutStep
  | PasskeyStep
  | ErrorStep
