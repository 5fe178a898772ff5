import type { Session } from "@latchkey/core/types"
import type { AccessToken, Jwk } from "./verify/verify.js"

export type { AccessToken, Jwk }

/** Options of `bearer`. */
export interface BearerOptions {
  /** The APIs that tokens can be for, such as `"https://api.example.com"`. A token is for one of them. */
  readonly audiences: readonly string[]
  /**
   * The name of this site in tokens (`iss`). Every verifier compares it.
   *
   * @default the URL of the module, such as `"https://example.com/auth/bearer"`
   */
  readonly issuer?: string | undefined
  /** The audience of tokens that `auth()` and `requireSession` of this site accept. @default the origin of `issuer` */
  readonly accepts?: string | undefined
  /** What tokens may allow, such as `"notes:read"`. @default nothing in particular */
  readonly scopes?: readonly string[] | undefined
  /** Apps that users sign in to. @default none */
  readonly clients?: readonly Client[] | undefined
  /** APIs that may ask whether a token is still active (RFC 7662). @default none */
  readonly introspection?: readonly ResourceServer[] | undefined
  /** Origins of other sites whose scripts may call the endpoints for tokens, such as `"https://spa.example.com"`. @default none */
  readonly origins?: readonly string[] | undefined
  /** The algorithm of keys that are made here. @default "ES256" */
  readonly algorithm?: Algorithm | undefined
  /**
   * Private keys as JWK: the first signs, and the others are published, so that tokens of before and after a change work. Without clients, the
   * module stores nothing then.
   *
   * @default keys are made, kept encrypted in records, and replaced every 90 days
   */
  readonly keys?: readonly Jwk[] | undefined
  /** Seconds that an access token works. At most an hour, because no one can end it. @default 600 */
  readonly maxAge?: number | undefined
  /** Seconds after a sign-in until an app asks for the next one, whatever it does. @default 7776000, which is 90 days */
  readonly refreshMaxAge?: number | undefined
  /**
   * Adds claims to a token, or refuses it with `null`, for example because the user is disabled. Called for each token, also when an
   * app refreshes one. @default no more claims
   */
  readonly claims?: ((token: TokenRequest) => Claims | null | PromiseLike<Claims | null>) | undefined
  /** Changes the session of a request with a token. @default the user, with `bearer`: client and scope of the token */
  readonly session?:
    | ((params: { readonly session: Session; readonly token: AccessToken }) => Session | PromiseLike<Session>)
    | undefined
}

export type Algorithm = "ES256" | "EdDSA"

export type Claims = Readonly<Record<string, unknown>>

/** An access token that is about to be made. */
export interface TokenRequest {
  readonly userId: string
  /** `"web"`: the site itself. */
  readonly clientId: string
  readonly audience: string
  readonly scope: readonly string[]
}

/** An app that users sign in to in the browser (RFC 8252). It has no secret. */
export interface Client {
  readonly id: string
  /** What users read. @default the id */
  readonly name?: string | undefined
  /**
   * Where the browser returns to: a private scheme such as `"com.example.app:/signed-in"`, an `https` URL that the app has claimed, or
   * `"http://127.0.0.1/signed-in"` with any port. Compared as text.
   */
  readonly redirectUris: readonly string[]
  /** What it may ask for. @default all `scopes` */
  readonly scopes?: readonly string[] | undefined
}

/** An API that asks whether a token is still active. */
export interface ResourceServer {
  readonly id: string
  /** At least 32 characters. */
  readonly secret: string
  /** It learns about tokens for this API alone. @default all `audiences` */
  readonly audience?: string | undefined
}

/** Functions for server code, as the member `bearer` of what the initializer returns. */
export interface BearerServer {
  /**
   * An access token for the user of a request with a session cookie. `null`: no user is signed in, or `claims` refuses.
   *
   * @example
   * ```ts
   * import type { BearerServer } from "@latchkey/bearer"
   * declare const bearer: BearerServer
   * export async function notes(request: Request): Promise<Response> {
   *   const minted = await bearer.mint(request, { audience: "https://api.example.com" })
   *   if (minted === null) return new Response(null, { status: 401 })
   *   return fetch("https://api.example.com/notes", { headers: { authorization: `Bearer ${minted.accessToken}` } })
   * }
   * ```
   * @throws TypeError if the audience or a scope isn't one of the options
   */
  mint(request: Pick<Request, "headers">, options?: MintOptions): Promise<Minted | null>
  /** The apps that a user is signed in to. */
  apps(userId: string): Promise<readonly SignedInApp[]>
  /** Signs a user out of an app. @returns `false` if there's no such sign-in */
  endApp(userId: string, id: string): Promise<boolean>
}

export interface MintOptions {
  /** @default the only one of `audiences` */
  readonly audience?: string | undefined
  /** @default nothing in particular */
  readonly scope?: readonly string[] | undefined
}

export interface Minted {
  readonly accessToken: string
  readonly expiresAt: Date
}

export interface SignedInApp {
  readonly id: string
  readonly clientId: string
  readonly name: string
  readonly beganAt: Date
  readonly lastUsedAt: Date
}
