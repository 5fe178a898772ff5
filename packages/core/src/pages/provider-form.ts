import type { AuthRequest } from "../model/http.js"
import type { CredentialInput, WebAuthnProvider } from "../model/credentials-provider.js"
import type { EmailProvider } from "../model/email-provider.js"
import type { OAuthProvider } from "../model/oauth-provider.js"
import type { ResolvedProvider } from "../model/signin.js"
import { attributes, type Html, html } from "./html.js"
import { imageOf } from "./image.js"
import { hiddenFields } from "./layout.js"
import { messages } from "./messages.js"

export interface FormContext {
  readonly request: AuthRequest
  readonly callbackUrl: string
  readonly csrfToken: string | undefined
  readonly email: string | undefined
  /** ID of the provider whose input gets the focus. */
  readonly focused: string | undefined
  /** Element IDs already used on this page. */
  readonly ids: Set<string>
  /** Whether the page shows an error. The inputs then reference it with `aria-describedby`. */
  readonly failed: boolean
}

type Fields = Readonly<Record<string, CredentialInput>>

export function leavesSite(provider: ResolvedProvider): provider is OAuthProvider {
  return provider.type === "oauth" || provider.type === "oidc"
}

/** Credentials and passkey providers without fields are used from the application's own pages. */
export function isOnPage(provider: ResolvedProvider): boolean {
  if (provider.type === "credentials") return Object.keys(provider.credentials).length > 0
  return provider.type !== "webauthn" || provider.formFields !== undefined
}

export function formOf(provider: ResolvedProvider, context: FormContext): Html {
  switch (provider.type) {
    case "oauth":
    case "oidc":
      return buttonForm(provider, context)
    case "email":
      return emailForm(provider, context)
    case "credentials":
      return fieldsForm(provider, provider.credentials, context, uniqueId(context, "submitButton", provider.id))
    case "webauthn":
      return passkeyForm(provider, context)
  }
}

function buttonForm({ id, name, style }: OAuthProvider, context: FormContext): Html {
  const logo = imageOf(context.request, style.logo)
  const initial = /^./su.exec(name.trim())?.[0].toUpperCase()
  const mark = logo
    ? html`<img loading="lazy" width="24" height="24" src="${logo.src}" alt="">`
    : html`<span class="initial" aria-hidden="true">${initial}</span>`
  const button = html`<button type="submit" class="button">${mark}<span>${messages.signin.with(name)}</span></button>`
  return html`<form action="${routeOf(context, "signin", id)}" method="POST">${commonFields(context)}${button}</form>`
}

function emailForm(provider: EmailProvider, context: FormContext): Html {
  const id = uniqueId(context, `input-email-for-${provider.id}-provider`)
  const given = {
    id,
    name: "email",
    type: "email",
    autocomplete: "email",
    placeholder: messages.signin.emailExample,
    value: context.email,
    required: true,
    autofocus: context.focused === provider.id,
  }
  const input = html`<input${attributes(given, errorReference(context))}>`
  const label = html`<label class="section-header" for="${id}">${messages.signin.email}</label>`
  const button = submitButton(provider, uniqueId(context, "submitButton", provider.id))
  const action = routeOf(context, "signin", provider.id)
  return html`<form action="${action}" method="POST">${commonFields(context)}${label}${input}${button}</form>`
}

function passkeyForm(provider: WebAuthnProvider, context: FormContext): Html {
  const id = uniqueId(context, `${provider.id}-form`)
  return fieldsForm(provider, provider.formFields ?? {}, context, uniqueId(context, `submitButton-${provider.id}`), id)
}

function fieldsForm(
  provider: ResolvedProvider,
  fields: Fields,
  context: FormContext,
  button: string,
  form?: string,
): Html {
  const own = provider.type === "webauthn" ? { "data-form-field": true } : {}
  const inputs = Object.entries(fields).map(([key, field]) => fieldOf(provider, key, { ...field, ...own }, context))
  const action = routeOf(context, "callback", provider.id)
  const content = html`${commonFields(context)}${inputs}${submitButton(provider, button)}`
  return html`<form${attributes({ id: form })} action="${action}" method="POST">${content}</form>`
}

function fieldOf(provider: ResolvedProvider, key: string, field: CredentialInput, context: FormContext): Html {
  const id = uniqueId(context, `input-${key}-for-${provider.id}-provider`)
  const type = typeof field.type === "string" ? field.type : "text"
  const defaults = type === "password" ? { autocomplete: "current-password" } : {}
  const input = html`<input${attributes(defaults, field, { id, name: key, type }, errorReference(context))}>`
  if (type === "hidden") return input
  return html`<label class="section-header" for="${id}">${field.label ?? key}</label>${input}`
}

function submitButton({ name }: ResolvedProvider, id: string): Html {
  return html`<button type="submit" class="submit" id="${id}">${messages.signin.with(name)}</button>`
}

function commonFields({ csrfToken, callbackUrl }: FormContext): Html[] {
  return hiddenFields({ csrfToken, callbackUrl })
}

function errorReference({ failed }: FormContext): Readonly<Record<string, string>> {
  return failed ? { "aria-describedby": "signin-error" } : {}
}

function routeOf({ request }: FormContext, action: "signin" | "callback", id: string): string {
  return `${request.base}/${action}/${id}`
}

/** An element ID that is unique on the page. An ID must not contain whitespace (HTML Standard §3.2.6). */
function uniqueId({ ids }: FormContext, wanted: string, suffix?: string): string {
  const plain = wanted.replace(/\s+/g, "-")
  let id = plain
  if (ids.has(id) && suffix !== undefined) id = `${plain}-${suffix}`
  for (let count = 2; ids.has(id); count++) id = `${plain}-${count}`
  ids.add(id)
  return id
}
