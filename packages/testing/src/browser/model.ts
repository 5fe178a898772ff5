import type { AuthorizationAnswer, Consent, FakeProvider } from "../provider/model.js"
import type { PageForm } from "./forms.js"
import type { CookieJar, JarCookie } from "./jar.js"

/** The fields of a form. */
export type Fields = Readonly<Record<string, string>>

/** How a page is opened. */
export interface Visit {
  /** The page that holds the link or form. Default: for `get` none (typed), for `post` a page of the app. */
  readonly from?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** How a script fetches. */
export interface FetchOptions extends Visit {
  readonly method?: string | undefined
  readonly body?: string | URLSearchParams | undefined
}

/** Who signs in at the provider, and what the app is asked for. */
export interface SignInWith {
  /** A key of the provider's `people`. */
  readonly as: string
  /** The provider's id in the app. Default: the id of the fake provider. */
  readonly provider?: string | undefined
  /** Added to the sign-in form, for example `callbackUrl`. */
  readonly fields?: Fields | undefined
  /** Added to the query of the sign-in address. */
  readonly query?: Fields | undefined
}

/** Options of `openBrowser`. */
export interface BrowserOptions {
  /** Of the app, for example `"https://app.test"`. */
  readonly origin: string
  /** The app. What it throws comes out of the browser. */
  readonly handle: (request: Request) => Response | Promise<Response>
  /** Default `"/auth"`. */
  readonly basePath?: string | undefined
  /** Lets cookies expire. Default: the system clock. */
  readonly clock?: { now(): number } | undefined
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Default: an empty one. */
  readonly jar?: CookieJar | undefined
}

/** A tab of a cookie-jar browser; see `openBrowser`. */
export interface Browser {
  readonly origin: string
  /** The address bar. At a foreign origin the browser stops: nothing is loaded there. */
  readonly location: string
  /** The last answer of the app; its body has been read into `text`. */
  readonly response: Response
  readonly text: string
  /** Every answer since the last `get`, `post`, `follow` or `submitForm`, redirects included. */
  readonly trail: readonly Response[]
  readonly cookies: readonly JarCookie[]
  readonly jar: CookieJar
  readonly forms: readonly PageForm[]
  /** Opens an address (a path, or a URL) and follows redirects within the app. */
  get(address: string | URL, visit?: Visit): Promise<Response>
  /** Submits a form. */
  post(address: string | URL, fields?: Fields, visit?: Visit): Promise<Response>
  /** Submits a form of the page: the n-th, or the one whose id, name or action contains the text. */
  submitForm(which: number | string, values?: Fields): Promise<Response>
  /** What a script of a page does: the answer stays out of the address bar, its body is unread. Follows redirects. */
  fetch(address: string | URL, options?: FetchOptions): Promise<Response>
  /** `GET <base>/session`, parsed; `null` when signed out. */
  session(): Promise<unknown>
  /** The CSRF token, or `undefined` where the app has none. */
  csrf(): Promise<string | undefined>
  /** Posts to the provider's sign-in address, or to its callback for credentials. */
  signIn(provider: string, fields?: Fields): Promise<Response>
  /** The whole flow: sign-in form, consent at the provider, callback, and redirects after it. */
  signInWith(provider: FakeProvider, options: SignInWith): Promise<Response>
  /** Continues at the provider from the authorization URL in the address bar, and returns to the app. */
  consentAt(provider: FakeProvider, consent: Consent): Promise<Response>
  /** Goes where the provider sends the browser. */
  follow(answer: AuthorizationAnswer, from: string): Promise<Response>
  signOut(fields?: Fields): Promise<Response>
  /** A second tab: it shares the cookies, and has a location of its own. */
  clone(): Browser
  /** Another browser at the same app, without cookies. */
  fresh(): Browser
}
