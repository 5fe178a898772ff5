import type { Adapter, AdapterUser } from "./adapters.js"
import type { JWT, JWTOptions } from "./jwt-types.js"
import type {
  Account,
  Anything,
  Awaitable,
  CookieOption,
  CredentialInput,
  DefaultSession,
  LoggerInstance,
  Profile,
  Session,
  Theme,
  User,
} from "./model.js"
import type { Provider } from "./providers/index.js"

export type {
  Account,
  Awaitable,
  CookieOption,
  DefaultSession,
  DefaultUser,
  ISODateString,
  LoggerInstance,
  Profile,
  Session,
  Theme,
  TokenSet,
  User,
} from "./model.js"

/** The configuration of next-auth 4. */
export interface AuthOptions {
  providers: Provider[]
  /** @default `jwt.secret`, else NEXTAUTH_SECRET, else AUTH_SECRET. In development, a hash of the options */
  secret?: string
  session?: Partial<SessionOptions>
  jwt?: Partial<JWTOptions>
  pages?: Partial<PagesOptions>
  callbacks?: Partial<CallbacksOptions>
  events?: Partial<EventCallbacks>
  adapter?: Adapter
  /** @default false */
  debug?: boolean
  logger?: Partial<LoggerInstance>
  theme?: Theme
  /** @default whether the URL of the site starts with `https://` */
  useSecureCookies?: boolean
  cookies?: Partial<CookiesOptions>
}

export interface CallbacksOptions<P = Profile, A = Account> {
  /** Return `false` to refuse the sign-in, or a URL to refuse it and redirect there. What it throws is the `?error=`. */
  signIn: (params: {
    user: User | AdapterUser
    account: A | null
    profile?: P
    /** `verificationRequest`: the user asks for an email link. */
    email?: { verificationRequest?: boolean }
    credentials?: Record<string, CredentialInput>
  }) => Awaitable<string | boolean>
  /** @default `url` if it's on this site, else `baseUrl` */
  redirect: (params: { url: string; baseUrl: string }) => Awaitable<string>
  session: (
    params: {
      session: Session
      /** With strategy `"jwt"`. */
      token: JWT
      /** With strategy `"database"`. */
      user: AdapterUser
    } & {
      /** The data of an update. A browser can send anything: check it. */
      newSession: Anything
      trigger: "update"
    },
  ) => Awaitable<Session | DefaultSession>
  jwt: (params: {
    token: JWT
    /** At a sign-in. */
    user: User | AdapterUser
    /** At a sign-in. */
    account: A | null
    /** At a sign-in with an OAuth provider. */
    profile?: P
    trigger?: "signIn" | "signUp" | "update"
    /** @deprecated use `trigger === "signUp"` */
    isNewUser?: boolean
    /** The data of an update. A browser can send anything: check it. */
    session?: Anything
  }) => Awaitable<JWT>
}

export interface CookiesOptions {
  sessionToken: CookieOption
  callbackUrl: CookieOption
  csrfToken: CookieOption
  pkceCodeVerifier: CookieOption
  state: CookieOption
  nonce: CookieOption
}

/** Functions that are called when something has happened. */
export interface EventCallbacks {
  signIn: (message: { user: User; account: Account | null; profile?: Profile; isNewUser?: boolean }) => Awaitable<void>
  /** With `token` or `session`, by the strategy. */
  signOut: (message: { session: Session; token: JWT }) => Awaitable<void>
  createUser: (message: { user: User }) => Awaitable<void>
  updateUser: (message: { user: User }) => Awaitable<void>
  linkAccount: (message: { user: User | AdapterUser; account: Account; profile: User | AdapterUser }) => Awaitable<void>
  session: (message: { session: Session; token: JWT }) => Awaitable<void>
}

export type EventType = keyof EventCallbacks

export interface PagesOptions {
  signIn: string
  signOut: string
  error: string
  verifyRequest: string
  newUser: string
}

export type SessionStrategy = "jwt" | "database"

export interface SessionOptions {
  /** @default "database" with an adapter, else "jwt" */
  strategy: SessionStrategy
  /** Seconds without use after which a session ends. @default 2592000 (30 days) */
  maxAge: number
  /** Seconds after which a session in use is extended. @default 86400 (a day) */
  updateAge: number
  generateSessionToken: () => Awaitable<string>
}

export type AuthAction =
  | "providers"
  | "session"
  | "csrf"
  | "signin"
  | "signout"
  | "callback"
  | "verify-request"
  | "error"
  | "_log"
