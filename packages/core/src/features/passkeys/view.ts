import { passkeyTexts } from "../../html/passkey-texts.js"
import { fill } from "../../i18n/fill.js"
import type { Messages } from "../../i18n/messages.js"
import { textOf } from "../../http/auth-request.js"
import { toRoute } from "../../http/redirect.js"
import { emailField, fieldsOf } from "../../html/fields.js"
import { commonFields, inputsOf, routeOf, uniqueId } from "../../html/form-parts.js"
import { type Html, attributes, html } from "../../html/html.js"
import { lineIcon } from "../../html/icon.js"
import { buttonLabel } from "../../html/labels.js"
import { type FormContext, type MethodContext, type ProviderView, isForm } from "../../html/view.js"
import type { PasskeyStep } from "../../model/flow.js"
import type { WebAuthnProvider } from "../../model/webauthn-provider.js"
import { customOf, requiresResident } from "../../provider-kit/passkey-config.js"

const icon = lineIcon(["M8 20a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9z", "m11.2 12.3 8.3-8.3m-3.5 3.5 3 3"])

/** CSS rules of the form. */
const passkeyRules = `
.compact .provider:has([data-passkey]){grid-column:1/-1}
form[data-passkey] button+button{margin-top:.5rem}
form[data-passkey]>p,form[data-passkey] noscript p{margin:.75rem 0 0;text-align:center}
form[data-passkey]>p:empty{margin:0}
form[data-passkey]>[role=alert]{color:var(--color-error)}
.more>summary{border:0;background:none;font-weight:400;color:var(--color-primary);text-decoration:underline;text-underline-offset:.2em}
.more[open]>summary{display:none}
.more[open]>label{margin-top:.75rem}
`

/** A form whose script asks the browser for a passkey. */
export const view: ProviderView<WebAuthnProvider> = {
  isOnPage: ({ formFields }) => Boolean(formFields),
  form: passkeyForm,
  isForm: (provider, context) => !isOneButton(provider, context),
  icon,
  rules: passkeyRules,
  label: ({ name }, { t }) => (name === "Passkey" ? t.signin.withPasskey : undefined),
  instead: (_, { signin }) => signin.passkeyInstead,
  noun: (_, { account }) => account.passkeys.unnamed,
  usesAutofill: ({ config }) => Boolean(config.enableConditionalUI),
  connects: true,
  script: async () => (await import("./generated/script.js")).passkeyScript,
  method: passkeyMethod,
  optionsStep({ request, t, refused }, { body, status = 200 }) {
    const url = toRoute(request, "signin")
    if (status === 403) return refused("RecentSignInRequired", url)
    const field = textOf(request.query["email"]) === undefined ? "email" : undefined
    if (status !== 200) return refused("InvalidRequest", url, { field })
    const { action, options } = body as Pick<PasskeyStep, "action" | "options">
    return { result: { status: "passkey", action, options, messages: passkeyTexts(t) }, status: 200 }
  },
}

function passkeyMethod(provider: WebAuthnProvider, { auth, request, t, autofill }: MethodContext) {
  const { id, formFields } = provider
  const canSignUp = auth.security.passkeySignUp && (formFields === undefined || asksForEmail(provider))
  return {
    url: toRoute(request, `callback/${id}`),
    type: "webauthn",
    fields: formFields === undefined ? [emailField(t, { required: false, autofill })] : fieldsOf(t, formFields),
    optionsUrl: toRoute(request, `webauthn-options/${id}`),
    autofill: autofill === id,
    ...(canSignUp && { signUp: { label: createLabel(provider, t) } }),
  } as const
}

/** The text of the button that creates a passkey. */
function createLabel({ name }: WebAuthnProvider, { signin, passkey }: Messages): string {
  return name === "Passkey" ? signin.createPasskey : fill(passkey.create, { provider: name })
}

/**
 * The form of a passkey provider. Its script requests the options, asks the browser for a passkey and submits the form
 * with the result.
 */
function passkeyForm(provider: WebAuthnProvider, context: FormContext): Html {
  const { id, formFields = {} } = provider
  const form = uniqueId(context, `${id}-form`)
  const inputs = inputsOf(provider, formFields, context, { "data-form-field": true })
  const settings = {
    // The script adds a query, which has no text.
    url: `${context.request.base}/webauthn-options/${id}`,
    autofill: context.autofill === id,
    texts: passkeyTexts(context.t),
  }
  return html`<form id="${form}" action="${routeOf(context, "callback", id)}" method="POST" data-passkey="${JSON.stringify(settings)}">
${commonFields(context)}${isOneButton(provider, context) ? oneButton(provider, inputs, context) : wholeForm(provider, inputs, context)}
<p role="status"></p><p role="alert"></p>
<noscript><p>${context.t.passkey.noScript}</p></noscript></form>`
}

/** Beside other forms, a passkey that names its user needs one button, and its fields only serve to create another. */
function isOneButton(provider: WebAuthnProvider, context: Pick<FormContext, "auth" | "providers" | "views">): boolean {
  const others = context.providers.some((other) => other.type !== provider.type && isForm(other, context))
  return others && context.auth.security.passkeySignUp && asksForEmail(provider) && requiresResident(provider.config)
}

function wholeForm(provider: WebAuthnProvider, inputs: readonly Html[], context: FormContext): Html {
  const signUp =
    context.auth.security.passkeySignUp && asksForEmail(provider) ? signUpButton(provider, context) : undefined
  return html`${inputs}
<button class="submit"${signInAttributes(provider, context)}>${buttonLabel(provider, context)}</button>
${signUp}`
}

function oneButton(provider: WebAuthnProvider, inputs: readonly Html[], context: FormContext): Html {
  const label = html`<span>${buttonLabel(provider, context)}</span>`
  return html`<button class="button"${signInAttributes(provider, context)}>${icon}${label}</button>
<details class="more"><summary>${createLabel(provider, context.t)}</summary>${inputs}
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
  return html`<button type="submit" name="action" value="register">${createLabel(provider, context.t)}</button>`
}

/** A new user needs an email. `getUserInfo` can get it from other fields. */
function asksForEmail({ formFields = {}, config }: WebAuthnProvider): boolean {
  return Object.hasOwn(formFields, "email") || customOf(config).getUserInfo !== undefined
}
