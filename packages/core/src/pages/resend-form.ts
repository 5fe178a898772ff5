import { toRoute } from "../http/redirect.js"
import type { SentEmail } from "../model/http.js"
import { type Html, html } from "./html.js"
import { hiddenFields } from "./layout.js"
import type { PageContext } from "./view.js"

/**
 * Seconds after which the page offers to send the email again: about the time that mail takes to arrive. The rate limits for
 * emails decide what is sent. They allow five in 15 minutes.
 */
export const resendAfter = 60

/** Sends the same form as the sign-in page, to the same route. */
export function resendForm({ auth, request, t }: PageContext, sent: SentEmail, expiry: Html | undefined): Html {
  const { resend, wait, ready, otherEmail, spam } = t.verifyRequest
  const { provider, email, sentAt, callbackUrl, csrfToken } = sent
  const seconds = Math.ceil((sentAt - auth.runtime.now()) / 1000) + resendAfter
  const action = toRoute(request, `signin/${provider}`)
  const signIn = toRoute(request, "signin", { callbackUrl })
  return html`<form action="${action}" method="POST" data-resend="${String(Math.max(0, seconds))}">
${hiddenFields({ csrfToken, callbackUrl, email })}${expiry}<p class="hint">${spam}</p>
<button type="submit">${resend}</button><p class="hint" data-countdown="${wait}" hidden></p><p class="hint" role="status" data-ready="${ready}"></p></form>
<p><a class="site" href="${signIn}">${otherEmail}</a></p>`
}

export const resendRules = `[data-resend] p:empty{display:none}
[data-resend] button+p{margin:.5rem 0 0}
[data-resend] button:disabled{opacity:.6;cursor:default}
`
