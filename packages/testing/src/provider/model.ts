import type { RecordedRequest, UnsignedToken, EndpointName } from "./messages.js"
import type { Fetch, OAuth2Config, OIDCConfig } from "@latchkey/core/types"
import type { CryptoKey } from "jose"
import type { Fault } from "../faults/fault.js"

/** The algorithm for ID tokens, signed userinfo and logout tokens. `HS256` uses the client secret as its key. */
export type SigningAlgorithm = "RS256" | "PS256" | "ES256" | "ES384" | "EdDSA" | "HS256"

/** How the client authenticates at the token endpoint (RFC 7591 §2). */
export type ClientAuthentication =
  | "client_secret_basic"
  | "client_secret_post"
  | "client_secret_jwt"
  | "private_key_jwt"
  | "none"

/** A user of the provider, with claims. @default `sub` is the user's key in `people` */
export interface Person {
  sub?: string
  name?: string
  email?: string
  email_verified?: boolean
  picture?: string
  [claim: string]: unknown
}

/** The users that every provider has. Their emails are verified. */
export interface DefaultPeople {
  ada: Person
  grace: Person
  linus: Person
}

/** Users by key. The key is what you pass as `as`. */
export type People = DefaultPeople & Record<string, Person>

/** Options of `createProvider`. */
export interface ProviderOptions {
  /** Issuer URL, which can have a path. @default "https://op.test" */
  readonly issuer?: string
  /** The `id` of `op.provider()`. @default "op" */
  readonly id?: string
  /** @default "latchkey" */
  readonly clientId?: string
  /** @default a secret of 44 characters, long enough for HS256 */
  readonly clientSecret?: string
  /** The only accepted authentication method. @default any method with a client secret or a registered key */
  readonly authentication?: ClientAuthentication
  /** @default "RS256" */
  readonly algorithm?: SigningAlgorithm
  /** Users in addition to `ada`, `grace` and `linus`. */
  readonly people?: Readonly<Record<string, Person>>
  /** Registered redirect URIs. @default all URIs */
  readonly redirectUris?: readonly string[]
  /** Format of userinfo responses: JSON, or a JWT signed with `algorithm`. @default "json" */
  readonly userinfo?: "json" | "jwt"
  /** Whether authorization responses contain `iss` and the metadata announces it (RFC 9207). @default true */
  readonly issParameter?: boolean
  /** Lifetime of ID tokens and access tokens in seconds. @default 3600 */
  readonly lifetime?: number
  /** @default the system clock */
  readonly clock?: { now(): number }
  /** Faults from the start. To add or remove them later, use `op.inject`. */
  readonly faults?: Fault | readonly Fault[]
}

/** The authorization response: a redirect, or a form for the browser to post (`response_mode=form_post`). */
export type AuthorizationAnswer =
  | { readonly method: "GET"; readonly location: string }
  | { readonly method: "POST"; readonly action: string; readonly fields: Readonly<Record<string, string>> }

/** The user who consents (a key of `people`), or the error that the provider returns instead. */
export type Consent = { readonly as: string } | { readonly error: string; readonly description?: string }

/** A running HTTP server. */
export interface Listening {
  /** `http://127.0.0.1:<port>`, which is now the issuer. */
  readonly url: string
  readonly port: number
  close(): Promise<void>
}

/** The user or session of a logout token (OpenID Connect Back-Channel Logout 1.0 §2.4). */
export interface LogoutSubject {
  /** A key of `people`. */
  readonly as?: string
  readonly sid?: string
}

/** A fake OpenID provider; see `createProvider`. */
export interface FakeProvider {
  readonly id: string
  /** Issuer URL. It changes when you call `listen`. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Users by key. You can change them at any time. */
  readonly people: People
  /** Returns the provider's responses, and 404 for other URLs. Records each request. Supports `redirect` and `signal`. */
  readonly fetch: Fetch
  /** Requests made with `fetch`, oldest first. Authorization requests come from the browser: see `authorizations`. */
  readonly requests: readonly RecordedRequest[]
  /** The requests to one endpoint, oldest first. */
  requestsTo(endpoint: EndpointName): readonly RecordedRequest[]
  /** Parameters of every authorization request, oldest first. */
  readonly authorizations: readonly Readonly<Record<string, string>>[]
  /**
   * Opens an authorization URL as a browser would, and consents or declines.
   * @throws Error where a real provider shows an error page: for an unknown client or an unregistered redirect URI
   */
  authorize(url: string | URL, consent: Consent): Promise<AuthorizationAnswer>
  /** Opens the end-session endpoint (OpenID Connect RP-Initiated Logout 1.0). `location` is the target of the redirect. */
  endSession(url: string | URL): Promise<{ readonly location: string | undefined }>
  /** Creates a signed back-channel logout token. `change` can make it invalid. */
  logoutToken(subject: LogoutSubject, change?: (token: UnsignedToken) => UnsignedToken | string): Promise<string>
  /** Signs a token with the current key. */
  sign(token: UnsignedToken): Promise<string>
  /** Starts to sign with a new key. With `keepOld`, the current key stays published. @default keepOld: false */
  rotateKeys(options?: { readonly keepOld?: boolean }): void
  /** Registers a new key pair for `private_key_jwt` and returns the private key. */
  clientPrivateKey(): Promise<CryptoKey>
  /** Adds faults, which apply in this order. Returns a function that removes them. */
  inject(...faults: readonly Fault[]): () => void
  /** The provider for the `providers` of your configuration. */
  provider(overrides?: Partial<OIDCConfig>): OIDCConfig
  /** The same as an OAuth 2 provider: configured endpoints, no ID token, profile from userinfo. */
  oauthProvider(overrides?: Partial<OAuth2Config>): OAuth2Config
  /** Serves the provider on 127.0.0.1, with a page for choosing a user. @param port default 0, any free port */
  listen(port?: number): Promise<Listening>
}
