import type { AdapterUser } from "@latchkey/core/adapters"
import type { RateLimit } from "@latchkey/core/types"

/** Options of `apiKeys`. */
export interface ApiKeysOptions {
  /** How keys begin, such as `acme` or `acme_live`. Scanners find leaked keys by it. Keys with another one aren't valid. */
  readonly prefix: string
  /** What a key may allow, such as `["read", "write"]`. Users choose from these. @default none: a key stands for its owner */
  readonly scopes?: readonly string[]
  /**
   * What the owner of a key may do now, asked for each request. A key allows what is among its scopes, too. `null`: the owner is
   * disabled, so no key of theirs works.
   *
   * @default every scope
   */
  readonly rights?: (params: {
    readonly user: AdapterUser
  }) => readonly string[] | null | Promise<readonly string[] | null>
  /** How long a key works, at most. In seconds. `null`: users may create keys that don't expire. @default 90 days */
  readonly maxAge?: number | null
  /** How long before the end the owner gets an email. In seconds. `0`: they get none. @default 14 days */
  readonly remindBefore?: number
  /** How long the former secret works after a rotation. In seconds. @default a day */
  readonly overlap?: number
  /** Keys of one user, from 1 to 100. @default 50 */
  readonly maxKeys?: number
  /** Requests with one key. `false`: they aren't counted. @default 600 in a minute */
  readonly rateLimit?: RateLimit | false
  /**
   * Whether the keys of a user outlive `revoke`, for all reasons or by the reason that it got. Modules that end the sessions of a user give
   * reasons, too, such as `"password-changed"`. Of a user who is disabled, no key works anyway.
   *
   * @default false: they end
   */
  readonly keepOnRevoke?: boolean | ((reason: string | undefined) => boolean)
  /**
   * What users prove before they create or replace a key, besides a recent sign-in. `2`: two factors in the last 15 minutes, as
   * `requireSession({ level: 2 })` asks for them. Users without a second factor set one up first.
   *
   * @default 1: nothing
   */
  readonly level?: 1 | 2
  /** Takes reports of leaked keys in the format of GitHub, for `report`. @default none */
  readonly secretScanning?: SecretScanningOptions
}

export interface SecretScanningOptions {
  /**
   * The public key with this id, in PEM. Anyone can ask for any id, so don't fetch it each time. GitHub's are at
   * `https://api.github.com/meta/public_keys/secret_scanning`. `undefined`: there's none.
   */
  publicKey(id: string): string | undefined | Promise<string | undefined>
}

const day = 86_400

interface Settled extends Omit<Required<ApiKeysOptions>, "keepOnRevoke" | "rights" | "secretScanning"> {
  keepOnRevoke(reason: string | undefined): boolean
  readonly rights: NonNullable<ApiKeysOptions["rights"]>
  readonly secretScanning: SecretScanningOptions | undefined
}

/** The options, with their defaults. */
export type Settings = Settled

export function settingsOf(options: ApiKeysOptions): Settings {
  const { scopes = [], maxAge = 90 * day, secretScanning } = options
  return {
    prefix: options.prefix,
    scopes,
    rights: options.rights ?? (() => scopes),
    maxAge,
    remindBefore: options.remindBefore ?? 14 * day,
    overlap: options.overlap ?? day,
    maxKeys: options.maxKeys ?? 50,
    rateLimit: options.rateLimit ?? { points: 600, seconds: 60 },
    keepOnRevoke: keeping(options),
    level: options.level ?? 1,
    secretScanning,
  }
}

function keeping({ keepOnRevoke = false }: ApiKeysOptions): Settings["keepOnRevoke"] {
  return typeof keepOnRevoke === "function" ? keepOnRevoke : () => keepOnRevoke
}

/** How long a key works unless its user chooses something else. Seconds. */
export function usualAge({ maxAge }: Pick<Settings, "maxAge">): number {
  return Math.min(90 * day, maxAge ?? Number.POSITIVE_INFINITY)
}

/** What the owner may do now. `null`: nothing, because they are disabled. */
export async function rightsOf({ scopes, rights }: Settings, user: AdapterUser): Promise<readonly string[] | null> {
  const own = await rights({ user })
  return own === null ? null : scopes.filter((scope) => own.includes(scope))
}

/** It's a part of keys and of a response header. */
const prefixes = /^[a-z](?:[a-z0-9_]{0,14}[a-z0-9])$/

/** RFC 6749 §3.3. */
const scopeTokens = /^[\x21\x23-\x5b\x5d-\x7e]{1,64}$/

/** More don't fit into a form. */
const mostScopes = 50

export function problemsOf(settings: Settings): readonly string[] {
  const { prefix, scopes, maxAge, maxKeys } = settings
  const isListed = scopes.length <= mostScopes && new Set(scopes).size === scopes.length
  const problems: readonly (readonly [boolean, string])[] = [
    [prefixes.test(prefix), "`prefix` has 2 to 16 of `a-z`, `0-9` and `_`, such as `acme_live`"],
    [
      isListed && scopes.every((scope) => scopeTokens.test(scope)),
      "`scopes` has up to 50 different names, without spaces or quotes",
    ],
    [maxAge === null || isSeconds(maxAge, day), "`maxAge` is a number of seconds, at least a day, or `null`"],
    [isSeconds(settings.remindBefore, 0), "`remindBefore` is a number of seconds"],
    [isSeconds(settings.overlap, 0), "`overlap` is a number of seconds"],
    [Number.isInteger(maxKeys) && maxKeys >= 1 && maxKeys <= 100, "`maxKeys` is a number from 1 to 100"],
  ]
  return problems.flatMap(([isRight, problem]) => (isRight ? [] : [problem]))
}

/** A hundred years are the most that a date of the databases surely holds. */
function isSeconds(value: number, least: number): boolean {
  return Number.isSafeInteger(value) && value >= least && value <= 100 * 365 * day
}
