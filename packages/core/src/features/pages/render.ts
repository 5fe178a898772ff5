import { languageOf } from "../../i18n/language-of.js"
import { type Language, englishLanguage } from "../../i18n/language.js"
import type { AuthContext } from "../../model/auth.js"
import type { AuthRequest, Page } from "../../model/http.js"
import { accountPage } from "../account/view/page.js"
import { confirmEmailPage } from "../email/confirm-email-page.js"
import { errorPage } from "./error.js"
import { html } from "../../html/html.js"
import { card, documentOf, hiddenFields } from "../../html/layout.js"
import { factorPage, modulePage } from "./module.js"
import { type Refusal, type RefusingSite, refusalPage } from "./refusal.js"
import { signInPage } from "./signin.js"
import { signOutPage } from "./signout.js"
import { sourceOf, thisSite } from "../../html/source.js"
import { verifyRequestPage } from "../email/verify-request-page.js"
import type { PageContext, PageOf, View } from "../../html/view.js"

export { languageOf }
export { loadScript } from "./script.js"

export interface RenderOptions {
  /** What `loadScript` returned for this page. */
  readonly script?: string | undefined
  /** What `languageOf` returned for this request. @default English */
  readonly language?: Language
}

export interface RenderedPage {
  readonly html: string
  readonly status: number
  /** The value of `Content-Security-Policy`. */
  readonly csp: string
  readonly nonce: string
}

/** Renders a built-in page. */
export function renderPage(
  auth: AuthContext,
  request: AuthRequest,
  page: Page,
  { script, language = englishLanguage }: RenderOptions = {},
): RenderedPage {
  const view = viewOf({ auth, request, t: language.messages, locale: language.tag }, page, script)
  return rendered(auth, request, language, view)
}

/** What a page for a refusal needs of its site. */
export interface RefusalSite extends RefusingSite, Pick<AuthContext, "i18n" | "logger" | "nonce" | "runtime"> {}

/** Renders a page for a browser whose request no route answers. */
export async function renderRefusal(
  site: RefusalSite,
  { headers, cookies }: Pick<AuthRequest, "headers" | "cookies">,
  refusal: Refusal,
): Promise<RenderedPage> {
  const language = await languageOf(site, { query: {}, cookies, headers })
  return rendered(site, { headers }, language, refusalPage(language.messages, site, refusal))
}

function rendered(
  site: Pick<AuthContext, "theme" | "nonce" | "runtime">,
  request: Pick<AuthRequest, "headers">,
  language: Language,
  view: View,
): RenderedPage {
  const nonce = configuredNonce(site, request) ?? btoa(String.fromCharCode(...site.runtime.random(16)))
  return {
    html: documentOf(site, language, view, nonce).toString(),
    status: view.status,
    csp: policyOf(view, nonce),
    nonce,
  }
}

/** The nonce grammar of CSP 3 §2.3.1. Other characters could end the source expression or the attribute. */
const validNonce = /^[A-Za-z0-9+/_-]{16,256}={0,2}$/

function configuredNonce(
  auth: Pick<AuthContext, "nonce">,
  { headers }: Pick<AuthRequest, "headers">,
): string | undefined {
  const nonce: unknown = auth.nonce?.({ headers })
  return typeof nonce === "string" && validNonce.test(nonce) ? nonce : undefined
}

function viewOf(context: PageContext, page: Page, script: string | undefined): View {
  switch (page.name) {
    case "signin":
      return signInPage(context, page, script)
    case "signout":
      return signOutPage(context, page)
    case "error":
      return errorPage(context, page)
    case "verify-request":
      return verifyRequestPage(context, page, script)
    case "confirm-email":
      return confirmEmailPage(context, page, script)
    case "account":
      return accountPage(context, page, script)
    case "factor":
      return factorPage(context, page)
    case "module":
      return modulePage(context, page)
    case "forward":
      return forwardPage(context, page)
  }
}

/** The `Content-Security-Policy` of a page. It allows only what this page needs. */
function policyOf({ images, script, connects, formTargets }: View, nonce: string): string {
  const imageSources = images.flatMap(({ source }) => source ?? [])
  const directives = [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    ...(script === undefined ? [] : [`script-src 'nonce-${nonce}'`]),
    ...(connects === true ? [`connect-src ${thisSite}`] : []),
    ["img-src", thisSite, "data:", ...new Set(imageSources)].join(" "),
    ...(formTargets === undefined ? [] : [["form-action", ...new Set(formTargets)].join(" ")]),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ]
  return directives.join("; ")
}

/** Calls the prototype's method, because a field named `submit` shadows `form.submit`. */
const submitScript = "HTMLFormElement.prototype.submit.call(document.forms[0])"

/** Posts the fields to `action` by script. Without scripts, the user selects the button. */
function forwardPage({ request: { origin }, t }: PageContext, { action, fields }: PageOf<"forward">): View {
  const { title, heading, text, button } = t.forward
  const form = html`<form action="${action}" method="POST">${hiddenFields(fields)}
<button type="submit" class="submit" id="submitButton">${button}</button></form>`
  const target = new URL(action, origin).origin === origin ? thisSite : sourceOf(action)
  return {
    title,
    root: "forward",
    status: 200,
    content: card(t, undefined, html`<h1>${heading}</h1><p>${text}</p>${form}`),
    images: [],
    rules: "",
    script: submitScript,
    formTargets: target === undefined ? undefined : [target],
  }
}
