import type { CryptoKey } from "jose"
import type { Fault } from "../faults/fault.js"
import type { KeyRing } from "./keys.js"
import type { RecordedRequest } from "./messages.js"
import type { ClientAuthentication, People, SigningAlgorithm } from "./model.js"

/** The user's consent. */
export interface Grant {
  /** A key of `people`. */
  readonly user: string
  readonly scope: string
  readonly nonce: string | undefined
  readonly acr: string | undefined
  /** The request had `max_age`, so `auth_time` is required (OpenID Connect Core §2). */
  readonly wantsAuthTime: boolean
  /** Seconds since 1970. */
  readonly authTime: number
  readonly sid: string
}

export interface IssuedCode {
  readonly grant: Grant
  readonly redirectUri: string
  readonly challenge: string | undefined
  /** Milliseconds since 1970. */
  readonly expires: number
  used: boolean
}

export interface IssuedRefreshToken {
  readonly grant: Grant
  used: boolean
}

/** The state of one fake provider. */
export interface ProviderState {
  issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly authentication: ClientAuthentication | undefined
  readonly algorithm: SigningAlgorithm
  readonly userinfo: "json" | "jwt"
  readonly issParameter: boolean
  /** Seconds. */
  readonly lifetime: number
  readonly redirectUris: readonly string[] | undefined
  readonly people: People
  readonly keys: KeyRing
  readonly now: () => number
  clientPublicKey: CryptoKey | undefined
  faults: readonly Fault[]
  readonly codes: Map<string, IssuedCode>
  readonly accessTokens: Map<string, { readonly grant: Grant; readonly expires: number }>
  readonly refreshTokens: Map<string, IssuedRefreshToken>
  readonly assertionIds: Set<string>
  readonly requests: RecordedRequest[]
  readonly authorizations: Readonly<Record<string, string>>[]
}

export function secondsNow(op: ProviderState): number {
  return Math.floor(op.now() / 1000)
}

/** 128 random bits, with a prefix that shows its kind in a log. */
export function randomToken(kind: string): string {
  return `${kind}-${Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64url")}`
}
