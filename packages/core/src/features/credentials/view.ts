import { toRoute } from "../../http/redirect.js"
import { fieldsOf, isPassword, isShown } from "../../html/fields.js"
import { commonFields, inputsOf, routeOf, submitButton, uniqueId } from "../../html/form-parts.js"
import { type Html, html } from "../../html/html.js"
import { lineIcon } from "../../html/icon.js"
import type { FormContext, ProviderView } from "../../html/view.js"
import type { CredentialsProvider } from "../../model/credentials-provider.js"

/** A form with the fields of the provider. */
export const view: ProviderView<CredentialsProvider> = {
  isOnPage: ({ credentials }) => Object.keys(credentials).length > 0,
  form: credentialsForm,
  icon: lineIcon([
    "M6 11h12a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1z",
    "M8 11V8a4 4 0 0 1 8 0v3",
  ]),
  label: ({ name }, { t }) => (isGeneric(name) ? t.signin.button : undefined),
  instead(provider, { signin }) {
    if (!isGeneric(provider.name)) return undefined
    return hasPassword(provider) ? signin.passwordInstead : signin.otherMethod
  },
  noun: ({ name }, { signin }) => (isGeneric(name) ? signin.password : undefined),
  failure: { error: "CredentialsSignin", input: failedInput },
  method: ({ id, credentials }, { request, t }) => ({
    type: "credentials",
    url: toRoute(request, `callback/${id}`),
    fields: fieldsOf(t, credentials),
  }),
}

/** "Sign in with Credentials" tells a user nothing, and the form shows that it's about a password. */
function isGeneric(name: string): boolean {
  return /^(?:credentials|(?:(?:e-?mail|user ?name) (?:and|&) )?password)$/i.test(name)
}

function hasPassword({ credentials }: CredentialsProvider): boolean {
  return Object.entries(credentials).some(([key, { type }]) => key === "password" || type === "password")
}

/** A wrong name and a wrong password look the same, so the user starts with the password, which the page doesn't keep. */
function failedInput({ credentials }: CredentialsProvider): string | undefined {
  const shown = Object.entries(credentials).filter(([, field]) => isShown(field))
  const secret = shown.find(([key, field]) => isPassword(key, field))
  return (secret ?? shown[0])?.[0]
}

function credentialsForm(provider: CredentialsProvider, context: FormContext): Html {
  const button = submitButton(provider, context, uniqueId(context, "submitButton", provider.id))
  const inputs = inputsOf(provider, provider.credentials, context)
  const action = routeOf(context, "callback", provider.id)
  return html`<form action="${action}" method="POST">${commonFields(context)}${inputs}${button}</form>`
}
