import { toRoute } from "../../http/redirect.js"
import { captchaElement } from "../../html/captcha.js"
import { emailField } from "../../html/fields.js"
import { commonFields, errorAt, failing, routeOf, submitButton, uniqueId } from "../../html/form-parts.js"
import { attributes, type Html, html } from "../../html/html.js"
import { lineIcon } from "../../html/icon.js"
import { isOnly } from "../../html/labels.js"
import { type FormContext, type ProviderView, leavesSite } from "../../html/view.js"
import type { EmailProvider } from "../../model/email-provider.js"

/** A form for the email. */
export const view: ProviderView<EmailProvider> = {
  form: emailForm,
  icon: lineIcon([
    "M4.5 5h15A1.5 1.5 0 0 1 21 6.5v11a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 17.5v-11A1.5 1.5 0 0 1 4.5 5z",
    "m3.5 7.2 7.6 5.4a1.6 1.6 0 0 0 1.8 0l7.6-5.4",
  ]),
  label: (provider, context) =>
    serviceNames.has(provider.name) && isOnly(provider, context) ? context.t.signin.sendLink : undefined,
  instead: (_, { signin }) => signin.emailInstead,
  noun: ({ name }, { signin }) => (serviceNames.has(name) ? signin.email : undefined),
  failure: { error: "EmailSignin", input: () => "email" },
  takesFocus: true,
  method: ({ id }, { request, t, autofill }) => ({
    type: "email",
    url: toRoute(request, `signin/${id}`),
    fields: [emailField(t, { required: true, autofill })],
  }),
}

/** The default names of email providers: services that users don't know. */
const serviceNames: ReadonlySet<string> = new Set([
  "Email",
  "Forward Email",
  "Loops",
  "Mailgun",
  "Nodemailer",
  "Postmark",
  "Resend",
  "SendGrid",
])

function emailForm(provider: EmailProvider, context: FormContext): Html {
  const id = uniqueId(context, `input-email-for-${provider.id}-provider`)
  const given = {
    id,
    name: "email",
    type: "email",
    // The browser also offers passkeys in this field, which has the focus.
    autocomplete: context.autofill === undefined ? "email" : "email webauthn",
    placeholder: context.t.signin.emailExample,
    value: context.email,
    "data-identifier": true,
    required: true,
    autofocus: context.focused === provider.id,
  }
  const input = html`<input${attributes(given, failing(provider, "email", context))}>`
  const label = html`<label class="section-header" for="${id}">${context.t.signin.email}</label>`
  // The other forms are options below, and the next page says what to do.
  const isOneOfSeveral = context.providers.filter((each) => !leavesSite(context, each)).length > 1
  const text = isOneOfSeveral && provider.buttonLabel === undefined ? context.t.common.continue : undefined
  const button = submitButton(provider, context, uniqueId(context, "submitButton", provider.id), text)
  const action = routeOf(context, "signin", provider.id)
  return html`<form action="${action}" method="POST">${commonFields(context)}${label}${input}${errorAt(provider, "email", context)}${captchaElement(context.auth, "email")}${button}</form>`
}
