import type { Authenticator } from "../authenticator/model.js"
import type { AuthorizationAnswer, Consent, FakeProvider } from "../provider/model.js"
import type { PageForm } from "./forms.js"
import type { CookieJar, JarCookie } from "./jar.js"

/** The fields of a form. */
export type Fields = Readonly<Record<string, string>>

/** How the browser opens a page. */
export interface Visit {
  /** URL of the page with the link or form. @default for `get` none, as if the URL was typed; for `post` the app */
  readonly from?: string | undefined
  /** Request headers in addition to those of the browser. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** A request of a script on a page. */
export interface FetchOptions extends Visit {
  /** @default "GET" */
  readonly method?: string | undefined
  readonly body?: string | URLSearchParams | undefined
}

/** How `signInWith` signs in. */
export interface SignInWith {
  /** The user at the provider, as a key of its `people`. */
  readonly as: string
  /** ID of the provider in the app. @default the `id` of the fake provider */
  readonly provider?: string | undefined
  /** More fields for the sign-in form, such as `callbackUrl`. */
  readonly fields?: Fields | undefined
  /** Query parameters for the sign-in URL. */
  readonly query?: Fields | undefined
}

/** How `registerPasskey` and `signInWithPasskey` use a passkey. */
export interface PasskeyOptions {
  /** ID of the provider in the app. @default "passkey" */
  readonly provider?: string | undefined
  /** Fields of the sign-in form, such as `email` and `callbackUrl`. */
  readonly fields?: Fields | undefined
}

/** Options of `openBrowser`. */
export interface BrowserOptions {
  /** Origin of the app, such as `"https://app.test"`. */
  readonly origin: string
  /** The app. If it throws, the browser's method throws the same error. */
  readonly handle: (request: Request) => Response | Promise<Response>
  /** Path of the sign-in routes. @default "/auth" */
  readonly basePath?: string | undefined
  /** Decides when cookies expire. @default the system clock */
  readonly clock?: { now(): number } | undefined
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** @default an empty jar */
  readonly jar?: CookieJar | undefined
}

/** A browser tab. See {@link openBrowser}. */
export interface Browser {
  /** Origin of the app. */
  readonly origin: string
  /** The current URL. Pages of other origins aren't loaded. */
  readonly location: string
  /** The last response of the app. Its body is in `text`. */
  readonly response: Response
  /** The current page. */
  readonly text: string
  /** All responses since the last `get`, `post`, `follow` or `submitForm`, redirects included. */
  readonly trail: readonly Response[]
  /** The cookies that haven't expired. */
  readonly cookies: readonly JarCookie[]
  readonly jar: CookieJar
  /** The forms on the current page. */
  readonly forms: readonly PageForm[]
  /** Opens a URL or a path of the app, and follows redirects within the app. */
  get(url: string | URL, visit?: Visit): Promise<Response>
  /** Posts a form to a URL or a path of the app. */
  post(url: string | URL, fields?: Fields, visit?: Visit): Promise<Response>
  /** Submits a form on the page: the n-th (from 0), or the first whose id, name or action contains the text. */
  submitForm(which: number | string, values?: Fields): Promise<Response>
  /** Sends a request as a script on the page does. It follows redirects and doesn't change `location` or `text`. */
  fetch(url: string | URL, options?: FetchOptions): Promise<Response>
  /** The session as `GET <base path>/session` returns it; `null` if signed out. */
  session(): Promise<unknown>
  /** The CSRF token; `undefined` if the app has none. */
  csrf(): Promise<string | undefined>
  /** Submits the sign-in form of a provider, or its credentials form. */
  signIn(provider: string, fields?: Fields): Promise<Response>
  /** Signs in completely: the sign-in form, consent at the provider, the callback and the redirects after it. */
  signInWith(provider: FakeProvider, options: SignInWith): Promise<Response>
  /** Consents at the provider if `location` is an authorization URL, and returns to the app. */
  consentAt(provider: FakeProvider, consent: Consent): Promise<Response>
  /** Follows an authorization response. @param from URL of the provider */
  follow(answer: AuthorizationAnswer, from: string): Promise<Response>
  /**
   * Creates a passkey: as a new user, or for the user who is signed in. If the app sends no options, returns its response.
   * @throws DOMException where a browser rejects the options
   */
  registerPasskey(authenticator: Authenticator, options?: PasskeyOptions): Promise<Response>
  /**
   * Signs in with a passkey of the authenticator. If the app sends no options, returns its response.
   * @throws DOMException where a browser rejects the options, or if the authenticator has no passkey that fits them
   */
  signInWithPasskey(authenticator: Authenticator, options?: PasskeyOptions): Promise<Response>
  /** Submits the sign-out form. */
  signOut(fields?: Fields): Promise<Response>
  /** Opens a second tab. It shares the cookies and has its own location. */
  clone(): Browser
  /** Opens another browser at the same app, without cookies. */
  fresh(): Browser
}
