import type { ProviderType, Session, SignOutScope } from "@latchkey/core/types"

/** The session at one moment. Immutable: every change makes a new object. */
export type Snapshot<S = Session> =
  | { readonly data: S; readonly status: "authenticated" }
  | { readonly data: null; readonly status: "unauthenticated" }
  | { readonly data: undefined; readonly status: "loading" }

export interface AuthClientOptions<S = Session> {
  /** Path of the auth routes. Read for every request, so it can be a getter. @default "/auth" */
  readonly basePath?: string
  /**
   * Origin of the server, such as `https://api.example`. Required outside a browser. A server on another origin must
   * allow credentials (CORS). Read for every request, so it can be a getter. @default the origin of the page
   */
  readonly baseUrl?: string | undefined
  /** The session that the server rendered, or `null` if the visitor isn't signed in. @default ask the server */
  readonly session?: S | null | undefined
  /** @default the global `fetch` */
  readonly fetch?: typeof fetch
  /** Goes to another page. It's only called with `http:` and `https:` URLs. @default sets `location.href` */
  readonly navigate?: (url: string) => void
  /** Called with failed requests. @default `console.error` */
  readonly onError?: (error: ClientFetchError) => void
}

/** A failed request to the server. The message has the URL and the status, and never a secret. */
export interface ClientFetchError extends Error {
  readonly name: "ClientFetchError"
}

/** When a started client reads the session again by itself. */
export interface WatchOptions {
  /**
   * Seconds between reads while the user is signed in. Tabs share the interval, so more tabs don't mean more requests.
   * `0` turns it off. @default 0
   */
  readonly refetchInterval?: number | undefined
  /** Read when the page becomes visible, if the last read is at least 5 seconds old. @default true */
  readonly refetchOnWindowFocus?: boolean | undefined
  /** Continue with `refetchInterval` while the browser is offline. @default false */
  readonly refetchWhenOffline?: boolean | undefined
}

/** A provider, as the `/providers` route describes it. */
export interface ClientSafeProvider {
  readonly id: string
  readonly name: string
  readonly type: ProviderType
  readonly signinUrl: string
  readonly callbackUrl: string
  /** Never set. Only the types of next-auth have it. */
  readonly redirectTo?: string | undefined
}

/** A Node.js or web request, reduced to its cookies. */
export interface RequestLike {
  readonly headers?: { readonly cookie?: string | undefined } | Pick<Headers, "get"> | undefined
}

export interface GetSessionParams extends RequestLike {
  /** Send the session to other tabs. @default true */
  readonly broadcast?: boolean | undefined
  /** On a server, the request whose cookies to forward. `headers` takes precedence. */
  readonly req?: RequestLike | undefined
  /** Has no effect. Accepted because calls written for Auth.js pass it. */
  readonly event?: string | undefined
  /** Has no effect. Accepted because calls written for Auth.js pass it. */
  readonly triggerEvent?: boolean | undefined
}

/** The options of `signIn`. All other fields, such as `email`, go to the provider. */
export interface SignInOptions<Redirect extends boolean = true> extends Record<string, unknown> {
  /** The URL to return to after the sign-in. @default the current page */
  redirectTo?: string | undefined
  /** @deprecated Use `redirectTo`. */
  callbackUrl?: string | undefined
  /** `false` stays on the page and returns the result. @default true */
  redirect?: Redirect | undefined
}

/** Parameters for the provider's authorization endpoint. */
export type SignInAuthorizationParams = string | string[][] | Record<string, string> | URLSearchParams

/** The result of `signIn` with `redirect: false`. */
export interface SignInResponse {
  /**
   * An error code such as `CredentialsSignin`, `Configuration` if the server failed, `ClientFetchError` if it didn't
   * respond, or `undefined` after a success. `docs/errors.md` lists the codes.
   */
  error: string | undefined
  /** The `code` of a `CredentialsSignin` error that your application threw. */
  code: string | undefined
  /** HTTP status: 401 if the sign-in was rejected, 0 if the server didn't respond. */
  status: number
  /** No error. If another step is needed, such as a link in an email or a second factor, `url` leads to it. */
  ok: boolean
  /** The URL to go to next, or `null` after an error. Before a second factor, it's the page that asks for it. */
  url: string | null
}

/** The options of `signOut`. */
export interface SignOutParams<Redirect extends boolean = true> {
  /** The URL to go to after the sign-out. @default the current page */
  redirectTo?: string | undefined
  /** Which sessions end: that of this browser, the others, or all. With `"others"`, the user stays signed in. @default "this" */
  scope?: SignOutScope | undefined
  /** @deprecated Use `redirectTo`. */
  callbackUrl?: string | undefined
  /** `false` stays on the page and returns the result. @default true */
  redirect?: Redirect | undefined
}

/** The result of `signOut` with `redirect: false`. */
export interface SignOutResponse {
  /** The URL to go to next. After a failure, it's the error page. */
  url: string
  /** Whether the session has ended. */
  ok: boolean
}

/**
 * Gets a proof from the user before the sign-in form is sent. `@latchkey/client/webauthn` passes one that asks for a
 * passkey. It returns the fields to send in `shown`, the failed response of the server in `refusal`, or the name of the
 * browser's error in `canceled`. Without a proof, `signIn` stays on the page. `onRefused` is called if the server stored
 * nothing.
 */
export type Ceremony = (ways: {
  /** Sends `GET <base path>/<path>`. */
  readonly send: (path: string) => Promise<Answer>
  readonly provider: { readonly id: string; readonly type: unknown }
  readonly fields: Readonly<Record<string, unknown>>
}) => Promise<
  | { readonly shown: Readonly<Record<string, unknown>>; readonly onRefused?: () => void }
  | { readonly refusal: Answer }
  | { readonly canceled: string }
>

/** The server's response to a request. */
export interface Answer {
  /** The status is 2xx and the body is JSON. */
  readonly ok: boolean
  /** HTTP status, or 0 if the server didn't respond. */
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

/** Requests with the options of a client. None of its methods throws. */
export interface Connection {
  /** Sends a request to `<base path>/<path>`. */
  send(path: string, init?: RequestInit): Promise<Answer>
  /** Runs a change of the session after those in progress. */
  runExclusive<T>(change: () => Promise<T>): Promise<T>
  /** Reads the session again, for this tab and the others. */
  read(): Promise<unknown>
  /** Goes to another page, if its URL is `http:` or `https:`. */
  navigate(url: string): void
}

/** Holds the session in a browser and keeps it in sync with the server and with other tabs. */
export interface AuthClient<S = Session> {
  /** Calls `listener` after each change. @returns a function that unsubscribes */
  subscribe(listener: () => void): () => void
  /** The current session. Returns the same object until the session changes. */
  getSnapshot(): Snapshot<S>
  /** Reads the session if it isn't known yet, then keeps it in sync. @returns a function that stops */
  start(options?: WatchOptions): () => void
  /** Takes a session that the server rendered, for example after a server action. Asks the server before a user counts as signed out. */
  adopt(session: S | null): void
  /** Reads the session again, at most once a second. Call it when it may have changed, such as after a navigation. */
  revalidate(): Promise<void>
  /** Reads the session. @returns `null` if the visitor isn't signed in, or if the server didn't respond */
  getSession(params?: GetSessionParams): Promise<S | null>
  /** @returns the token that forms must include, or an empty string if the server didn't respond */
  getCsrfToken(): Promise<string>
  /** Lists the providers by id. A page asks the server once. @returns `null` if the server didn't respond */
  getProviders(): Promise<Record<string, ClientSafeProvider> | null>
  readonly signIn: SignIn
  readonly signOut: SignOut
  /** For `createFlow` of `@latchkey/client/flow`. */
  readonly connection: Connection
  /**
   * Sends `data` to the callbacks of the server, or only reads the session if there is no `data`. `getSnapshot()` returns
   * the old session until the new one arrives.
   *
   * @returns the new session, or `null` if the update failed. A failure keeps the old session.
   */
  update(data?: unknown): Promise<S | null>
}
