import { formsOf, type PageForm } from "./forms.js"
import { createJar } from "./jar.js"
import type { Browser, BrowserOptions, FetchOptions, Visit } from "./model.js"
import { type Arrival, formStep, getStep, navigate, type Step, submission } from "./navigate.js"
import { usePasskey } from "./passkey.js"
import { consentAt, csrf, follow, session, signIn, signInWith, signOut } from "./sign-in.js"
import type { Initiator } from "./site.js"

/**
 * Opens a browser for an app that is a function from `Request` to `Response`. The browser keeps cookies as RFC 6265bis
 * describes and sends the headers of a real browser (`Origin`, `Sec-Fetch-*`). It follows redirects, refreshes and forms
 * that submit themselves, and stops at other origins. It runs no other scripts.
 *
 * @example
 * ```ts
 * import { openBrowser } from "@latchkey/testing"
 * const browser = openBrowser({
 *   origin: "https://app.test",
 *   handle: () => new Response("hello", { headers: { "set-cookie": "seen=1; Secure; HttpOnly" } }),
 * })
 * await browser.get("/")
 * console.log(browser.text, browser.cookies[0]?.sameSite) // "hello" "lax"
 * ```
 */
export function openBrowser(options: BrowserOptions): Browser {
  const clock = options.clock ?? Date
  const jar = options.jar ?? createJar(() => clock.now())
  const app = { ...options, jar }
  let page: Arrival = { url: new URL("about:blank"), response: undefined, text: "", trail: [] }

  const open = async (step: Step): Promise<Response> => {
    page = await navigate(app, jar, step)
    return lastResponse(page)
  }
  const browser: Browser = {
    origin: options.origin,
    get location() {
      return page.url.href
    },
    get response() {
      return lastResponse(page)
    },
    get text() {
      return page.text
    },
    get trail() {
      return page.trail
    },
    get cookies() {
      return jar.cookies
    },
    jar,
    get forms() {
      return formsOf(page.text)
    },
    get: async (url, visit) => await open(withHeaders(getStep(resolve(app, url), initiatorOf(visit)), visit)),
    post: async (url, fields = {}, visit = {}) => {
      const initiator = initiatorOf({ from: options.origin, ...visit })
      return await open(withHeaders(formStep(resolve(app, url), fields, initiator), visit))
    },
    submitForm: async (which, values = {}) => await open(submission(page.url, findForm(page, which), values)),
    fetch: async (url, fetchOptions = {}) => {
      const { response } = await navigate(app, jar, fetchStep(app, url, fetchOptions))
      return response ?? Response.error()
    },
    session: () => session(browser, app),
    csrf: () => csrf(browser, app),
    signIn: (provider, fields) => signIn(browser, app, provider, fields),
    signInWith: (provider, options) => signInWith(browser, app, provider, options),
    consentAt: (provider, consent) => consentAt(browser, provider, consent),
    follow: (answer, origin) => follow(browser, answer, origin),
    registerPasskey: (authenticator, options) =>
      usePasskey(browser, app, authenticator, { ...options, action: "register" }),
    signInWithPasskey: (authenticator, options) =>
      usePasskey(browser, app, authenticator, { ...options, action: "authenticate" }),
    signOut: (fields) => signOut(browser, app, fields),
    clone: () => openBrowser(app),
    fresh: () => openBrowser({ ...options, jar: undefined }),
  }
  return browser
}

function lastResponse({ response, url }: Arrival): Response {
  if (response === undefined) {
    throw new Error(`The app hasn't responded yet; the browser is at ${url.href}. Open a page first.`)
  }
  return response
}

function resolve({ origin }: BrowserOptions, url: string | URL): URL {
  return new URL(url, origin)
}

function initiatorOf(visit: Visit = {}): Initiator {
  return visit.from === undefined ? undefined : new URL(visit.from)
}

function withHeaders(step: Step, visit: Visit = {}): Step {
  return { ...step, headers: { ...step.headers, ...visit.headers } }
}

function fetchStep(app: BrowserOptions, url: string | URL, options: FetchOptions): Step {
  const { method = "GET", body, headers = {} } = options
  const type = body instanceof URLSearchParams ? { "content-type": "application/x-www-form-urlencoded" } : {}
  return {
    url: resolve(app, url),
    method,
    body: body?.toString(),
    headers: { ...type, ...headers },
    initiator: new URL(options.from ?? app.origin),
    navigation: false,
  }
}

function findForm({ text, url }: Arrival, which: number | string): PageForm {
  const forms = formsOf(text)
  const form = forms.find(({ id, name, action }, index) =>
    typeof which === "number" ? index === which : [id, name, action].some((text) => text?.includes(which)),
  )
  if (form !== undefined) return form
  const actions = forms.map(({ action }) => `"${action}"`).join(", ")
  throw new Error(`${url.href} has no form "${which}". The actions of its forms: ${actions === "" ? "none" : actions}.`)
}
