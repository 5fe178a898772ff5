import { toRoute } from "../../http/redirect.js"
import { duration, fill } from "../../i18n/fill.js"
import { resendAfter } from "./resend.js"
import type { CodeForm, SentEmail } from "../../model/http.js"
import { type Html, attributes, html } from "../../html/html.js"
import { imageOf } from "../../html/image.js"
import { asList, card, hiddenFields } from "../../html/layout.js"
import { phrase } from "../../html/phrase.js"
import { backRules, backToSite } from "../../html/site-link.js"
import { signInTargets } from "../../html/targets.js"
import type { FeaturePageView, PageContext, PageOf, View } from "../../html/view.js"

type VerifyRequest = PageOf<"verify-request">

export const verifyRequestView: FeaturePageView<PageOf<"verify-request">> = {
  render: verifyRequestPage,
  script: ({ form, sent }) => (form !== undefined || sent !== undefined ? "page" : undefined),
  stepOf({ auth, request, refused }, { sent, form }) {
    const provider = auth.providers.get(sent?.provider ?? "")
    if (sent === undefined || provider?.type !== "email") return refused("Verification", toRoute(request, "signin"))
    const seconds = Math.floor((auth.runtime.now() - sent.sentAt) / 1000)
    const result = {
      status: "email-sent",
      email: sent.email,
      provider: provider.id,
      expiresIn: Math.max(0, provider.maxAge - seconds),
      resendIn: Math.max(0, resendAfter - seconds),
      ...(form && { code: { length: form.longest ?? form.length ?? 0, digits: form.digits, url: form.action } }),
      url: request.origin + request.path,
    } as const
    return { result, status: 200 }
  },
}

/** Shown after a request for a sign-in link. The user opens the link, or enters the code here. */
function verifyRequestPage(context: PageContext, page: VerifyRequest, script: string | undefined): View {
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

/** Sends the same form as the sign-in page, to the same route. */
function resendForm({ auth, request, t }: PageContext, sent: SentEmail): Html {
  const { resend, wait, ready, otherEmail, spam } = t.verifyRequest
  const { provider, email, sentAt, callbackUrl, csrfToken } = sent
  const seconds = Math.ceil((sentAt - auth.runtime.now()) / 1000) + resendAfter
  const action = toRoute(request, `signin/${provider}`)
  const signIn = toRoute(request, "signin", { callbackUrl })
  const other = html`<p class="other"><a href="${signIn}">${otherEmail}</a></p>`
  // The form of the sign-in page asks again whether the visitor is a bot.
  if (auth.captcha !== undefined && auth.captcha.actions?.includes("email") !== false) return other
  return html`<form class="resend" action="${action}" method="POST" data-resend="${String(Math.max(0, seconds))}">
${hiddenFields({ csrfToken, callbackUrl, email })}<p class="hint">${spam}</p><button type="submit" data-countdown="${wait}">${resend}</button>
<p class="label" role="status" data-ready="${ready}"></p></form>${other}`
}

const resendRules = `.verify-request .resend{margin:1.5rem 0 0;padding:1.25rem 0 0;border-top:1px solid var(--color-separator)}
.verify-request .resend .hint{margin:0}
.resend button,.resend button:hover,.resend button:active{background:none;border-color:transparent}
.resend button:hover:enabled{text-decoration:underline}
.resend button:disabled{color:var(--color-primary);font-weight:400;font-size:.875rem;opacity:1}
.verify-request .other{margin:0}
.verify-request .other a{display:inline-flex;align-items:center;min-height:2.75rem;text-decoration:none}
.verify-request .other a:hover{text-decoration:underline}
.verify-request .back{margin:0}
`

/** Longer codes don't fit into one row of boxes. */
const maxBoxes = 8

interface AroundCode {
  /** Says that the last code was wrong. */
  readonly alert: Html | undefined
  /** Says how long the link works. */
  readonly expiry: string | undefined
}

/** The form for the code of an email. */
function codeForm({ t }: PageContext, form: CodeForm, { alert, expiry }: AroundCode): Html {
  const { hint, button } = t.verifyRequest
  return html`<form action="${form.action}" method="POST">${hiddenFields({ csrfToken: form.csrfToken })}
<label class="section-header" for="input-code">${labelOf(t.verifyRequest, form)}</label>${boxed(form, input(form, alert !== undefined))}${alert}
<button type="submit" class="submit" id="submitButton">${button}</button>
<p class="hint" id="code-hint">${sendsItself(t, form)}${[hint, expiry].filter(Boolean).join(" ")}</p></form>`
}

/** The script shows it, and then sends the form. Without the notice, that would surprise users of screen readers (WCAG 2.2 §3.2.2). */
function sendsItself({ verifyRequest }: PageContext["t"], form: CodeForm): Html | undefined {
  if (!form.digits || !hasBoxes(form)) return undefined
  return html`<span data-sends hidden>${verifyRequest.sendsItself} </span>`
}

function labelOf(texts: PageContext["t"]["verifyRequest"], { digits, length }: CodeForm): string {
  if (length === undefined) return texts.label
  return fill(digits ? texts.digitsLabel : texts.charactersLabel, { count: String(length) })
}

/** `one-time-code` lets phones and password managers fill in the code that has just arrived. */
function input({ digits, length }: CodeForm, failed: boolean): Html {
  const given = {
    id: "input-code",
    name: "code",
    type: "text",
    inputmode: digits ? "numeric" : "text",
    autocomplete: "one-time-code",
    autocapitalize: "none",
    spellcheck: false,
    // More than the code has, because a pasted one may contain spaces. The server ignores them.
    maxlength: 64,
    required: true,
    autofocus: true,
    "data-code": length ?? "",
    "aria-describedby": failed ? "code-error code-hint" : "email-sent code-hint",
    ...(failed && { "aria-invalid": "true" }),
  }
  return html`<input${attributes(given)}>`
}

/** One input that looks like a box for each character, so paste, autofill, screen readers and deleting work as in any input. */
function boxed(form: CodeForm, field: Html): Html {
  if (!hasBoxes(form)) return field
  const boxes = Array.from({ length: form.length }, () => html`<span></span>`)
  return html`<div class="code">${boxes}${field}</div>`
}

function hasBoxes(form: CodeForm): form is CodeForm & { readonly length: number } {
  return form.length !== undefined && form.length > 0 && form.length <= maxBoxes
}

/**
 * The letter spacing puts each character into its box. The input is wider than the boxes, because it would scroll to show the
 * caret after the last character. The script marks the next box; without it, the ring is around all. A code is read from left to
 * right in every language.
 */
function codeRules(form: CodeForm): string {
  const rules = `.verify-request form{margin:1.5rem 0 0}
.verify-request form .hint{margin:1rem 0 0;text-wrap:balance}
#input-code{font-size:1.25rem;letter-spacing:.2em;text-align:center;direction:ltr}
`
  if (!hasBoxes(form)) return rules
  // From the left edge of a box to that of the next one.
  const box = `(100cqw + .4rem)/${form.length}`
  return `${rules}@supports (width:1cqw) and (overflow:clip){
.code{container-type:inline-size;position:relative;display:grid;grid-template-columns:repeat(${form.length},1fr);column-gap:.4rem;direction:ltr;
margin:0 0 1rem;overflow-x:clip;border-radius:var(--border-radius)}
.code span{height:3.25rem;border:var(--border-width) solid var(--color-control-border);border-radius:var(--border-radius)}
.code #input-code:not([type=hidden]):not([type=checkbox]):not([type=radio]){position:absolute;inset:0;width:calc(100% + ${box}/2);height:100%;
margin:0;padding:0 0 0 calc(${box}/2 - .2rem - .5ch);font:600 min(1.5rem,60cqw/${form.length})/1 ui-monospace,Menlo,Consolas,monospace;
letter-spacing:calc(${box} - 1ch);text-align:left;background:none;border:0;box-shadow:none;outline-color:transparent;outline-offset:-2px}
.code:has(:focus-visible):not(:has(.next)){outline:2px solid var(--color-focus);outline-offset:2px}
.code .next{border-color:var(--color-focus);box-shadow:0 0 0 1px var(--color-focus)}
.code:has([aria-invalid]) span:not(.next){border-color:var(--color-error)}
}
@media (forced-colors:active){.code .next{outline:2px solid Highlight}}
`
}
