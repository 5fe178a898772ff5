import type { AuthContext } from "../model/auth.js"
import type { AuthRequest, RequestingDevice } from "../model/http.js"
import { type Html, html } from "./html.js"
import { imageOf } from "./image.js"
import { card, hiddenFields, asList } from "./layout.js"
import { messages } from "./messages.js"
import { signInTargets } from "./targets.js"
import type { PageOf, View } from "./view.js"

/** Shown when a link is opened by a scanner or on another device: scanners follow links but don't submit forms. */
export function confirmEmailPage(
  auth: AuthContext,
  request: AuthRequest,
  page: PageOf<"confirm-email">,
  script?: string,
): View {
  const { title, heading, button } = messages.confirmEmail
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
    content: card(localLogo, html`<h1>${heading(new URL(request.origin).host)}</h1>${text(page)}${form}`),
    images: asList(localLogo),
    rules: "",
    script,
    // The path contains the token, so it isn't even sent to this site, where it may be logged.
    referrer: "strict-origin",
    formTargets: signInTargets(auth, request, fields["callbackUrl"]),
  }
}

function text({ account, replaces, device }: PageOf<"confirm-email">): Html {
  const { accountLabel, finish, replacing, warning } = messages.confirmEmail
  const whose = account === undefined ? undefined : html`<p>${accountLabel} <strong>${account}</strong></p>`
  const other = replaces === undefined ? undefined : html`<p>${replacing(replaces)}</p>`
  return html`${whose}${other}<p>${requestedBy(device)}</p><p>${finish}</p><p>${warning}</p>`
}

function requestedBy(device: RequestingDevice | undefined): string {
  const { unknownDevice, requested } = messages.confirmEmail
  return device === undefined ? unknownDevice : requested(device.secondsAgo, device.browser, device.system)
}
