import type { SignInOptions } from "@latchkey/core/integration"
import type { ActionOptions, AuthorizationParams } from "./types.js"

/** What a form with the fields of the component `SignIn` asks for. */
export interface SignInForm {
  readonly provider: string | undefined
  readonly options: SignInOptions
  readonly params: Readonly<Record<string, string>>
}

const paramPrefix = "authorizationParams-"

export function readForm(form: FormData): SignInForm {
  const fields = textsOf(form)
  const params = fields.filter(([name]) => name.startsWith(paramPrefix))
  const {
    providerId = "",
    redirect: _,
    ...options
  } = Object.fromEntries(fields.filter(([name]) => !name.startsWith(paramPrefix)))
  return {
    // A form with an empty field names no provider.
    provider: providerId === "" ? undefined : providerId,
    options,
    params: Object.fromEntries(params.map(([name, value]) => [name.slice(paramPrefix.length), value])),
  }
}

/** Reads the arguments of `locals.signIn()`. */
export function readOptions(
  given: ActionOptions<boolean> = {},
  authorizationParams: AuthorizationParams = {},
): Pick<SignInForm, "options" | "params"> & { readonly isRedirect: boolean } {
  const { redirect, ...options } = given instanceof FormData ? Object.fromEntries(textsOf(given)) : given
  const params = Object.fromEntries(new URLSearchParams(authorizationParams))
  return { options: options, params, isRedirect: redirect !== false && redirect !== "false" }
}

/** Without files. An empty `redirectTo` is the default. */
function textsOf(form: FormData): [string, string][] {
  return [...form].flatMap(([name, value]) =>
    typeof value === "string" && (name !== "redirectTo" || value !== "") ? [[name, value]] : [],
  )
}
