import { toPage } from "../http/redirect.js"
import type { AuthRequest } from "../model/http.js"
import { type Html, html } from "./html.js"
import { backToSite } from "./site-link.js"
import type { PageContext } from "./view.js"

/** The URL of a page of the application. */
export function ownPage(request: AuthRequest, page: string | undefined): string | undefined {
  if (page === undefined || !URL.canParse(page, `${request.base}/`)) return undefined
  const { protocol } = new URL(page, `${request.base}/`)
  return protocol === "http:" || protocol === "https:" ? toPage(request, page, {}) : undefined
}

/** The links below the forms of the sign-in page. */
export function signInLinks(page: PageContext): Html {
  const { auth, request, t } = page
  const createAccount = ownPage(request, auth.pages.createAccount)
  const sentence =
    createAccount === undefined
      ? undefined
      : html`<p class="other">${t.signin.noAccount} <a href="${createAccount}">${t.signin.createAccount}</a></p>`
  return html`${sentence}${backToSite(page)}`
}
