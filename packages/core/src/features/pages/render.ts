import { languageOf } from "../../i18n/language-of.js"
import { type Language, englishLanguage } from "../../i18n/language.js"
import type { AuthContext } from "../../model/auth.js"
import type { Refusal, RefusalSite, RenderedPage } from "../../model/built-in-pages.js"
import type { AuthRequest, Page } from "../../model/http.js"
import { type Brought, loadViews } from "./brought.js"
import { errorPage } from "./error.js"
import { html } from "../../html/html.js"
import { card, documentOf, hiddenFields } from "../../html/layout.js"
import { refusalPage } from "./refusal.js"
import { signIn } from "./signin.js"
import { signOutPage } from "./signout.js"
import { appName } from "../../html/site-link.js"
import { sourceOf, thisSite } from "../../html/source.js"
import { seamOf } from "../../module/seam-of.js"
import type { PageContext, PageOf, PageView, View, Views } from "../../html/view.js"

/** Renders a built-in page, once everything that it needs is loaded. */
export async function render(
  brought: Brought,
  auth: AuthContext,
  request: AuthRequest,
  page: Page,
): Promise<RenderedPage> {
  // Only modules have these pages, so they load with them.
  const isOfModule = page.name === "factor" || page.name === "module"
  const view = isOfModule ? (await seamOf(auth)).moduleViews.get(page.name) : undefined
  const parts = { views: await loadViews(brought, auth), view: view ?? (await loadView(brought, page)) }
  const [script, language] = [await loadScript(auth, page, parts), await languageOf(auth, request)]
  return renderPage(auth, request, page, { ...parts, script, language })
}

const ownPages: ReadonlyMap<string, PageView> = new Map<string, PageView>([
  ["signin", signIn],
  ["signout", { render: signOutPage }],
  ["error", { render: errorPage }],
  ["forward", { render: forwardPage }],
])

export async function loadView(
  { featurePages, accountSections }: Pick<Brought, "featurePages" | "accountSections">,
  { name }: Pick<Page, "name">,
): Promise<PageView> {
  const view = ownPages.get(name) ?? (await featurePages.find((page) => page.name === name)?.load(accountSections))
  if (view === undefined) throw new TypeError(`No feature has the page "${name}"`)
  return view
}

export interface Parts {
  readonly views: Views
  readonly view: PageView
}

/** The script of a page, or `undefined` if the page has nothing that it could improve. */
export async function loadScript(auth: AuthContext, page: Page, { views, view }: Parts): Promise<string | undefined> {
  const kind = view.script?.(page, { auth, views })
  if (kind === undefined) return undefined
  const own = kind === "provider" ? [...views.values()].find(({ script }) => script !== undefined) : undefined
  const { pageScript } = await import("./generated/script.js")
  return ((await own?.script?.()) ?? "") + pageScript
}

export interface RenderOptions extends Parts {
  /** What `loadScript` returned for this page. */
  readonly script?: string | undefined
  /** What `languageOf` returned for this request. @default English */
  readonly language?: Language
}

export function renderPage(
  auth: AuthContext,
  request: AuthRequest,
  page: Page,
  { views, view, script, language = englishLanguage }: RenderOptions,
): RenderedPage {
  const context = { auth, request, t: language.messages, locale: language.tag, views }
  const shown = view.render(context, page, script)
  return rendered(auth, request, language, { ...shown, title: titled(shown.title, appName(context)) })
}

/** A window or a tab shows which application it is. */
function titled(title: string, app: string): string {
  return title.includes(app) ? title : `${title} · ${app}`
}

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

/** The `Content-Security-Policy` of a page. It allows only what this page needs. */
function policyOf({ images, script, connects, captcha, formTargets }: View, nonce: string): string {
  const imageSources = images.flatMap(({ source }) => source ?? [])
  const hosts = captcha?.hosts ?? []
  const connected = [...(connects === true ? [thisSite] : []), ...hosts]
  const directives = [
    "default-src 'none'",
    [`style-src 'nonce-${nonce}'`, ...hosts].join(" "),
    ...(script === undefined && captcha === undefined ? [] : [[`script-src 'nonce-${nonce}'`, ...hosts].join(" ")]),
    ...(connected.length === 0 ? [] : [["connect-src", ...connected].join(" ")]),
    ...(captcha === undefined ? [] : [["frame-src", ...hosts].join(" ")]),
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
