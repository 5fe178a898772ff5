import { formsOf } from "./forms.js"
import { createJar } from "./jar.js"
import type { Browser, BrowserOptions, FetchOptions, Fields, Visit } from "./model.js"
import { type Arrival, formStep, getStep, type Step, submission, travel } from "./navigate.js"
import { consentAt, csrf, follow, session, signIn, signInWith, signOut } from "./sign-in.js"
import type { Initiator } from "./site.js"

/**
 * A small user agent with a cookie jar after RFC 6265bis, for an app that is a function. It sends what browsers send
 * (`Origin`, `Sec-Fetch-*`, the cookies that `SameSite` allows), follows redirects, pages that refresh and forms that
 * submit themselves within the app, and stops where the way leads elsewhere. It runs no other scripts.
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
  let at: Arrival = { url: new URL("about:blank"), response: undefined, text: "", trail: [] }

  const open = async (step: Step): Promise<Response> => {
    at = await travel(app, jar, step)
    return lastResponse(at)
  }
  const browser: Browser = {
    origin: options.origin,
    get location() {
      return at.url.href
    },
    get response() {
      return lastResponse(at)
    },
    get text() {
      return at.text
    },
    get trail() {
      return at.trail
    },
    get cookies() {
      return jar.cookies
    },
    jar,
    get forms() {
      return formsOf(at.text)
    },
    get: async (address, visit) => await open(withHeaders(getStep(within(app, address), from(visit)), visit)),
    post: async (address, fields = {}, visit = {}) =>
      await open(withHeaders(formStep(within(app, address), fields, from({ from: options.origin, ...visit })), visit)),
    submitForm: async (which, values = {}) => await open(submission(at.url, findForm(at, which), values)),
    fetch: async (address, fetchOptions = {}) => {
      const { response } = await travel(app, jar, fetchStep(app, address, fetchOptions))
      return response ?? Response.error()
    },
    session: () => session(browser, app),
    csrf: () => csrf(browser, app),
    signIn: (provider, fields) => signIn(browser, app, provider, fields),
    signInWith: (provider, options) => signInWith(browser, app, provider, options),
    consentAt: (provider, consent) => consentAt(browser, provider, consent),
    follow: (answer, origin) => follow(browser, answer, origin),
    signOut: (fields) => signOut(browser, app, fields),
    clone: () => openBrowser(app),
    fresh: () => openBrowser({ ...options, jar: undefined }),
  }
  return browser
}

function lastResponse({ response, url }: Arrival): Response {
  if (response === undefined)
    throw new Error(`The app has not answered yet (the browser is at ${url.href}): open a page`)
  return response
}

function within({ origin }: BrowserOptions, address: string | URL): URL {
  return new URL(address, origin)
}

function from(visit: Visit = {}): Initiator {
  return visit.from === undefined ? undefined : new URL(visit.from)
}

function withHeaders(step: Step, visit: Visit = {}): Step {
  return { ...step, headers: { ...step.headers, ...visit.headers } }
}

function fetchStep(app: BrowserOptions, address: string | URL, options: FetchOptions): Step {
  const { method = "GET", body, headers = {} } = options
  const type = body instanceof URLSearchParams ? { "content-type": "application/x-www-form-urlencoded" } : {}
  return {
    url: within(app, address),
    method,
    body: body?.toString(),
    headers: { ...type, ...headers },
    initiator: new URL(options.from ?? app.origin),
    navigation: false,
  }
}

function findForm({ text, url }: Arrival, which: number | string): { action: string; method: string; fields: Fields } {
  const forms = formsOf(text)
  const form = forms.find((one, at) =>
    typeof which === "number" ? at === which : [one.id, one.name, one.action].some((mark) => mark?.includes(which)),
  )
  if (form !== undefined) return form
  const known = forms.map(({ action }) => `"${action}"`).join(", ")
  throw new Error(`${url.href} has no form "${which}"; it has ${known === "" ? "none" : known}`)
}
