import type { CryptoKey } from "jose"
import type { Lies } from "../lies/lie.js"
import type { KeyRing } from "./keys.js"
import type { RecordedRequest } from "./messages.js"
import type { ClientAuthentication, People, SigningAlgorithm } from "./model.js"

/** What a person agreed to. */
export interface Grant {
  readonly person: string
  readonly scope: string
  readonly nonce: string | undefined
  readonly acr: string | undefined
  /** The client asked for `max_age`, so that `auth_time` is required (OpenID Connect Core §2). */
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

/** Everything one fake provider knows. It changes as the provider is used: a stateful service is being imitated. */
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
  lies: readonly Lies[]
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

/** 128 random bits, with a prefix that tells a person reading a log what it is. */
export function randomToken(kind: string): string {
  return `${kind}-${Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64url")}`
}
