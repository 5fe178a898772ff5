import type { ProviderType, Session } from "@latchkey/core/types"

/** What is known of the session at one moment; never changed, only replaced. */
export type Snapshot<S = Session> =
  | { readonly data: S; readonly status: "authenticated" }
  | { readonly data: null; readonly status: "unauthenticated" }
  | { readonly data: undefined; readonly status: "loading" }

export interface AuthClientOptions<S = Session> {
  /** Path below which the server answers. Default `/auth`. Read for every request: a getter may change it. */
  readonly basePath?: string
  /**
   * Origin of the server, such as `https://api.example`. Default: the page's own. Outside a browser it is needed.
   * Another site than the page's own must allow credentials (CORS). Read for every request.
   */
  readonly baseUrl?: string | undefined
  /** The session that the server rendered, `null` for nobody; without it the first read finds out. */
  readonly session?: S | null | undefined
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch
  /** How to go to another page; only http(s) addresses come here. Default: `location`. */
  readonly navigate?: (url: string) => void
  /** Hears of requests that failed. Default: `console.error`. */
  readonly onError?: (error: ClientFetchError) => void
}

/** A request to the server brought no usable answer. The message names the request, and holds no secret. */
export interface ClientFetchError extends Error {
  readonly name: "ClientFetchError"
}

/** When a started client asks the server again of its own accord. */
export interface WatchOptions {
  /** Seconds between two reads while somebody is signed in, counted over all tabs together. Default 0: never. */
  readonly refetchInterval?: number | undefined
  /** Read when the page comes into view and the last read is older than five seconds. Default true. */
  readonly refetchOnWindowFocus?: boolean | undefined
  /** Go on with `refetchInterval` while the browser is offline. Default false. */
  readonly refetchWhenOffline?: boolean | undefined
}

/** What `/providers` tells of a provider (spec/http.md §7). */
export interface ClientSafeProvider {
  readonly id: string
  readonly name: string
  readonly type: ProviderType
  readonly signinUrl: string
  readonly callbackUrl: string
}

/** A request whose cookies the server-side call forwards. */
export interface RequestLike {
  readonly headers?: { readonly cookie?: string | undefined } | Pick<Headers, "get"> | undefined
}

export interface GetSessionParams extends RequestLike {
  /** Tell the other tabs the result. Default true. */
  readonly broadcast?: boolean | undefined
  /** On a server: the request whose cookies say who asks, unless `headers` is given. */
  readonly req?: RequestLike | undefined
  /** Accepted and without effect, as calls written for Auth.js pass them. */
  readonly event?: string | undefined
  readonly triggerEvent?: boolean | undefined
}

/** Fields for the provider, such as `email`, beside where to go. */
export interface SignInOptions<Redirect extends boolean = true> extends Record<string, unknown> {
  /** Where to go after signing in. Default: the present page. */
  redirectTo?: string | undefined
  /** @deprecated Use `redirectTo`. */
  callbackUrl?: string | undefined
  /** `false`: stay on the page and return what happened. Default true. */
  redirect?: Redirect | undefined
}

/** Parameters for the provider's authorization endpoint. */
export type SignInAuthorizationParams = string | string[][] | Record<string, string> | URLSearchParams

/** What came of a sign-in that stays on the page. */
export interface SignInResponse {
  /**
   * A code for the person (spec/errors.md), `Configuration` when the server could not do it, `ClientFetchError` when there
   * was no answer; `undefined` when it went well.
   */
  error: string | undefined
  /** Of a `CredentialsSignin`: the `code` that the application gave it. */
  code: string | undefined
  /** HTTP status; 401 for a refusal that was answered with 200; 0 without an answer. */
  status: number
  /** Whether it went well. */
  ok: boolean
  /** Where to go next; `null` after an error. */
  url: string | null
}

export interface SignOutParams<Redirect extends boolean = true> {
  /** Where to go after signing out. Default: the present page. */
  redirectTo?: string | undefined
  /** @deprecated Use `redirectTo`. */
  callbackUrl?: string | undefined
  /** `false`: stay on the page. Default true. */
  redirect?: Redirect | undefined
}

export interface SignOutResponse {
  /** Where to go next: the error page when it did not go well. */
  url: string
  /** Whether the session has ended. */
  ok: boolean
}

/** Obtains what a provider wants to see besides the fields that were typed, as `@latchkey/client/webauthn` does. */
export type Ceremony = (ways: {
  /** `GET <base path>/<path>`. */
  readonly send: (path: string) => Promise<Answer>
  readonly provider: { readonly id: string; readonly type: unknown }
  readonly fields: Readonly<Record<string, unknown>>
}) => Promise<{ readonly shown: Readonly<Record<string, unknown>> } | { readonly refusal: Answer }>

/** What the server answered to a request. */
export interface Answer {
  /** It is a success, and its body is JSON. */
  readonly ok: boolean
  /** HTTP status, 0 without an answer. */
  readonly status: number
  readonly body: unknown
}

export interface SignIn {
  (provider?: string, options?: SignInOptions, authorizationParams?: SignInAuthorizationParams): Promise<void>
  (
    provider: string | undefined,
    options: SignInOptions<false>,
    authorizationParams?: SignInAuthorizationParams,
  ): Promise<SignInResponse>
  (
    provider: string | undefined,
    options: SignInOptions<boolean>,
    authorizationParams?: SignInAuthorizationParams,
    ceremony?: Ceremony,
  ): Promise<SignInResponse | undefined>
}

export interface SignOut {
  (options?: SignOutParams): Promise<void>
  (options: SignOutParams<false>): Promise<SignOutResponse>
  (options: SignOutParams<boolean>): Promise<SignOutResponse | undefined>
}

/** The session as a browser knows it, kept in step with the server and with other tabs. */
export interface AuthClient<S = Session> {
  /** Calls `listener` after each change. @returns what ends it */
  subscribe(listener: () => void): () => void
  /** The same object until something changes. */
  getSnapshot(): Snapshot<S>
  /** Reads the session if it is not known, and listens to tabs, focus, network and time. @returns what ends it */
  start(options?: WatchOptions): () => void
  /** Takes over a session that the server rendered, such as after a server action. */
  adopt(session: S | null): void
  /** Something may have changed (a navigation, a server action): reads again, at most once a second. */
  revalidate(): Promise<void>
  /** Reads the session. @returns `null` for nobody, and when there was no answer */
  getSession(params?: GetSessionParams): Promise<S | null>
  /** The token that forms must send back. @returns an empty text when there was no answer */
  getCsrfToken(): Promise<string>
  /** What can be signed in with; asked once a page. @returns `null` when there was no answer */
  getProviders(): Promise<Record<string, ClientSafeProvider> | null>
  readonly signIn: SignIn
  readonly signOut: SignOut
  /**
   * Hands `data` to the server's callbacks; without data it only reads again. The session stays as it is meanwhile.
   * @returns the new session; `null` when it failed, and then the old one is kept
   */
  update(data?: unknown): Promise<S | null>
}
