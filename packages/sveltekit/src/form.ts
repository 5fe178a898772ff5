import { fieldsIn, type SentParams, type SignInOptions } from "@latchkey/core/integration"
import type { ActionOptions } from "./types.js"

/** What a form with the fields of the component `SignIn` asks for. */
export interface SignInForm {
  readonly provider: string | undefined
  readonly options: SignInOptions
  readonly params: SentParams
}

const paramPrefix = "authorizationParams-"

export function readForm(form: FormData): SignInForm {
  const { providerId: provider, redirect: _, ...fields } = textsOf(form)
  const params: [string, string][] = []
  const options: Record<string, string> = {}
  for (const [name, value] of Object.entries(fields)) {
    if (name.startsWith(paramPrefix)) params.push([name.slice(paramPrefix.length), value])
    else options[name] = value
  }
  return { provider, options, params }
}

/** Reads the options of `locals.signIn()`. */
export function readOptions(
  given: ActionOptions<boolean> = {},
): Pick<SignInForm, "options"> & { readonly isRedirect: boolean } {
  const { redirect, ...options } = given instanceof FormData ? textsOf(given) : given
  return { options, isRedirect: redirect !== false && redirect !== "false" }
}

/** An empty `redirectTo` is the default. */
function textsOf(form: FormData): Readonly<Record<string, string>> {
  const { redirectTo = "", ...fields } = fieldsIn(form)
  return redirectTo === "" ? fields : { ...fields, redirectTo }
}
