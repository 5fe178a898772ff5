export type Awaitable<T> = T | PromiseLike<T>

/** Any value, as the types of next-auth 4 promise it. */
export type Anything = ReturnType<typeof JSON.parse>

/** Where messages go. Levels that you leave out go to the console. */
export interface LoggerInstance extends Record<string, (...args: Anything[]) => unknown> {
  warn: (code: string) => void
  /** `metadata` is an `Error`, or has one as `error`. */
  error: (code: string, metadata: Error | { error: Error; [key: string]: unknown }) => void
  debug: (code: string, metadata: unknown) => void
}

export interface Theme {
  /** @default "auto" */
  colorScheme?: "auto" | "dark" | "light"
  logo?: string
  brandColor?: string
  buttonText?: string
}

/** The response of a token endpoint. `expires_at` is in seconds since 1970. */
export interface TokenSet {
  access_token?: string
  token_type?: string
  id_token?: string
  refresh_token?: string
  scope?: string
  expires_at?: number
  session_state?: string
  [key: string]: unknown
}

/** An account of a user at one provider. Add fields by augmenting this interface. */
export interface Account extends Partial<TokenSet> {
  /** The user's id at the provider, their email, or the `id` that `authorize` returned. */
  providerAccountId: string
  userId?: string
  provider: string
  type: ProviderType
}

/** The profile as the provider sent it. Add fields by augmenting this interface. */
export interface Profile {
  sub?: string
  name?: string
  email?: string
  image?: string
}

/** Attributes of a cookie, as the package `cookie` names them. */
export interface CookieSerializeOptions {
  domain?: string | undefined
  encode?(value: string): string
  expires?: Date | undefined
  httpOnly?: boolean | undefined
  maxAge?: number | undefined
  path?: string | undefined
  partitioned?: boolean | undefined
  priority?: "low" | "medium" | "high" | undefined
  sameSite?: true | false | "lax" | "strict" | "none" | undefined
  secure?: boolean | undefined
}

export interface CookieOption {
  name: string
  options: CookieSerializeOptions
}

export type ISODateString = string

export interface DefaultSession {
  user?: {
    name?: string | null
    email?: string | null
    image?: string | null
  }
  expires: ISODateString
}

/** The session that the server and the browser see. Add fields by augmenting this interface. */
export interface Session extends DefaultSession {}

export interface DefaultUser {
  id: string
  name?: string | null
  email?: string | null
  image?: string | null
}

/** A user as `profile()`, `authorize()` or the adapter returned it. Add fields by augmenting this interface. */
export interface User extends DefaultUser {}

export type ProviderType = "oauth" | "email" | "credentials"

export interface CommonProviderOptions {
  id: string
  name: string
  type: ProviderType
  options?: Anything
}

/** A field of a form. */
export interface CredentialInput {
  label?: string
  type?: string
  value?: string
  placeholder?: string
}
