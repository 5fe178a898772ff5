import { toRoute } from "../http/redirect.js"
import { resendAfter } from "../limits/default-limits.js"
import type { SentEmail } from "../model/http.js"
import { type Html, html } from "./html.js"
import { hiddenFields } from "./layout.js"
import type { PageContext } from "./view.js"

/** Sends the same form as the sign-in page, to the same route. */
export function resendForm({ auth, request, t }: PageContext, sent: SentEmail): Html {
  const { resend, wait, ready, otherEmail, spam } = t.verifyRequest
  const { provider, email, sentAt, callbackUrl, csrfToken } = sent
  const seconds = Math.ceil((sentAt - auth.runtime.now()) / 1000) + resendAfter
  const action = toRoute(request, `signin/${provider}`)
  const signIn = toRoute(request, "signin", { callbackUrl })
  return html`<form class="resend" action="${action}" method="POST" data-resend="${String(Math.max(0, seconds))}">
${hiddenFields({ csrfToken, callbackUrl, email })}<p class="hint">${spam}</p><button type="submit" data-countdown="${wait}">${resend}</button>
<p class="label" role="status" data-ready="${ready}"></p></form><p class="other"><a href="${signIn}">${otherEmail}</a></p>`
}

export const resendRules = `.verify-request .resend{margin:1.5rem 0 0;padding:1.25rem 0 0;border-top:1px solid var(--color-separator)}
.verify-request .resend .hint{margin:0}
.resend button,.resend button:hover,.resend button:active{background:none;border-color:transparent}
.resend button:hover:enabled{text-decoration:underline}
.resend button:disabled{color:var(--color-primary);font-weight:400;font-size:.875rem;opacity:1}
.verify-request .other{margin:0}
.verify-request .other a{display:inline-flex;align-items:center;min-height:2.75rem;text-decoration:none}
.verify-request .other a:hover{text-decoration:underline}
.verify-request .back{margin:0}
`
