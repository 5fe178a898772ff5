import { toRoute } from "../http/redirect.js"
import { fill } from "../i18n/fill.js"
import type { Messages } from "../i18n/messages.js"
import type { CredentialInput } from "../model/credentials-provider.js"
import type { Attempt, AuthRequest } from "../model/http.js"
import type { ResolvedProvider } from "../model/signin.js"
import { attributes, type Html, html } from "./html.js"
import { hiddenFields } from "./layout.js"

export interface FormContext {
  readonly request: AuthRequest
  readonly t: Messages
  readonly callbackUrl: string
  readonly csrfToken: string | undefined
  readonly email: string | undefined
  /** The latest attempt of this browser. */
  readonly attempt: Attempt | undefined
  /** ID of the provider whose input gets the focus. */
  readonly focused: string | undefined
  /** ID of the passkey provider that uses the browser's autofill. */
  readonly autofill: string | undefined
  /** A visitor can sign up with a passkey. */
  readonly passkeySignUp: boolean
  /** Element IDs already used on this page. */
  readonly ids: Set<string>
  /** Whether the page shows an error. The inputs then reference it with `aria-describedby`. */
  readonly failed: boolean
}

export type Fields = Readonly<Record<string, CredentialInput>>

/** The labels and inputs of a provider, with `own` attributes on each input. */
export function inputsOf(
  provider: ResolvedProvider,
  fields: Fields,
  context: FormContext,
  own: CredentialInput = {},
): Html[] {
  return Object.entries(fields).map(([key, field]) => inputOf(provider, key, { ...field, ...own }, context))
}

function inputOf(provider: ResolvedProvider, key: string, field: CredentialInput, context: FormContext): Html {
  const id = uniqueId(context, `input-${key}-for-${provider.id}-provider`)
  const type = typeof field.type === "string" ? field.type : "text"
  const defaults = type === "password" ? { autocomplete: "current-password" } : {}
  const own = { id, name: key, type, ...typedBefore(provider, key, context) }
  const input = html`<input${attributes(defaults, field, own, errorReference(context))}>`
  if (type === "hidden") return input
  return html`<label class="section-header" for="${id}">${field.label ?? key}</label>${input}`
}

/** What the user typed into this input, so they needn't type it again. */
function typedBefore({ id }: ResolvedProvider, key: string, { attempt }: FormContext): { readonly value?: string } {
  const value = attempt?.provider === id ? attempt.fields[key] : undefined
  return value === undefined ? {} : { value }
}

export function submitButton(provider: ResolvedProvider, { t }: FormContext, id: string): Html {
  return html`<button type="submit" class="submit" id="${id}">${submitText(provider, t)}</button>`
}

/** "Credentials" is the name of every credentials provider without a name of its own, and tells a user nothing. */
function submitText({ name, type }: ResolvedProvider, { signin }: Messages): string {
  return type === "credentials" && name === "Credentials" ? signin.button : fill(signin.with, { provider: name })
}

export function commonFields({ csrfToken, callbackUrl }: FormContext): Html[] {
  return hiddenFields({ csrfToken, callbackUrl })
}

export function errorReference({ failed }: FormContext): Readonly<Record<string, string>> {
  return failed ? { "aria-describedby": "signin-error" } : {}
}

export function routeOf(
  { request }: FormContext,
  action: "signin" | "callback" | "webauthn-options",
  id: string,
): string {
  const path = `${action}/${id}`
  // The script adds a query to the URL of the options, which have no text.
  return action === "webauthn-options" ? `${request.base}/${path}` : toRoute(request, path)
}

/** An element ID that is unique on the page. An ID must not contain whitespace (HTML Standard §3.2.6). */
export function uniqueId({ ids }: FormContext, wanted: string, suffix?: string): string {
  const plain = wanted.replace(/\s+/g, "-")
  let id = plain
  if (ids.has(id) && suffix !== undefined) id = `${plain}-${suffix}`
  for (let count = 2; ids.has(id); count++) id = `${plain}-${count}`
  ids.add(id)
  return id
}
