import type { CredentialsProvider } from "../../model/credentials-provider.js"
import type { EmailProvider } from "../../model/email-provider.js"
import type { OAuthProvider } from "../../model/oauth-provider.js"
import type { ResolvedProvider } from "../../model/signin.js"
import { commonFields, errorAt, failing, inputsOf, routeOf, submitButton, uniqueId } from "../../html/form-parts.js"
import type { FormContext } from "../../html/form-context.js"
import { attributes, type Html, html } from "../../html/html.js"
import { iconOf } from "../../html/icon.js"
import { imageOf } from "../../html/image.js"
import { buttonLabel } from "../../html/labels.js"
import { passkeyForm } from "../passkeys/form.js"

export function leavesSite<Provider extends ResolvedProvider>(
  provider: Provider,
): provider is Provider & OAuthProvider {
  return provider.type === "oauth" || provider.type === "oidc"
}

/** Credentials and passkey providers without fields are used from the application's own pages. */
export function isOnPage(provider: ResolvedProvider): boolean {
  if (provider.type === "credentials") return Object.keys(provider.credentials).length > 0
  return provider.type !== "webauthn" || Boolean(provider.formFields)
}

export function formOf(provider: ResolvedProvider, context: FormContext): Html {
  switch (provider.type) {
    case "oauth":
    case "oidc":
      return buttonForm(provider, context)
    case "email":
      return emailForm(provider, context)
    case "credentials":
      return credentialsForm(provider, context)
    case "webauthn":
      return passkeyForm(provider, context)
  }
}

/** The style sheet shows the name alone where there are many buttons. Screen readers always read the whole label. */
function buttonForm(provider: OAuthProvider, context: FormContext): Html {
  const { id, name } = provider
  const label = buttonLabel(provider, context)
  const short =
    provider.buttonLabel === undefined ? html`<span class="short" aria-hidden="true">${name}</span>` : undefined
  const button = html`<button type="submit" class="button">${markOf(provider, context)}<span>${label}</span>${short}</button>`
  return html`<form action="${routeOf(context, "signin", id)}" method="POST">${commonFields(context)}${button}</form>`
}

/** The image of the configuration, otherwise the icon of the provider, otherwise its initial. */
function markOf({ name, style }: OAuthProvider, { request }: FormContext): Html {
  const logo = imageOf(request, style.logo)
  if (logo !== undefined) return html`<img loading="lazy" width="24" height="24" src="${logo.src}" alt="">`
  const initial = /^./su.exec(name.trim())?.[0].toUpperCase()
  return iconOf(style.icon) ?? html`<span class="initial" aria-hidden="true">${initial}</span>`
}

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
  const button = submitButton(provider, context, uniqueId(context, "submitButton", provider.id))
  const action = routeOf(context, "signin", provider.id)
  return html`<form action="${action}" method="POST">${commonFields(context)}${label}${input}${errorAt(provider, "email", context)}${button}</form>`
}

function credentialsForm(provider: CredentialsProvider, context: FormContext): Html {
  const button = submitButton(provider, context, uniqueId(context, "submitButton", provider.id))
  const inputs = inputsOf(provider, provider.credentials, context)
  const action = routeOf(context, "callback", provider.id)
  return html`<form action="${action}" method="POST">${commonFields(context)}${inputs}${button}</form>`
}
