import { appName, type NamedSite } from "./app-name.js"
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
