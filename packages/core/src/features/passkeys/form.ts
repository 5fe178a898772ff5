import type { Messages } from "../../i18n/messages.js"
import type { WebAuthnProvider } from "../../model/webauthn-provider.js"
import { customOf, requiresResident } from "../../provider-kit/passkey-config.js"
import type { FormContext } from "../../html/form-context.js"
import { commonFields, inputsOf, routeOf, uniqueId } from "../../html/form-parts.js"
import { type Html, attributes, html } from "../../html/html.js"
import { lineIcon } from "../../html/icon.js"
import { buttonLabel, createLabel } from "../../html/labels.js"

/**
 * The form of a passkey provider. Its script requests the options, asks the browser for a passkey and submits the form
 * with the result.
 */
export function passkeyForm(provider: WebAuthnProvider, context: FormContext): Html {
  const { id, formFields = {} } = provider
  const form = uniqueId(context, `${id}-form`)
  const inputs = inputsOf(provider, formFields, context, { "data-form-field": true })
  const settings = {
    url: routeOf(context, "webauthn-options", id),
    autofill: context.autofill === id,
    texts: passkeyTexts(context.t),
  }
  return html`<form id="${form}" action="${routeOf(context, "callback", id)}" method="POST" data-passkey="${JSON.stringify(settings)}">
${commonFields(context)}${isOneButton(provider, context) ? oneButton(provider, inputs, context) : wholeForm(provider, inputs, context)}
<p role="status"></p><p role="alert"></p>
<noscript><p>${context.t.passkey.noScript}</p></noscript></form>`
}

/** Beside other forms, a passkey that names its user needs one button, and its fields only serve to create another. */
export function isOneButton(
  provider: WebAuthnProvider,
  context: Pick<FormContext, "providers" | "passkeySignUp">,
): boolean {
  const others = context.providers.some(({ type }) => type === "email" || type === "credentials")
  return others && context.passkeySignUp && asksForEmail(provider) && requiresResident(provider.config)
}

function wholeForm(provider: WebAuthnProvider, inputs: readonly Html[], context: FormContext): Html {
  const signUp = context.passkeySignUp && asksForEmail(provider) ? signUpButton(provider, context) : undefined
  return html`${inputs}
<button class="submit"${signInAttributes(provider, context)}>${buttonLabel(provider, context)}</button>
${signUp}`
}

function oneButton(provider: WebAuthnProvider, inputs: readonly Html[], context: FormContext): Html {
  const label = html`<span>${buttonLabel(provider, context)}</span>`
  return html`<button class="button"${signInAttributes(provider, context)}>${lineIcon("passkey")}${label}</button>
<details class="more"><summary>${createLabel(provider, context)}</summary>${inputs}
${signUpButton(provider, context)}</details>`
}

function signInAttributes({ id, config }: WebAuthnProvider, context: FormContext) {
  return attributes({
    type: "submit",
    id: uniqueId(context, `submitButton-${id}`),
    name: "action",
    value: "authenticate",
    // The passkey itself names its user, so a sign-in needs none of the fields.
    formnovalidate: requiresResident(config),
  })
}

function signUpButton(provider: WebAuthnProvider, context: FormContext): Html {
  return html`<button type="submit" name="action" value="register">${createLabel(provider, context)}</button>`
}

/** A new user needs an email. `getUserInfo` can get it from other fields. */
export function asksForEmail({ formFields = {}, config }: WebAuthnProvider): boolean {
  return Object.hasOwn(formFields, "email") || customOf(config).getUserInfo !== undefined
}

/** CSS rules of the form. */
export const passkeyRules = `
.compact .provider:has([data-passkey]){grid-column:1/-1}
form[data-passkey] button+button{margin-top:.5rem}
form[data-passkey]>p,form[data-passkey] noscript p{margin:.75rem 0 0;text-align:center}
form[data-passkey]>p:empty{margin:0}
form[data-passkey]>[role=alert]{color:var(--color-error)}
.more>summary{border:0;background:none;font-weight:400;color:var(--color-primary);text-decoration:underline;text-underline-offset:.2em}
.more[open]>summary{display:none}
.more[open]>label{margin-top:.75rem}
`

/**
 * What the script of a passkey form shows: text by the name of a DOMException (WebAuthn Level 3 §5.1.3, §5.1.4) or by the
 * HTTP status of the server. A key with the action takes precedence.
 */
export function passkeyTexts({ passkey }: Messages): Readonly<Record<string, string>> {
  return {
    waiting: passkey.waiting,
    unsupported: passkey.unsupported,
    failed: passkey.failed,
    NotAllowedError: passkey.notAllowed,
    "NotAllowedError register": passkey.notCreated,
    InvalidStateError: passkey.exists,
    ConstraintError: passkey.unsuitable,
    NotSupportedError: passkey.unsuitable,
    400: passkey.rejected,
    429: passkey.rateLimited,
  }
}
