import type { AuthContext } from "../model/auth.js"
import type { AuthRequest } from "../model/http.js"
import { type Html, html } from "./html.js"
import { imageOf } from "./image.js"
import { card, asList } from "./layout.js"
import { type ErrorText, errorTexts, messages, unknownErrorText } from "./messages.js"
import { siteLink } from "./site-link.js"
import type { PageOf, View } from "./view.js"

/** Codes with a text of their own. For every other code, the page shows the text of `error`. */
const preciseCodes: ReadonlySet<string> = new Set(["InvalidCheck", "RateLimited", "SignOutError"])

export function errorPage({ theme, development }: AuthContext, request: AuthRequest, page: PageOf<"error">): View {
  const text = textOf(page)
  const logo = imageOf(request, theme.logo)
  const lines =
    text.lines.length > 0 ? text.lines.map((line) => html`<p>${line}</p>`) : html`<p>${siteLink(request)}</p>`
  const body = html`<h1>${text.heading}</h1><div class="message">${lines}</div>${button(request, text)}`
  return {
    title: messages.error.title,
    root: "error",
    status: text.status,
    content: card(logo, html`${body}${development ? detail(page) : undefined}${reference(page)}`),
    images: asList(logo),
    rules: "",
    formTargets: ["'none'"],
  }
}

function textOf({ code, error }: PageOf<"error">): ErrorText {
  const key = code !== undefined && preciseCodes.has(code) ? code : error
  return (key === undefined ? undefined : errorTexts.get(key)) ?? unknownErrorText
}

function button({ base }: AuthRequest, text: ErrorText): Html | undefined {
  if (text.button === undefined) return undefined
  return html`<a class="button submit" href="${base}/signin">${text.button}</a>`
}

function detail({ detail }: PageOf<"error">): Html | undefined {
  if (detail === undefined) return undefined
  const label = messages.error.detail
  return html`<section class="detail" aria-label="${label}">${label}<pre tabindex="0">${detail}</pre></section>`
}

/** The ID that is also in the log, so that users can report it. */
function reference({ id }: PageOf<"error">): Html | undefined {
  return id !== undefined && /^[\w-]{1,64}$/.test(id) ? html`<p class="id">${messages.error.id(id)}</p>` : undefined
}
