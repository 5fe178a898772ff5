import { toPage } from "../http/redirect.js"
import type { AuthContext } from "../model/auth.js"
import type { AuthRequest } from "../model/http.js"
import { siteName } from "../mail/site-name.js"
import { type Html, html } from "./html.js"
import { phrase } from "./phrase.js"
import type { PageContext } from "./view.js"

/** A link to the home page. */
function siteLink(context: NamedSite): Html {
  return html`<a class="site" href="${context.request.origin}">${appName(context)}</a>`
}

/** The last line of a page. */
export function backToSite(context: NamedSite & Pick<PageContext, "t">): Html {
  return html`<p class="back">${phrase(context.t.common.back, { app: siteLink(context) })}</p>`
}

/** Inside of a sentence, a link is underlined. */
export const backRules = `.back .site{padding:0;text-decoration:underline}
`

/** The URL of a page of the application. */
export function ownPage(request: AuthRequest, page: string | undefined): string | undefined {
  if (page === undefined || !URL.canParse(page, `${request.base}/`)) return undefined
  const { protocol } = new URL(page, `${request.base}/`)
  return protocol === "http:" || protocol === "https:" ? toPage(request, page, {}) : undefined
}

/** Where a visitor can create an account: links to what they agree to. */
export function legalLinks({ auth: { pages }, request, t }: PageContext): Html | undefined {
  const links = (["terms", "privacy"] as const).flatMap((name) => {
    const url = ownPage(request, pages[name])
    return url === undefined ? [] : [html`<a href="${url}">${t.signin[name]}</a>`]
  })
  return links.length === 0 ? undefined : html`<p class="legal">${links}</p>`
}

export const legalRules = `.legal{display:flex;flex-wrap:wrap;gap:.25rem 1rem;justify-content:center;margin:1.25rem 0 0;font-size:.875rem}
.legal+.back{margin-top:.5rem}
.legal a{color:var(--color-primary)}
`

/** The links below the forms of the sign-in page. */
export function signInLinks(page: PageContext, canSignUp: boolean): Html {
  const { auth, request, t } = page
  const createAccount = ownPage(request, auth.pages.createAccount)
  const sentence =
    createAccount === undefined
      ? undefined
      : html`<p class="other">${t.signin.noAccount} <a href="${createAccount}">${t.signin.createAccount}</a></p>`
  return html`${sentence}${canSignUp ? legalLinks(page) : undefined}${backToSite(page)}`
}

interface NamedSite {
  readonly auth: Pick<AuthContext, "theme">
  readonly request: Pick<AuthRequest, "origin">
}

/** The name of the application. */
export function appName({ auth, request }: NamedSite): string {
  return siteName(auth.theme, new URL(request.origin).host)
}
