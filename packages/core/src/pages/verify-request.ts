import { toRoute } from "../http/redirect.js"
import { duration } from "../i18n/duration.js"
import { fill } from "../i18n/fill.js"
import type { SentEmail } from "../model/http.js"
import { type Html, html } from "./html.js"
import { codeForm, codeRules } from "./code-form.js"
import { imageOf } from "./image.js"
import { card, asList } from "./layout.js"
import { phrase } from "./phrase.js"
import { resendForm, resendRules } from "./resend-form.js"
import { backRules, backToSite } from "./site-link.js"
import { signInTargets } from "./targets.js"
import type { PageContext, PageOf, View } from "./view.js"

type VerifyRequest = PageOf<"verify-request">

/** Shown after a request for a sign-in link. The user opens the link, or enters the code here. */
export function verifyRequestPage(context: PageContext, page: VerifyRequest, script?: string): View {
  const { auth, request, t } = context
  const { form, sent } = page
  const logo = imageOf(request, auth.theme.logo)
  const hasForm = form !== undefined || sent !== undefined
  return {
    title: t.verifyRequest.title,
    root: "verify-request",
    status: 200,
    content: card(t, logo, content(context, page)),
    images: asList(logo),
    script,
    rules: [backRules, form && codeRules(form), sent && resendRules].join(""),
    formTargets: hasForm ? signInTargets(auth, request, form?.callbackUrl ?? sent?.callbackUrl) : ["'none'"],
  }
}

function content(context: PageContext, { form, sent, error }: VerifyRequest): Html {
  const { t } = context
  const failed = error !== undefined
  const resent = sent?.again === true && !failed ? html`<p class="notice">${t.verifyRequest.resent}</p>` : undefined
  // Without a form there's no field that the error could be next to.
  const alert = failed && form === undefined ? wrongCode(context) : undefined
  return html`<h1>${t.verifyRequest.heading}</h1>${alert}${resent}<p id="email-sent">${sentTo(context, sent, form !== undefined)}</p>
${form ? codeForm(context, form, { alert: failed ? wrongCode(context) : undefined, expiry: expiry(context) }) : lasting(context)}
${sent ? resendForm(context, sent) : failed ? requestAgain(context) : undefined}${backToSite(context)}`
}

/** Only the browser that requested the email sees the address. */
function sentTo({ t }: PageContext, sent: SentEmail | undefined, hasCode: boolean): Html {
  const texts = t.verifyRequest
  if (sent === undefined) return html`${texts.text}`
  const email = html`<strong><bdi>${sent.email}</bdi></strong>`
  return phrase(hasCode ? texts.sentWithCode : texts.sent, { email })
}

function lasting(context: PageContext): Html | undefined {
  const text = expiry(context)
  return text === undefined ? undefined : html`<p class="hint">${text}</p>`
}

function expiry({ auth, request, t, locale }: PageContext): string | undefined {
  const provider = auth.providers.get(request.query["provider"] ?? "")
  if (provider?.type !== "email") return undefined
  return fill(t.verifyRequest.lasts, { time: duration(provider.maxAge, locale) })
}

function wrongCode({ t }: PageContext): Html {
  return html`<div class="error" role="alert"><p id="code-error">${t.verifyRequest.wrong}</p></div>`
}

function requestAgain({ request, t }: PageContext): Html {
  return html`<p><a class="site" href="${toRoute(request, "signin")}">${t.verifyRequest.again}</a></p>`
}
