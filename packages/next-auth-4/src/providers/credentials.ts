import type { Awaitable, CommonProviderOptions, CredentialInput, User } from "../model.js"
import type { IncomingRequest } from "../request.js"

export type { CredentialInput }

export interface CredentialsConfig<C extends Record<string, CredentialInput> = Record<string, CredentialInput>>
  extends CommonProviderOptions {
  type: "credentials"
  /** The fields of the form by name. */
  credentials: C
  /** Returns the user, or `null` if the credentials are wrong. The message of what it throws is the `?error=`. */
  authorize: (
    credentials: Record<keyof C, string> | undefined,
    req: Pick<IncomingRequest, "body" | "query" | "headers" | "method">,
  ) => Awaitable<User | null>
}

export type CredentialsProvider = <C extends Record<string, CredentialInput>>(
  options: Partial<CredentialsConfig<C>>,
) => CredentialsConfig<C>

export type CredentialsProviderType = "Credentials"

type UserCredentialsConfig<C extends Record<string, CredentialInput>> = Partial<Omit<CredentialsConfig<C>, "options">> &
  Pick<CredentialsConfig<C>, "authorize" | "credentials">

/** Signs in with anything that `authorize` accepts, such as a password. */
export default function Credentials<C extends Record<string, CredentialInput> = Record<string, CredentialInput>>(
  options: UserCredentialsConfig<C>,
): CredentialsConfig<C> {
  return {
    id: "credentials",
    name: "Credentials",
    type: "credentials",
    credentials: {} as C,
    authorize: () => null,
    options,
  }
}
