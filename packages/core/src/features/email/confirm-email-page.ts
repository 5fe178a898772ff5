import { ago, fill } from "../../i18n/fill.js"
import type { Messages } from "../../i18n/messages.js"
import { type Html, html } from "../../html/html.js"
import { imageOf } from "../../html/image.js"
import { deviceName } from "../../html/labels.js"
import { asList, card, hiddenFields } from "../../html/layout.js"
import { phrase } from "../../html/phrase.js"
import { appName, backRules, backToSite } from "../../html/site-link.js"
import { signInTargets } from "../../html/targets.js"
import type { FeaturePageView, PageContext, PageOf, View } from "../../html/view.js"

export const confirmEmailView: FeaturePageView<PageOf<"confirm-email">> = {
  render: confirmEmailPage,
  script: () => "page",
  stepOf(_, { account, replaces, device, fields, csrfToken = "", action }) {
    const result = {
      status: "confirm-email",
      ...(account !== undefined && { account }),
      ...(replaces !== undefined && { replaces }),
      ...(device !== undefined && { device }),
      fields,
      csrfToken,
      url: action,
    } as const
    return { result, status: 200 }
  },
}

/** Shown when a link is opened by a scanner or on another device: scanners follow links but don't submit forms. */
function confirmEmailPage(context: PageContext, page: PageOf<"confirm-email">, script: string | undefined): View {
  const { auth, request, t } = context
  const { title, heading, button } = t.confirmEmail
  const { action, fields, csrfToken } = page
  const logo = imageOf(request, auth.theme.logo)
  // The URL of this page contains the token, which a logo on another site could learn from the Referer header.
  const localLogo = logo?.source === undefined ? logo : undefined
  const form = html`<form action="${action}" method="POST">${hiddenFields({ ...fields, csrfToken })}
<button type="submit" class="submit" id="submitButton">${button}</button></form>`
  return {
    title,
    root: "confirm-email",
    status: 200,
    content: card(
      t,
      localLogo,
      html`<h1>${fill(heading, { app: appName(context) })}</h1>${text(context, page)}${form}${backToSite(context)}`,
    ),
    images: asList(localLogo),
    rules: `${backRules}.confirm-email p:has(+form){margin-bottom:1.25rem}\n`,
    script,
    // The path contains the token, so it isn't even sent to this site, where it may be logged.
    referrer: "strict-origin",
    formTargets: signInTargets(auth, request, fields["callbackUrl"]),
  }
}

/** One sentence, and what requested the link. It matters more if the sign-in would end the session of another user. */
function text(context: PageContext, { account, replaces, device }: PageOf<"confirm-email">): Html {
  const { confirmEmail } = context.t
  const whose = account === undefined ? undefined : whoseAccount(confirmEmail.account, account)
  const other = replaces === undefined ? undefined : html`<p>${replacing(confirmEmail, replaces)}</p>`
  return html`${whose}<p class="hint">${requestedBy(context, device)}</p>${other}`
}

function whoseAccount(text: string, account: string): Html {
  return html`<p>${phrase(text, { account: html`<strong><bdi>${account}</bdi></strong>` })}</p>`
}

/** @param user empty if the user has no email */
function replacing({ replacing, replacingOther }: Messages["confirmEmail"], user: string): string {
  return user === "" ? replacingOther : fill(replacing, { user })
}

function requestedBy({ t, locale }: PageContext, device: PageOf<"confirm-email">["device"]): string {
  if (device === undefined) return t.account.sessions.unknownDevice
  return `${deviceName(t, device)} · ${ago(device.secondsAgo, locale)}`
}
