/** The library through which the application uses `@auth/core` or `@latchkey/core`. */
export type Framework = "core" | "next" | "express"

/** What a function of the application does. */
export type Behavior =
  | { readonly returns: unknown; readonly async?: boolean }
  | { readonly throws: "Error" | "CredentialsSignin" | "AccessDenied"; readonly async?: boolean }

/** Behaviors of callbacks whose result depends on the arguments. */
export type RedirectBehavior = "allow any" | "home" | "relative" | "throws"
export type JwtBehavior = "unchanged" | "adds a claim" | "null" | "throws" | "takes the update" | "large"
export type SessionBehavior = "unchanged" | "adds a field" | "only a field" | "null" | "undefined" | "throws"

export interface OAuthPlan {
  readonly type: "oidc" | "oauth"
  readonly id: string
  readonly checks?: readonly ("pkce" | "state" | "nonce" | "none")[]
  readonly params?: Readonly<Record<string, string>>
  readonly profile?: Behavior
  readonly allowDangerousEmailAccountLinking?: boolean
}

export interface CredentialsPlan {
  readonly type: "credentials"
  readonly id: string
  readonly authorize: Behavior
}

export interface EmailPlan {
  readonly type: "email"
  readonly id: string
  readonly maxAge?: number
  readonly fails?: boolean
}

export interface PasskeyPlan {
  readonly type: "webauthn"
  readonly id: string
  /** The provider module that it's made with. */
  readonly module: "passkey" | "webauthn"
  readonly enableConditionalUI?: boolean
  readonly userVerification?: "required" | "preferred"
}

export type ProviderPlan = OAuthPlan | CredentialsPlan | EmailPlan | PasskeyPlan

export type CookieKey =
  | "sessionToken"
  | "callbackUrl"
  | "csrfToken"
  | "pkceCodeVerifier"
  | "state"
  | "nonce"
  | "webauthnChallenge"

export interface CookiePlan {
  readonly name?: string
  readonly options?: {
    readonly sameSite?: "lax" | "strict" | "none"
    readonly path?: string
    readonly secure?: boolean
    readonly httpOnly?: boolean
    readonly domain?: string
    readonly maxAge?: number
  }
}

/** The configuration of an application, as data. */
export interface Plan {
  readonly framework: Framework
  readonly origin: "https://app.test" | "http://localhost:3000"
  readonly basePath?: string
  /** Whether each request gets the same configuration, an equal one, or the result of a function (Next.js). */
  readonly config: "one object" | "an object for each request" | "a function"
  readonly env: Readonly<Record<string, string>>
  readonly secrets: "one" | "two" | "none"
  readonly trustHost?: boolean
  readonly useSecureCookies?: boolean
  readonly adapter: boolean
  /** The emails of users who are in the database from the start. */
  readonly users?: readonly string[]
  readonly enableWebAuthn?: boolean
  readonly providers: readonly ProviderPlan[]
  readonly session?: {
    readonly strategy?: "jwt" | "database"
    readonly maxAge?: number
    readonly updateAge?: number
  }
  readonly callbacks: {
    readonly signIn?: Behavior
    readonly redirect?: RedirectBehavior
    readonly jwt?: JwtBehavior
    readonly session?: SessionBehavior
    readonly authorized?: Behavior
  }
  readonly failingEvents?: readonly string[]
  readonly pages?: Readonly<Record<string, string>>
  readonly cookies?: Readonly<Partial<Record<CookieKey, CookiePlan>>>
  readonly theme?: Readonly<Record<string, string>>
}

export type CsrfField = "valid" | "wrong" | "missing"

/** What a user or an attacker does. `browser` is the number of the browser. */
export type Step =
  | {
      readonly do: "get"
      readonly browser: number
      readonly path: string
      readonly method?: "GET" | "HEAD" | "PUT"
      readonly json?: boolean
    }
  | {
      readonly do: "post"
      readonly browser: number
      readonly path: string
      readonly csrf: CsrfField
      readonly fields?: Readonly<Record<string, string>>
      readonly json?: boolean
      readonly body?: "json" | "text"
      readonly bare?: boolean
    }
  | {
      readonly do: "submit"
      readonly browser: number
      readonly page: string
      readonly provider: string
      readonly email?: string
    }
  | {
      readonly do: "return"
      readonly browser: number
      readonly outcome: Outcome
    }
  | { readonly do: "open link"; readonly browser: number; readonly change?: "token" | "email" | "no token" }
  | { readonly do: "update"; readonly browser: number; readonly data: unknown; readonly csrf: CsrfField }
  | { readonly do: "auth"; readonly browser: number; readonly as: "reader" | "proxy" | "handler" }
  | {
      readonly do: "tamper"
      readonly browser: number
      readonly role: CookieRole
      readonly how: "change" | "empty" | "remove" | "junk"
    }
  | {
      readonly do: "passkey"
      readonly browser: number
      readonly provider: string
      readonly action?: "register" | "authenticate"
      readonly email?: string
      /** The number of the authenticator. */
      readonly authenticator: number
      readonly answer: PasskeyAnswer
    }
  | { readonly do: "wait"; readonly seconds: number }

/** What happens at the provider, and what the provider then answers to the application. */
export type Outcome =
  | "ada"
  | "grace"
  | "mallory"
  | "denied"
  | "replay"
  | "wrong state"
  | "no code"
  | "tokenServerError"
  | "tokenError"
  | "userinfo500"
  | "discoveryServerError"
  | "noIdToken"
  | "wrongNonce"
  | "badSignature"

/** What the authenticator answers to the options, and how the browser sends it. */
export type PasskeyAnswer =
  | "right"
  | "none"
  | "replay"
  | "other action"
  | "not JSON"
  | "noUserVerification"
  | "wrongOrigin"
  | "wrongChallenge"
  | "lowerCounter"
  | "badSignature"
  | "unknownCredential"

export type CookieRole = "session" | "csrf" | "callback-url" | "pkce" | "state" | "nonce" | "challenge"

export interface Scenario {
  readonly plan: Plan
  readonly steps: readonly Step[]
}
