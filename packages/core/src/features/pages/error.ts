import { toRoute } from "../../http/redirect.js"
import { fill } from "../../i18n/fill.js"
import type { Messages } from "../../i18n/messages.js"
import type { AuthRequest } from "../../model/http.js"
import { type Html, html } from "../../html/html.js"
import { imageOf } from "../../html/image.js"
import { card, asList, hiddenFields } from "../../html/layout.js"
import { type ErrorText, errorTextOf, problemText } from "./error-texts.js"
import { backRules, backToSite } from "../../html/site-link.js"
import { signInTargets } from "../../html/targets.js"
import { type PageContext, type PageOf, type View, leavesSite, targetsOf } from "../../html/view.js"

/** Codes with a text of their own. For every other code, the page shows the text of `error`. */
const preciseCodes: ReadonlySet<string> = new Set(["InvalidCheck", "RateLimited", "SignOutError"])

export function errorPage(context: PageContext, page: PageOf<"error">): View {
  const { auth, request, t } = context
  const { theme, development } = auth
  const text = textOf(t, page)
  const logo = imageOf(request, theme.logo)
  const lines = text.lines.map((line) => html`<p>${line}</p>`)
  const back = backToSite(context)
  const body =
    lines.length === 0
      ? html`<h1>${text.heading}</h1><div class="message">${back}</div>`
      : html`<h1>${text.heading}</h1><div class="message">${lines}</div>${endAgain(t, request, page)}${signInAgain(context, page) ?? button(request, text)}${back}`
  return {
    title: t.error.title,
    root: "error",
    status: text.status,
    content: card(t, logo, html`${body}${development ? detailOf(t, page) : undefined}${reference(t, page)}`),
    images: asList(logo),
    rules: backRules + (development ? detailRules : ""),
    formTargets: formTargets(context, page),
  }
}

const detailRules = `.detail{margin:1.25rem 0 0;font-size:.8125rem}
.detail pre{max-height:18rem;margin:.25rem 0 0;padding:.75rem;overflow:auto;white-space:pre-wrap;text-align:start;
background:var(--color-button-active-background);border-radius:var(--border-radius)}
`

function textOf(t: Messages, { code, error, problem, provider }: PageOf<"error">): ErrorText {
  if (problem !== undefined) return problemText(t, problem, provider)
  return errorTextOf(t, code !== undefined && preciseCodes.has(code) ? code : error)
}

/** Chromium also applies the policy to the redirects after a form. */
function formTargets(context: PageContext, { ending, retry }: PageOf<"error">): readonly string[] {
  const { auth, request } = context
  const provider = auth.providers.get(retry?.provider ?? "")
  if (provider !== undefined && leavesSite(context, provider))
    return [...signInTargets(auth, request, retry?.callbackUrl), ...targetsOf(context, provider)]
  return ending === undefined ? ["'none'"] : signInTargets(auth, request, undefined)
}

/** Starts the same sign-in again, at the provider that was down. */
function signInAgain({ request, t }: PageContext, { retry, csrfToken }: PageOf<"error">): Html | undefined {
  if (retry === undefined) return undefined
  const { provider, callbackUrl, link } = retry
  const fields = hiddenFields({ csrfToken, callbackUrl, link: link ? "true" : undefined })
  return html`<form action="${toRoute(request, `signin/${provider}`)}" method="POST">${fields}
<button type="submit" class="submit" id="submitButton">${t.common.tryAgain}</button></form>
<a class="button" href="${toRoute(request, "signin", callbackUrl === undefined ? {} : { callbackUrl })}">${t.signin.otherMethod}</a>`
}

/** Ends the session that a sign-out couldn't end. The browser has lost its cookie, so the form names it. */
function endAgain(
  { common }: Messages,
  request: AuthRequest,
  { ending, csrfToken }: PageOf<"error">,
): Html | undefined {
  if (ending === undefined) return undefined
  return html`<form action="${toRoute(request, "signout")}" method="POST">${hiddenFields({ csrfToken, ending })}
<button type="submit" class="submit" id="submitButton">${common.tryAgain}</button></form>`
}

function button(request: AuthRequest, text: ErrorText): Html | undefined {
  if (text.button === undefined) return undefined
  return html`<a class="button submit" href="${toRoute(request, "signin")}">${text.button}</a>`
}

export function detailOf({ error }: Messages, { detail }: { readonly detail?: string | undefined }): Html | undefined {
  if (detail === undefined) return undefined
  const label = error.detail
  return html`<section class="detail" aria-label="${label}">${label}<pre tabindex="0">${detail}</pre></section>`
}

/** The ID that is also in the log, so that users can report it. */
export function reference({ error }: Messages, { id }: { readonly id?: string | undefined }): Html | undefined {
  return id !== undefined && /^[\w-]{1,64}$/.test(id) ? html`<p class="id">${fill(error.id, { id })}</p>` : undefined
}
