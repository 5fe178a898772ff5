import type { CredentialInput, CredentialsConfig } from "../model/provider.js"

/** The fields of the form, and the check of what was typed; id and name have defaults. */
export type CredentialsUserConfig<C extends Readonly<Record<string, CredentialInput>>> = Partial<
  Omit<CredentialsConfig<C>, "type" | "options" | "authorize">
> &
  Pick<CredentialsConfig<C>, "authorize">

/**
 * Sign-in with whatever `authorize` accepts: a password, a code, a ticket (spec/config.md §4.3).
 * The fields under `credentials` make the built-in form and name what `authorize` gets; their values are unchecked.
 *
 * @example
 * ```ts
 * import credentials from "@latchkey/core/providers/credentials"
 * export const provider = credentials({
 *   credentials: { code: { label: "Code", type: "text" } },
 *   authorize: ({ code }) => (code === "open sesame" ? { id: "ali" } : null),
 * })
 * ```
 */
export default function credentials<C extends Readonly<Record<string, CredentialInput>>>(
  config: CredentialsUserConfig<C>,
): CredentialsConfig<C> {
  const fields = config.credentials ?? none
  return {
    ...config,
    type: "credentials",
    id: config.id ?? "credentials",
    name: config.name ?? "Credentials",
    credentials: fields as C,
  }
}

const none: Readonly<Record<string, CredentialInput>> = Object.freeze({})
export type { CredentialInput, CredentialsConfig }
