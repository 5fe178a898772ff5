import { records } from "#api-key-records"
import type { AdapterUser } from "@latchkey/core/adapters"
import { defineModule, type Module } from "@latchkey/core/module"
import type { ApiKeysOptions } from "./options.js"

export type { ApiKeysOptions, SecretScanningOptions } from "./options.js"

/** A request: a `Request`, or what a framework on Node has. Only its headers count. */
export interface ApiRequest {
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
}

export interface VerifyOptions {
  /** What the key has to allow. With several, all of them. @default nothing but that it's valid */
  readonly scope?: string | readonly string[]
}

/** A request with a valid key. */
export interface ValidKey {
  readonly ok: true
  readonly keyId: string
  readonly userId: string
  /** The owner, as they are now. */
  readonly user: AdapterUser
  /** What the request may do: the scopes of the key that its owner has, too. */
  readonly scopes: readonly string[]
  /** `null`: the key doesn't expire. */
  readonly expiresAt: Date | null
}

/**
 * Why a request is refused. `missing`: it has no `Authorization: Bearer`. `malformed`: what it has can't be a key. `invalid`: there's
 * no such key, or the secret is wrong. `owner`: the owner was deleted, or is disabled. `host`: the request is for a host that
 * isn't trusted, and the configuration has no URL. `scope`: the key doesn't allow it.
 */
export type RefusalReason = "missing" | "malformed" | "invalid" | "expired" | "owner" | "host" | "scope" | "limited"

/** A request that has to be refused. */
export interface RefusedKey {
  readonly ok: false
  /** For your server alone: a response says less. */
  readonly reason: RefusalReason
  readonly status: 401 | 403 | 429
  /** Of the response: `www-authenticate` (RFC 6750), or `retry-after`. */
  readonly headers: Readonly<Record<string, string>>
  /** The response to send. */
  toResponse(): Response
}

/** A key, without its secret. */
export interface ApiKey {
  readonly keyId: string
  /** How the key begins, such as `acme_1mIGkqbLHqbxhmHT`. */
  readonly start: string
  readonly userId: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly createdAt: Date
  /** `null`: never. */
  readonly expiresAt: Date | null
  /** To the hour. `null`: never. */
  readonly lastUsedAt: Date | null
}

export interface NewApiKey {
  /** Who owns the key: the user of the session, and never what a request says. */
  readonly userId: string
  /** 1 to 64 characters. */
  readonly name: string
  /** @default none, which is only possible if the configuration has none */
  readonly scopes?: readonly string[]
  /** Seconds. `null`: it doesn't expire, if the configuration allows that. @default `maxAge`, at most 90 days */
  readonly expiresIn?: number | null
}

/**
 * Why a key isn't created. `limit`: the user has as many as there may be. `owner`: there's no such user, or they are disabled. `busy`:
 * too many were created at the same time. The others are wrong, or more than the user has.
 */
export type CreateProblem = "name" | "scopes" | "lifetime" | "owner" | "limit" | "busy"

/** `changed`: it was rotated at the same time. */
export type RotateProblem = "not-found" | "changed"

/** `key` is what the user copies. It can't be shown again. */
export type Issued<Problem> =
  | { readonly ok: true; readonly key: string; readonly apiKey: ApiKey }
  | { readonly ok: false; readonly problem: Problem }

export interface RotateOptions {
  /** Only if this user owns the key. @default of any user */
  readonly userId?: string
  /** Seconds in which the former secret works. `0`: it ends at once. @default `overlap` of the module */
  readonly overlap?: number
}

/** Functions for server code, as the member `api-keys` of what the initializer returns. */
export interface ApiKeysServer {
  /**
   * Reads the key in `Authorization: Bearer` of a request to your API. Nothing is cached: what was revoked before the call counts.
   *
   * @example
   * ```ts
   * import type { ApiKeysServer } from "@latchkey/api-keys"
   * declare const apiKeys: ApiKeysServer
   * export async function GET(request: Request): Promise<Response> {
   *   const key = await apiKeys.verify(request, { scope: "read" })
   *   if (!key.ok) return key.toResponse()
   *   return Response.json({ userId: key.userId })
   * }
   * ```
   * @throws UntrustedHost, or TypeError for a scope that isn't in the configuration
   */
  verify(request: ApiRequest, options?: VerifyOptions): Promise<ValidKey | RefusedKey>
  /** Creates a key for a user. The user gets no email. */
  create(key: NewApiKey): Promise<Issued<CreateProblem>>
  /** The keys of a user, the latest first. */
  list(userId: string): Promise<readonly ApiKey[]>
  /** Replaces the secret of a key. Its id, name and scopes stay, and its lifetime begins anew. */
  rotate(keyId: string, options?: RotateOptions): Promise<Issued<RotateProblem>>
  /** `false`: there's no such key. */
  revoke(keyId: string, options?: Pick<RotateOptions, "userId">): Promise<boolean>
  /** Reminds the owners of keys that expire soon, also of those that aren't used. For a daily job. Needs `AUTH_URL`. */
  remind(): Promise<{ readonly sent: number }>
  /** Revokes keys that leaked, and tells their owners. */
  reported(keys: readonly string[]): Promise<{ readonly revoked: number }>
  /** Takes a report of GitHub's secret scanning, and returns the response. Needs `secretScanning`. */
  report(request: Request): Promise<Response>
}

/**
 * API keys of users. Users create them on the account page, and `verify` reads them in requests to your API.
 *
 * @example
 * ```ts
 * import type { AuthConfig } from "@latchkey/core"
 * import { apiKeys } from "@latchkey/api-keys"
 * import { memoryAdapter } from "@latchkey/adapter-kit"
 * export const config: AuthConfig = {
 *   adapter: memoryAdapter(),
 *   providers: [],
 *   modules: [apiKeys({ prefix: "acme", scopes: ["read", "write"] })],
 * }
 * ```
 */
export function apiKeys(options: ApiKeysOptions): Module<"api-keys", ApiKeysServer> {
  return defineModule<"api-keys", ApiKeysServer, typeof records>({
    id: "api-keys",
    records,
    members: ["verify", "create", "list", "rotate", "revoke", "remind", "reported", "report"],
    load: async () => (await import("#api-keys")).partsOf(options),
  })
}
