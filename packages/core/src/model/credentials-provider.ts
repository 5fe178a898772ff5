import type { CommonProvider, CommonResolvedProvider, ProviderStyle } from "./provider.js"
import type { AdapterUser } from "./adapter.js"
import type { Awaitable, User } from "./user.js"

/** One field of the built-in form: its label and the attributes of its `<input>`. */
export interface CredentialInput {
  readonly label?: string | undefined
  readonly type?: string | undefined
  readonly value?: string | undefined
  readonly placeholder?: string | undefined
  readonly [attribute: string]: unknown
}

export interface CredentialsConfig<
  C extends Readonly<Record<string, CredentialInput>> = Readonly<Record<string, CredentialInput>>,
> extends CommonProvider {
  readonly type: "credentials"
  /** Fields of the form by name. Under `"strict"`, `authorize` gets no others. */
  readonly credentials: C
  /** Returns the user, or `null` if the credentials are wrong. Throw `CredentialsSignin` to choose the error code. */
  authorize(credentials: Partial<Record<keyof C, unknown>>, request: Request): Awaitable<User | null>
  /**
   * Returns the account that an attempt is for, which rate limits count by. Spellings that a database may take for one name
   * count as one.
   * @default the fields with a common name such as `username`, or with an email, declared or not. If none of the declared ones
   * has such a name, also the first one that isn't a password
   */
  identifier?(credentials: Readonly<Record<string, unknown>>): string | undefined
  /**
   * Whether a stored user can sign in with this provider, for example because they have a password. The account page lets a user
   * remove their last account or passkey only if there is another way to sign in. @default `false` for every user
   */
  canSignIn?(user: AdapterUser): Awaitable<boolean>
  readonly style?: ProviderStyle | undefined
  /** Set for the providers of a module. */
  readonly module?: string | undefined
  readonly options?: unknown
}

/** A credentials provider once the configuration is compiled. */
export interface CredentialsProvider extends CommonResolvedProvider {
  readonly type: "credentials"
  readonly credentials: Readonly<Record<string, CredentialInput>>
  readonly authorize: (credentials: Record<string, unknown>, request: Request) => Awaitable<User | null>
  readonly identifier: CredentialsConfig["identifier"]
  readonly canSignIn: CredentialsConfig["canSignIn"]
}
