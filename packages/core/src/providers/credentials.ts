import type { CredentialInput, CredentialsConfig } from "../model/credentials-provider.js"
import { refuseAll } from "../provider-kit/refuse-all.js"

/** The fields of the form and the function that checks them. `id` and `name` have defaults. */
export type CredentialsUserConfig<C extends Readonly<Record<string, CredentialInput>>> = Partial<
  Omit<CredentialsConfig<C>, "type" | "options" | "authorize">
> &
  Pick<CredentialsConfig<C>, "authorize">

/**
 * Sign in with anything `authorize` accepts, such as a password or a one-time code.
 *
 * The fields in `credentials` make up the built-in form and are the keys of what `authorize` receives. Their values
 * come straight from the request: validate them.
 *
 * @example
 * ```ts
 * import Credentials from "@latchkey/core/providers/credentials"
 * export const provider = Credentials({
 *   credentials: { code: { label: "Code", type: "text" } },
 *   authorize: ({ code }) => (code === "open sesame" ? { id: "ali" } : null),
 * })
 * ```
 */
export default function Credentials<
  C extends Readonly<Record<string, CredentialInput>>,
  const Id extends string = "credentials",
>(config: CredentialsUserConfig<C> & { readonly id?: Id | undefined }): CredentialsConfig<C> & { readonly id: Id } {
  return {
    // The default of `Id`, and an id in the options replaces it.
    id: "credentials" as Id,
    name: "Credentials",
    type: "credentials",
    credentials: none as C,
    // JavaScript applications may omit it in the options. The check of the configuration reports it.
    authorize: refuseAll,
    // The configuration merges them over the values above, as for every provider.
    options: config,
  }
}

const none: Readonly<Record<string, CredentialInput>> = Object.freeze({})
export type { CredentialInput, CredentialsConfig }
export type CredentialsProviderId = "credentials"
