import { toRoute } from "../http/redirect.js"
import type { CredentialInput } from "../model/credentials-provider.js"
import type { ResolvedProvider } from "../model/signin.js"
import { type Fields, identifierOf, isPassword, isShown, labelOf, typeOf } from "./fields.js"
import { attributes, type Html, html } from "./html.js"
import { lineIcon } from "./icon.js"
import { buttonLabel } from "./labels.js"
import { hiddenFields } from "./layout.js"
import type { FormContext } from "./view.js"

/** The labels and inputs of a provider, with `own` attributes on each input. */
export function inputsOf(
  provider: ResolvedProvider,
  fields: Fields,
  context: FormContext,
  own: CredentialInput = {},
): Html[] {
  const identifier = identifierOf(fields)
  return Object.entries(fields).map(([key, field]) =>
    inputOf(provider, { key, field, own, isIdentifier: key === identifier }, context),
  )
}

interface Input {
  readonly key: string
  readonly field: CredentialInput
  readonly own: CredentialInput
  readonly isIdentifier: boolean
}

function inputOf(provider: ResolvedProvider, { key, field, own, isIdentifier }: Input, context: FormContext): Html {
  const id = uniqueId(context, `input-${key}-for-${provider.id}-provider`)
  const type = typeOf(key, field)
  const fixed = {
    ...own,
    id,
    name: key,
    type,
    ...typedBefore(provider, key, context),
    ...failing(provider, key, context),
  }
  const identifying = isIdentifier ? { "data-identifier": true } : {}
  const input = html`<input${attributes(completion(key, field, context), field, fixed, identifying)}>`
  if (!isShown(field)) return input
  const label = html`<label class="section-header" for="${id}">${labelOf(key, field, context.t)}</label>`
  const error = errorAt(provider, key, context)
  return isPassword(key, field)
    ? html`${label}${revealable(input, id, context)}${error}`
    : html`${label}${input}${error}`
}

/** What the browser fills in, unless the application says something else. */
function completion(key: string, field: CredentialInput, { autofill }: FormContext): CredentialInput {
  if (isPassword(key, field)) return { autocomplete: "current-password" }
  if (key !== "email" && key !== "username") return {}
  return { autocomplete: autofill === undefined ? "username" : "username webauthn", autocapitalize: "none" }
}

const eye = lineIcon([
  "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z",
  "M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z",
  "M4 20 20 4",
])

/** The script shows the button. */
function revealable(input: Html, id: string, context: FormContext): Html {
  const { t } = context
  const button = html`<button type="button" class="reveal" data-reveal${attributes({ "aria-controls": id, "aria-pressed": false })} hidden>${eye}<span class="label">${t.common.showPassword}</span></button>`
  return html`<div class="password">${input}${button}${forgotLink(context)}</div>`
}

function forgotLink({ forgotPassword, t }: FormContext): Html | undefined {
  if (forgotPassword === undefined) return undefined
  return html`<p class="forgot"><a href="${forgotPassword}">${t.signin.forgotPassword}</a></p>`
}

/** What the user typed into this input, so they needn't type it again. */
function typedBefore({ id }: ResolvedProvider, key: string, { attempt }: FormContext): CredentialInput {
  const value = attempt?.provider === id ? attempt.fields[key] : undefined
  return value === undefined ? {} : { value }
}

function isFailing({ id }: ResolvedProvider, key: string, { failure }: FormContext): boolean {
  return failure?.provider === id && failure.input === key
}

/** The attributes of the input that the error is about. */
export function failing(provider: ResolvedProvider, key: string, context: FormContext): CredentialInput {
  if (!isFailing(provider, key, context)) return {}
  return { "aria-invalid": true, "aria-describedby": "signin-error", autofocus: true }
}

/** The error beside the input that it's about. */
export function errorAt(provider: ResolvedProvider, key: string, context: FormContext): Html | undefined {
  return isFailing(provider, key, context) ? context.error : undefined
}

export function submitButton(
  provider: ResolvedProvider,
  context: FormContext,
  id: string,
  text: string = buttonLabel(provider, context),
): Html {
  return html`<button type="submit" class="submit" id="${id}">${text}</button>`
}

export function commonFields({ csrfToken, callbackUrl }: FormContext): Html[] {
  return hiddenFields({ csrfToken, callbackUrl })
}

export function routeOf({ request }: FormContext, action: "signin" | "callback", id: string): string {
  return toRoute(request, `${action}/${id}`)
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
