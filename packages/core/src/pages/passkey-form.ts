import { fill } from "../i18n/fill.js"
import type { Messages } from "../i18n/messages.js"
import type { WebAuthnProvider } from "../model/webauthn-provider.js"
import { customOf, requiresResident } from "../provider-kit/passkey-config.js"
import { commonFields, type FormContext, inputsOf, routeOf, uniqueId } from "./form-parts.js"
import { attributes, type Html, html } from "./html.js"
import { passkeyTexts } from "./passkey-texts.js"

/**
 * The form of a passkey provider. Its script requests the options, asks the browser for a passkey and submits the form
 * with the result.
 */
export function passkeyForm(provider: WebAuthnProvider, context: FormContext): Html {
  const { id, name, formFields = {} } = provider
  const form = uniqueId(context, `${id}-form`)
  const inputs = inputsOf(provider, formFields, context, { "data-form-field": true })
  const signIn = {
    type: "submit",
    id: uniqueId(context, `submitButton-${id}`),
    name: "action",
    value: "authenticate",
    // The passkey itself names its user, so a sign-in needs none of the fields.
    formnovalidate: requiresResident(provider.config),
  }
  const settings = {
    url: routeOf(context, "webauthn-options", id),
    autofill: context.autofill === id,
    texts: passkeyTexts(context.t),
  }
  return html`<form id="${form}" action="${routeOf(context, "callback", id)}" method="POST" data-passkey="${JSON.stringify(settings)}">
${commonFields(context)}${inputs}
<button class="submit"${attributes(signIn)}>${fill(context.t.signin.with, { provider: name })}</button>
${context.passkeySignUp && asksForEmail(provider) ? signUpButton(context.t, name) : undefined}
<p role="status"></p><p role="alert"></p>
<noscript><p>${context.t.passkey.noScript}</p></noscript></form>`
}

function signUpButton({ passkey }: Messages, name: string): Html {
  return html`<button type="submit" name="action" value="register">${fill(passkey.create, { provider: name })}</button>`
}

/** A new user needs an email. `getUserInfo` can get it from other fields. */
export function asksForEmail({ formFields = {}, config }: WebAuthnProvider): boolean {
  return Object.hasOwn(formFields, "email") || customOf(config).getUserInfo !== undefined
}

/** CSS rules of the form. */
export const passkeyRules = `
form[data-passkey] button+button{margin-top:.75rem}
form[data-passkey] p{margin:.75rem 0 0;font-size:.9375rem;text-align:center}
form[data-passkey] p:empty{margin:0}
form[data-passkey] [role=alert]:not(:empty){padding:.75rem 1rem;color:#fff;background:var(--color-error);border-radius:var(--border-radius);text-align:left}
`
