import { formsOf, type PageForm, refreshOf } from "./forms.js"
import type { CookieJar } from "./jar.js"
import type { BrowserOptions, Fields } from "./model.js"
import { trackFields, trackLink } from "../secrets.js"
import { fetchSite, type Initiator, isSameSite } from "./site.js"

/** One request of the browser. */
export interface Step {
  readonly url: URL
  readonly method: string
  readonly body: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly initiator: Initiator
  /** Whether the request opens a page; otherwise it's a request of a script. */
  readonly navigation: boolean
}

/** The page at the end of a chain of redirects. */
export interface Arrival {
  readonly url: URL
  readonly response: Response | undefined
  readonly text: string
  readonly trail: readonly Response[]
}

/** The limit in browsers. */
const maxSteps = 20

export function formStep(
  url: URL,
  fields: Fields,
  initiator: Initiator,
  enctype: PageForm["enctype"] = "application/x-www-form-urlencoded",
): Step {
  const isMultipart = enctype === "multipart/form-data"
  const body = isMultipart ? multipart(fields) : new URLSearchParams(fields).toString()
  const headers = { "content-type": isMultipart ? `${enctype}; boundary=${boundary}` : enctype }
  if (isMultipart) trackFields(new URLSearchParams(fields))
  return { url, method: "POST", body, headers, initiator, navigation: true }
}

const boundary = "----LatchkeyFormBoundary"

/** RFC 7578, with the escapes of the HTML Standard (§4.10.21.8). */
function multipart(fields: Fields): string {
  const escape = (text: string) => text.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A")
  const parts = Object.entries(fields).map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${escape(name)}"\r\n\r\n${value.replaceAll(/\r\n?|\n/g, "\r\n")}\r\n`,
  )
  return `${parts.join("")}--${boundary}--\r\n`
}

/** Follows redirects and pages that move on by themselves, until a page stays or its origin isn't the app's. */
export async function navigate(app: BrowserOptions, jar: CookieJar, first: Step): Promise<Arrival> {
  const trail: Response[] = []
  let step = first
  let last: Response | undefined
  while (step.url.origin === new URL(app.origin).origin) {
    if (trail.length === maxSteps) {
      throw new Error(`The app redirected ${maxSteps} times. The last redirect led to ${step.url.href}.`)
    }
    last = await send(app, jar, step)
    trail.push(last)
    const text = step.navigation ? await last.clone().text() : ""
    const next = nextStep(step, last, text)
    if (next === undefined) return { url: step.url, response: last, text, trail }
    step = next
  }
  return { url: step.url, response: last, text: "", trail }
}

async function send(app: BrowserOptions, jar: CookieJar, step: Step): Promise<Response> {
  const { url, method, body } = step
  trackLink(url)
  if (step.headers["content-type"] === "application/x-www-form-urlencoded") trackFields(new URLSearchParams(body))
  const use = { url, method, sameSite: isSameSite(step.initiator, url), navigation: step.navigation }
  const headers = requestHeaders(step, jar.header(use), app.headers)
  const response = await app.handle(new Request(url, { method, headers, ...(body === undefined ? {} : { body }) }))
  jar.store(response.headers.getSetCookie(), use)
  return response
}

function requestHeaders(step: Step, cookie: string, common: Readonly<Record<string, string>> = {}): Headers {
  const { url, initiator, navigation } = step
  const headers = new Headers({
    host: url.host,
    accept: navigation ? "text/html,*/*;q=0.8" : "*/*",
    ...(isTrustworthy(url) && {
      "sec-fetch-site": fetchSite(initiator, url),
      "sec-fetch-mode": navigation ? "navigate" : "cors",
      "sec-fetch-dest": navigation ? "document" : "empty",
    }),
  })
  if (initiator !== undefined && sendsOrigin(step, initiator)) headers.set("origin", initiator.origin)
  if (cookie !== "") headers.set("cookie", cookie)
  for (const [name, value] of Object.entries({ ...common, ...step.headers })) headers.set(name, value)
  return headers
}

/** Fetch Metadata §2: without https, only the own machine gets these headers. */
function isTrustworthy({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || /^(?:localhost|.+\.localhost|127\.[\d.]+|\[::1\])$/.test(hostname)
}

/** Fetch Standard §3.2: browsers send `Origin` with unsafe methods and with cross-origin requests of scripts. */
function sendsOrigin({ url, method, navigation }: Step, initiator: URL): boolean {
  const isSafe = method === "GET" || method === "HEAD"
  return !isSafe || (!navigation && initiator.origin !== url.origin)
}

function nextStep(step: Step, response: Response, text: string): Step | undefined {
  const location = response.headers.get("location")
  if (location !== null && [301, 302, 303, 307, 308].includes(response.status)) {
    return redirected(step, location, response.status)
  }
  if (!step.navigation || response.headers.get("content-type")?.startsWith("text/html") !== true) return undefined
  return scripted(step.url, text)
}

/** Keeps the initiator, because a redirect doesn't turn a cross-site request into a same-site one. */
function redirected(step: Step, location: string, status: number): Step {
  const url = new URL(location, step.url)
  if (url.hash === "") url.hash = step.url.hash
  const becomesGet = (status === 303 && step.method !== "HEAD") || (status < 303 && step.method === "POST")
  if (!becomesGet) return { ...step, url }
  const { "content-type": _, ...headers } = step.headers
  return { ...step, url, method: "GET", body: undefined, headers }
}

/** A page that moves on by itself is the initiator of the next request. */
function scripted(page: URL, html: string): Step | undefined {
  const refresh = refreshOf(html)
  if (refresh !== undefined) return getStep(new URL(refresh, page), page)
  const form = formsOf(html)[0]
  return form?.auto === true ? submission(page, form, {}) : undefined
}

export function getStep(url: URL, initiator: Initiator): Step {
  return { url, method: "GET", body: undefined, headers: {}, initiator, navigation: true }
}

export function submission(
  page: URL,
  form: Pick<PageForm, "action" | "method" | "fields" | "enctype">,
  values: Fields,
): Step {
  const url = new URL(form.action === "" ? page.href : form.action, page)
  const fields = { ...form.fields, ...values }
  if (form.method === "POST") return formStep(url, fields, page, form.enctype)
  url.search = new URLSearchParams(fields).toString()
  return getStep(url, page)
}
