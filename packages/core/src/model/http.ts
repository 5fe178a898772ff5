import type { AuthError } from "../errors.js"
import type { AccountOverview } from "./account.js"
import type { SetCookie } from "./cookie.js"
import type { Params } from "./http-params.js"
import type { FactorForm, ModulePage } from "./module-content.js"
import type { EmailSentStep, FactorStep, RequestingDevice } from "./flow.js"
import type { SignInProblem } from "./signin-problem.js"
import type { SchemeContext } from "./session-strategy.js"
import type { ClientSignal } from "../primitives/runtime.js"
import type { Awaitable } from "./user.js"

/** First path segments of the built-in routes. */
export type AuthAction =
  | "account"
  | "callback"
  | "csrf"
  | "error"
  | "providers"
  | "session"
  | "signin"
  | "signout"
  | "verify-request"
  | "webauthn-options"

export type { Params }

/** A URL from `http/redirect.ts`, which checks where redirects lead. Only such a URL can be redirected to. */
export type SafeUrl = string & { readonly [safe]: true }
declare const safe: unique symbol

/** Cookies of the request by name. Of several with one name, the first. */
export type Cookies = ReadonlyMap<string, string>

/** The part of a request that an integration must know to read the session. */
export interface Visitor {
  readonly headers: Headers
  /** The method of the request. With `forwardsForms`, an update by a form of another site is refused. */
  readonly method?: string
  /** Replaces the `Cookie` header, if the framework also knows cookies that were set earlier in this request. */
  readonly cookie?: string | undefined
  /** Scheme and host as the framework sees them. @default from `AUTH_URL` or the `Host` header */
  readonly origin?: string | undefined
  /** The IP address of the connection, for rate limits. A private one is ignored. */
  readonly address?: string | undefined
  /** Whether `address` may be from a header, which a client can write itself. @default false */
  readonly isAddressForgeable?: boolean | undefined
  /** Path and query of the page, to which a sign-in or sign-out returns. @default the page in the `Referer` header */
  readonly page?: string | undefined
}

/** The part of a `Request` that the engine reads. */
export interface PlainRequest extends Pick<Request, "method" | "url" | "headers"> {
  /** Bytes, if the framework has read them. */
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>> | Uint8Array<ArrayBuffer> | null
  readonly signal?: ClientSignal
}

/** What a `Response` is made from, for servers that don't need one. */
export interface PlainResponse {
  readonly status: number
  /** Without `Set-Cookie`. The names are in lowercase. */
  readonly headers: Params
  /** Values of `Set-Cookie`. @default none */
  readonly cookies?: readonly string[]
  readonly body: string | null
}

/** A route below the base path: `/signin/github` is the action `signin` with the provider id `github`. */
export interface RoutePath {
  /** A module's route has its own name here. */
  readonly action: string
  readonly providerId: string | undefined
}

/** The part of a request that a session is read from. */
export type SessionRequest = Pick<AuthRequest, "scheme" | "cookies" | "omitsCookies" | "headers" | "origin"> &
  Partial<Pick<AuthRequest, "action">>

/** One request to the engine: parsed once, read-only. */
export interface AuthRequest extends RoutePath {
  /** Only routes of modules get others than `GET`, `POST` and `HEAD`. */
  readonly method: "GET" | "POST" | "HEAD" | "PUT" | "PATCH" | "DELETE" | "OPTIONS"
  /** Scheme, host and port of this deployment, without a trailing slash. */
  readonly origin: string
  /** Origin and base path: `https://app.test/auth`. */
  readonly base: string
  /** Cookie names, flags and keys for http or https. */
  readonly scheme: SchemeContext
  readonly headers: Headers
  /** The IP address of the connection, if the integration knows it. Behind a proxy, that of the proxy. */
  readonly peer?: string | undefined
  readonly isPeerForgeable?: boolean | undefined
  /** Aborts when the client goes away, if the framework knows that. A function, because Node makes a signal on first access. */
  readonly clientSignal: () => ClientSignal | undefined
  readonly cookies: Cookies
  /** The request has more cookies, or longer ones, than are read. */
  readonly omitsCookies?: boolean
  readonly query: Params
  /** Parameters of the authorization request from the application's own server code, not from a browser. */
  readonly authorizationParams?: Params | undefined
  /** The parsed form or JSON body. The prototype is `null`. */
  readonly body: Readonly<Record<string, unknown>>
  readonly csrf: Csrf
  /** The response is a step of a flow as JSON: see `model/flow.ts`. */
  readonly wantsFlow?: boolean | undefined
  /** Path and query, for the `Request` that callbacks get. */
  readonly path: string
}

/** Protection against cross-site request forgery. */
export interface Csrf {
  /** Whether the request was sent from this site, not forged by another one. */
  verified(): Awaitable<boolean>
  /** The token for forms, and its cookie if that is new. `value` is `undefined` if checks are off. */
  token(): Awaitable<{ readonly value: string | undefined; readonly cookies: readonly SetCookie[] }>
}

/** The latest sign-in with a form of the built-in page, for the next page that this browser opens. */
export interface Attempt {
  /** ID of the provider. */
  readonly provider: string
  /** What the user typed, without secrets such as passwords. */
  readonly fields: Params
  /** When an email was sent, in milliseconds since 1970. `undefined`: the sign-in was refused. */
  readonly sentAt: number | undefined
  /** The email was sent to this address before, in this browser. */
  readonly again?: boolean
}

/** An email that this browser requested, and what's needed to request it again. */
export interface SentEmail {
  /** ID of the provider. */
  readonly provider: string
  readonly email: string
  /** Milliseconds since 1970. */
  readonly sentAt: number
  readonly again: boolean
  readonly callbackUrl: string
  readonly csrfToken: string | undefined
}

/** The form for the code of an email. */
export interface CodeForm {
  readonly action: string
  readonly csrfToken: string | undefined
  readonly callbackUrl: string | undefined
  /** Every code consists of digits. */
  readonly digits: boolean
  /** The length of every code. `undefined`: they differ. */
  readonly length?: number | undefined
  /** The length of the longest code. */
  readonly longest?: number | undefined
}

/** Who is signed in, for the sign-out page. */
export interface SignedInUser {
  /** The email, or else the name. */
  readonly label: string | undefined
}

/** What a form of the account page did. */
export interface AccountStatus {
  readonly done:
    | "profile-changed"
    | "renamed"
    | "passkey-removed"
    | "disconnected"
    | "session-ended"
    | "others-ended"
    | "email-sent"
    | "email-changed"
    | "deleted"
  /** The new email that a link was sent to. */
  readonly email?: string
}

/** Why a form of the account page was refused, in its URL. */
export type AccountErrorCode =
  | "AccountNotLinked"
  | "EmailSignin"
  | "Failed"
  | "InvalidProfile"
  | "LastSignInMethod"
  | "MissingCSRF"
  | "NotConfirmed"
  | "PasskeyInUse"
  | "RateLimited"
  | "RecentSignInRequired"
  | "Verification"

/** The built-in pages. */
export type Page =
  | {
      readonly name: "signin"
      readonly error: string | undefined
      readonly problem?: SignInProblem | undefined
      /** The name of the provider at which it failed. */
      readonly provider?: string | undefined
      readonly id?: string | undefined
      readonly email: string | undefined
      readonly callbackUrl: string
      readonly csrfToken: string | undefined
      readonly attempt?: Attempt | undefined
      /** ID of the provider that this browser signed in with last. */
      readonly lastUsed?: string | undefined
      /** IDs of the providers that the user can sign in with, instead of the one that failed. */
      readonly ways?: readonly string[] | undefined
    }
  | {
      readonly name: "signout"
      readonly csrfToken: string | undefined
      readonly callbackUrl: string
      /** `null`: no user is signed in. `undefined`: the session can't be read. */
      readonly user?: SignedInUser | null | undefined
      /** Whether every session of the user can be ended. */
      readonly canEndAll?: boolean
    }
  | {
      readonly name: "error"
      readonly error: string | undefined
      readonly code?: string | undefined
      readonly problem?: SignInProblem | undefined
      readonly provider?: string | undefined
      readonly id?: string | undefined
      readonly detail?: string | undefined
      /** Names the session that a sign-out couldn't end, sealed. */
      readonly ending?: string | undefined
      readonly retry?: Retry | undefined
      readonly csrfToken?: string | undefined
    }
  | {
      readonly name: "verify-request"
      readonly error?: string | undefined
      /** Missing if this browser has no pending sign-in. */
      readonly form?: CodeForm | undefined
      /** Only if an email was sent. */
      readonly sent?: SentEmail | undefined
    }
  | {
      readonly name: "confirm-email"
      /** The email of the account, masked. */
      readonly account?: string | undefined
      /** The user who is signed in and would be replaced, masked. Empty: a user without an email. */
      readonly replaces?: string | undefined
      readonly device?: RequestingDevice | undefined
      readonly action: string
      readonly fields: Params
      readonly csrfToken: string | undefined
    }
  | {
      readonly name: "account"
      /** `undefined`: the account was deleted. */
      readonly overview: AccountOverview | undefined
      readonly csrfToken: string | undefined
      readonly status: AccountStatus | undefined
      readonly error: AccountErrorCode | undefined
      /** The parameters of a link that confirms a new email. They haven't been checked. */
      readonly link: { readonly token: string; readonly email: string } | undefined
    }
  | {
      readonly name: "factor"
      readonly form: FactorForm
      readonly step: Omit<FactorStep, "url">
      /** Why the last answer was refused, for the user. */
      readonly error: string | undefined
      /** Of the module. */
      readonly script: string | undefined
    }
  | {
      readonly name: "module"
      readonly module: string
      readonly shown: ModulePage
      readonly csrfToken: string | undefined
      readonly script: string | undefined
    }
  | { readonly name: "forward"; readonly action: SafeUrl; readonly fields: Params }

/** A form that starts a sign-in at a provider again. */
export interface Retry {
  /** ID of the provider. */
  readonly provider: string
  readonly callbackUrl: string | undefined
  /** The account is to become one of the user who is signed in. */
  readonly link: boolean
}

/** What a redirect means in a flow. */
export type RedirectMeaning =
  | { readonly status: "signed-in" | "signed-out" }
  | Omit<EmailSentStep, "url">
  | Omit<FactorStep, "url">
  | { readonly status: "error"; readonly error: AuthError; readonly field?: string }

export type AuthResult =
  | {
      readonly kind: "redirect"
      readonly to: SafeUrl
      readonly cookies: readonly SetCookie[]
      /** @default the flow continues at `to` */
      readonly meaning?: RedirectMeaning | undefined
      /** In lowercase. */
      readonly headers?: Params | undefined
    }
  | {
      readonly kind: "json"
      readonly body: unknown
      readonly status?: number
      readonly cookies: readonly SetCookie[]
      readonly headers?: Params
    }
  | { readonly kind: "page"; readonly page: Page; readonly status?: number; readonly cookies: readonly SetCookie[] }
  | { readonly kind: "failure"; readonly error: AuthError; readonly cookies: readonly SetCookie[] }
  | {
      readonly kind: "empty"
      readonly status: number
      readonly cookies: readonly SetCookie[]
      readonly headers?: Params
    }

export type Handler<A> = (auth: A, request: AuthRequest) => Awaitable<AuthResult>

/** The result of `Auth()` with `raw`. */
export interface ResponseInternal {
  readonly status?: number
  readonly headers?: Headers
  readonly body?: unknown
  readonly redirect?: string
  readonly cookies?: readonly SetCookie[]
}
