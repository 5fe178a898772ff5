import type { AuthError } from "../errors.js"
import type { SetCookie } from "./cookie.js"
import type { SchemeContext } from "./session-strategy.js"
import type { Awaitable } from "./user.js"

/** The actions of spec/http.md §2. */
export type AuthAction =
  | "callback"
  | "csrf"
  | "error"
  | "providers"
  | "session"
  | "signin"
  | "signout"
  | "verify-request"
  | "webauthn-options"

/** A URL that passed `http/redirect.ts`; nothing else can be redirected to. */
export type SafeUrl = string & { readonly [safe]: true }
declare const safe: unique symbol

/** Decoded parameters of a query or a body; the prototype is `null`. */
export type Params = Readonly<Record<string, string>>

/** Cookies of the request by name; the first of equal names. */
export type Cookies = ReadonlyMap<string, string>

/** What an integration knows of a request: enough to read its session. */
export interface Visitor {
  readonly headers: Headers
  /** The `Cookie` header, where the framework knows more than `headers` does: a cookie set earlier in this request. */
  readonly cookie?: string | undefined
  /** Scheme and host as the framework sees them. @default from `AUTH_URL` or the `Host` header */
  readonly origin?: string | undefined
  /** The IP address of the connection, for rate limits. Private addresses aren't counted. */
  readonly address?: string | undefined
}

/** A route below the base path: `/signin/github` is the action `signin` with the provider id `github`. */
export interface RoutePath {
  /** A module's route has its own name here. */
  readonly action: string
  readonly providerId: string | undefined
}

/** The part of a request that a session is read from. */
export type SessionRequest = Pick<AuthRequest, "scheme" | "cookies" | "headers" | "origin">

/** One request to the engine: parsed once, read-only. */
export interface AuthRequest extends RoutePath {
  readonly method: "GET" | "POST" | "HEAD"
  /** Scheme, host and port of this deployment, without a trailing slash. */
  readonly origin: string
  /** Origin and base path: `https://app.test/auth`. */
  readonly base: string
  /** The names, keys and flags that go with this scheme. */
  readonly scheme: SchemeContext
  readonly headers: Headers
  /** The network address at the other end, if the integration knows it; a proxy's where there is one. */
  readonly peer?: string | undefined
  readonly cookies: Cookies
  readonly query: Params
  /** Parsed form or JSON body; nested values only from JSON. The prototype is `null`. */
  readonly body: Readonly<Record<string, unknown>>
  readonly csrf: Csrf
  /** The path below the origin with its query, for `Request`s handed to user functions. */
  readonly path: string
}

/** Whether the request came from one of our own pages, and the token by which the next one can tell. */
export interface Csrf {
  /** The sender cannot have been another site. */
  verified(): Awaitable<boolean>
  /** The token to put into forms, with the cookie that goes with it if that is new; `undefined` when checks are off. */
  token(): Awaitable<{ readonly value: string | undefined; readonly cookies: readonly SetCookie[] }>
}

/** Where a code is typed that came by mail. */
export interface CodeForm {
  readonly action: string
  readonly csrfToken: string | undefined
  /** Where it leads in the end, if that is known. */
  readonly callbackUrl: string | undefined
  /** All codes have digits alone. */
  readonly digits: boolean
}

/** Pages that are built in; each loaded on first use. */
export type Page =
  | {
      readonly name: "signin"
      readonly error: string | undefined
      readonly email: string | undefined
      readonly callbackUrl: string
      readonly csrfToken: string | undefined
    }
  | { readonly name: "signout"; readonly csrfToken: string | undefined; readonly callbackUrl: string }
  | {
      readonly name: "error"
      readonly error: string | undefined
      readonly code?: string | undefined
      readonly id?: string | undefined
      readonly detail?: string | undefined
    }
  | {
      readonly name: "verify-request"
      readonly error?: string | undefined
      /** For typing the code; none where this browser has nothing to type it for. */
      readonly form?: CodeForm | undefined
    }
  | {
      readonly name: "confirm-email"
      readonly action: string
      readonly fields: Params
      readonly csrfToken: string | undefined
    }
  | { readonly name: "forward"; readonly action: SafeUrl; readonly fields: Params }

export type AuthResult =
  | { readonly kind: "redirect"; readonly to: SafeUrl; readonly cookies: readonly SetCookie[] }
  | {
      readonly kind: "json"
      readonly body: unknown
      readonly status?: number
      readonly cookies: readonly SetCookie[]
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

/** What `raw` callers get (spec/http.md §9). */
export interface ResponseInternal {
  readonly status?: number
  readonly headers?: Headers
  readonly body?: unknown
  readonly redirect?: string
  readonly cookies?: readonly SetCookie[]
}
