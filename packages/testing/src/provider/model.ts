import type { RecordedRequest, UnsignedToken, EndpointName } from "./messages.js"
import type { Fetch, OAuth2Config, OIDCConfig } from "@latchkey/core/types"
import type { CryptoKey } from "jose"
import type { Lies } from "../lies/lie.js"

/** How ID tokens, signed userinfo and logout tokens are signed. `HS256` uses the client secret. */
export type SigningAlgorithm = "RS256" | "PS256" | "ES256" | "ES384" | "EdDSA" | "HS256"

/** How the client proves itself at the token endpoint (RFC 7591 §2). */
export type ClientAuthentication =
  | "client_secret_basic"
  | "client_secret_post"
  | "client_secret_jwt"
  | "private_key_jwt"
  | "none"

/** What the provider knows of a person. `sub` is the person's key in `people` unless given. */
export interface Person {
  sub?: string
  name?: string
  email?: string
  email_verified?: boolean
  picture?: string
  [claim: string]: unknown
}

/** Who has an account by default. All addresses are verified. */
export interface DefaultPeople {
  ada: Person
  grace: Person
  linus: Person
}

export type People = DefaultPeople & Record<string, Person>

/** Options of `createProvider`. */
export interface ProviderOptions {
  /** Default `"https://op.test"`; may have a path. */
  readonly issuer?: string
  /** The id in `op.provider()`. Default `"op"`. */
  readonly id?: string
  /** Default `"latchkey"`. */
  readonly clientId?: string
  /** Default: 43 characters, long enough for HS256. */
  readonly clientSecret?: string
  /** The only way in which the client may authenticate. Default: any way that involves the secret. */
  readonly authentication?: ClientAuthentication
  /** Default `"RS256"`. */
  readonly algorithm?: SigningAlgorithm
  /** Added to the three default people. */
  readonly people?: Readonly<Record<string, Person>>
  /** Redirect URIs that are registered. Default: every one. */
  readonly redirectUris?: readonly string[]
  /** Whether userinfo is JSON or a JWT signed with `algorithm`. Default `"json"`. */
  readonly userinfo?: "json" | "jwt"
  /** Whether authorization responses carry `iss` (RFC 9207), and the metadata says so. Default `true`. */
  readonly issParameter?: boolean
  /** Lifetime of ID tokens and access tokens in seconds. Default 3600. */
  readonly lifetime?: number
  /** Default: the system clock. */
  readonly clock?: { now(): number }
  /** Told from the start; see `op.lie`. */
  readonly lies?: Lies | readonly Lies[]
}

/** What the browser is told to do after authorization: follow a redirect, or post a form (`response_mode=form_post`). */
export type AuthorizationAnswer =
  | { readonly method: "GET"; readonly location: string }
  | { readonly method: "POST"; readonly action: string; readonly fields: Readonly<Record<string, string>> }

/** Who consents, or the error that the provider answers instead. */
export type Consent = { readonly as: string } | { readonly error: string; readonly description?: string }

/** A running HTTP server. */
export interface Listening {
  /** `http://127.0.0.1:<port>`; the issuer from now on. */
  readonly url: string
  readonly port: number
  close(): Promise<void>
}

/** Whom a logout token is about (OpenID Connect Back-Channel Logout 1.0 §2.4). */
export interface LogoutSubject {
  /** A key of `people`. */
  readonly as?: string
  readonly sid?: string
}

/** A fake OpenID provider; see `createProvider`. */
export interface FakeProvider {
  readonly id: string
  /** Changes when `listen` is called. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** May be changed while the provider runs. */
  readonly people: People
  /** Answers as the provider does; any other address is recorded and answered with 404. Honours `redirect` and `signal`. */
  readonly fetch: Fetch
  /** Every request made with `fetch`, oldest first. Authorization requests come from the browser: see `authorizations`. */
  readonly requests: readonly RecordedRequest[]
  requestsTo(endpoint: EndpointName): readonly RecordedRequest[]
  /** Parameters of every authorization request, oldest first. */
  readonly authorizations: readonly Readonly<Record<string, string>>[]
  /**
   * The browser opens an authorization URL, and the person consents.
   * @throws Error where a provider shows a page of its own: unknown client, unregistered redirect URI
   */
  authorize(url: string | URL, consent: Consent): Promise<AuthorizationAnswer>
  /** The browser opens the end-session endpoint (OpenID Connect RP-Initiated Logout 1.0); the answer is where it goes next. */
  endSession(url: string | URL): Promise<{ readonly location: string | undefined }>
  /** A signed back-channel logout token; `change` lies about it. */
  logoutToken(subject: LogoutSubject, change?: (token: UnsignedToken) => UnsignedToken | string): Promise<string>
  /** Signs with the current key. */
  sign(token: UnsignedToken): Promise<string>
  /** From now on another key signs. `keepOld` leaves the present one published. */
  rotateKeys(options?: { readonly keepOld?: boolean }): void
  /** Registers a key pair for `private_key_jwt` and returns its private half. */
  clientPrivateKey(): Promise<CryptoKey>
  /** Adds lies; they are told in the order of adding. Returns a function that takes them back. */
  lie(...lies: readonly Lies[]): () => void
  /** An OpenID Connect provider for Latchkey's `providers`. */
  provider(overrides?: Partial<OIDCConfig>): OIDCConfig
  /** The same service as a plain OAuth 2 provider: explicit endpoints, no issuer, profile from userinfo. */
  oauthProvider(overrides?: Partial<OAuth2Config>): OAuth2Config
  /** Serves the provider on 127.0.0.1, with a page to choose a person. Port 0 (default) takes a free one. */
  listen(port?: number): Promise<Listening>
}
