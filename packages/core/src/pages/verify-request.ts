import { toRoute } from "../http/redirect.js"
import { duration } from "../i18n/duration.js"
import { fill } from "../i18n/fill.js"
import type { Messages } from "../i18n/messages.js"
import type { CodeForm, AuthRequest } from "../model/http.js"
import { attributes, type Html, html } from "./html.js"
import { imageOf } from "./image.js"
import { card, hiddenFields, asList } from "./layout.js"
import { siteLink } from "./site-link.js"
import { signInTargets } from "./targets.js"
import type { PageContext, PageOf, View } from "./view.js"

/** Shown after a request for a sign-in link. The user opens the link, or enters the code here. */
export function verifyRequestPage(
  { auth, request, t, locale }: PageContext,
  page: PageOf<"verify-request">,
  script?: string,
): View {
  const { title, heading, text, lasts } = t.verifyRequest
  const { form, error } = page
  const logo = imageOf(request, auth.theme.logo)
  const provider = auth.providers.get(request.query["provider"] ?? "")
  const expiry =
    provider?.type === "email" ? html`<p>${fill(lasts, { time: duration(provider.maxAge, locale) })}</p>` : html``
  const alert = error === undefined ? html`` : wrongCode(t)
  const again = error === undefined ? html`` : requestAgain(t, request)
  const codeEntry = form === undefined ? html`` : codeForm(t, form, error !== undefined)
  return {
    title,
    root: "verify-request",
    status: 200,
    content: card(
      t,
      logo,
      html`<h1>${heading}</h1>${alert}<p>${text}</p>${expiry}${codeEntry}${again}<p>${siteLink(request)}</p>`,
    ),
    images: asList(logo),
    script,
    rules: form === undefined ? "" : rules,
    formTargets: form === undefined ? ["'none'"] : signInTargets(auth, request, form.callbackUrl),
  }
}

const rules = `.verify-request form{margin-bottom:1.25rem}
#input-code{font-size:1.25rem;letter-spacing:.2em;text-align:center}
`

function wrongCode({ verifyRequest }: Messages): Html {
  return html`<div class="error" role="alert"><p id="code-error">${verifyRequest.wrong}</p></div>`
}

function requestAgain({ verifyRequest }: Messages, request: AuthRequest): Html {
  return html`<p><a class="site" href="${toRoute(request, "signin")}">${verifyRequest.again}</a></p>`
}

/** `one-time-code` lets phones and password managers fill in the code that has just arrived. */
function codeForm({ verifyRequest }: Messages, { action, csrfToken, digits }: CodeForm, failed: boolean): Html {
  const { label, button, hint } = verifyRequest
  const input = {
    id: "input-code",
    name: "code",
    type: "text",
    inputmode: digits ? "numeric" : "text",
    autocomplete: "one-time-code",
    autocapitalize: "none",
    spellcheck: false,
    maxlength: 64,
    required: true,
    "aria-describedby": failed ? "code-error code-hint" : "code-hint",
    ...(failed && { "aria-invalid": "true", autofocus: true }),
  }
  return html`<hr><form action="${action}" method="POST">${hiddenFields({ csrfToken })}
<label class="section-header" for="input-code">${label}</label><input${attributes(input)}>
<p id="code-hint">${hint}</p>
<button type="submit" class="submit" id="submitButton">${button}</button></form>`
}
