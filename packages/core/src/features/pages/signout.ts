import { toRoute } from "../../http/redirect.js"
import { type Html, html } from "../../html/html.js"
import { imageOf } from "../../html/image.js"
import { card, hiddenFields, asList } from "../../html/layout.js"
import { phrase } from "../../html/phrase.js"
import { backRules, backToSite } from "../../html/site-link.js"
import { externalSource, thisSite } from "../../html/source.js"
import type { PageContext, PageOf, View } from "../../html/view.js"

/** Asks before it signs out. To a visitor without a session, it offers to sign in. */
export function signOutPage(context: PageContext, page: PageOf<"signout">): View {
  const { auth, request, t } = context
  const logo = imageOf(request, auth.theme.logo)
  const external = externalSource(request.origin, page.callbackUrl)
  return {
    title: t.signout.title,
    root: "signout",
    status: 200,
    content: card(t, logo, page.user === null ? signedOut(context, page) : question(context, page)),
    images: asList(logo),
    rules: `${backRules}.signout .cancel{margin-top:.5rem}\n`,
    formTargets: external === undefined ? [thisSite] : [thisSite, external],
  }
}

function question(context: PageContext, page: PageOf<"signout">): Html {
  const { heading, question } = context.t.signout
  return html`<h1>${heading}</h1><p>${signedInAs(context, page)}${question}</p>${form(context, page)}
<a class="button cancel" href="${page.callbackUrl}">${context.t.common.cancel}</a>`
}

function signedInAs({ t }: PageContext, { user }: PageOf<"signout">): Html | undefined {
  if (user?.label === undefined) return undefined
  return html`${phrase(t.signout.signedInAs, { user: html`<strong><bdi>${user.label}</bdi></strong>` })} `
}

/** Auth.js v5 shows its form to everyone, so scripts and tests look for it here. It would do nothing for a user. */
function signedOut(context: PageContext, page: PageOf<"signout">): Html {
  const { request, t } = context
  const signIn = toRoute(request, "signin", { callbackUrl: page.callbackUrl })
  return html`<h1>${t.signout.signedOut.heading}</h1><p>${t.signout.signedOut.text}</p>
<a class="button submit" href="${signIn}">${t.signin.button}</a><div hidden>${form(context, page)}</div>${backToSite(context)}`
}

/** One button, which scripts and tests look for. */
function form({ request, t }: PageContext, { csrfToken, callbackUrl, user, canEndAll }: PageOf<"signout">): Html {
  const everywhere =
    user && canEndAll === true
      ? html`<label class="check"><input type="checkbox" name="scope" value="all"> ${t.account.sessions.signOutEverywhere}</label>`
      : undefined
  return html`<form action="${toRoute(request, "signout")}" method="POST">${hiddenFields({ csrfToken, callbackUrl })}${everywhere}
<button type="submit" class="submit" id="submitButton">${t.signout.button}</button></form>`
}
