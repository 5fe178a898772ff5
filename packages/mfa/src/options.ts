import type { User } from "@latchkey/core/types"

/** How users prove a second time who they are. `app`: an authenticator app. */
export type Method = "app" | "email" | "sms" | "passkey"
export type CodeMethod = Exclude<Method, "passkey">
/** Methods whose codes are sent. */
export type SentMethod = Exclude<CodeMethod, "app">

/** Options of `mfa`. */
export interface MfaOptions {
  /**
   * Whether a user has to have a second factor. It's asked at each sign-in of a user who has none. They set up an authenticator app before
   * the sign-in goes on. A user who signs up is asked at the next sign-in.
   *
   * @default no user has to
   */
  readonly require?: (params: {
    readonly user: User & { readonly id: string }
    /** The id of the provider that the user signs in with. */
    readonly provider: string
  }) => boolean | Promise<boolean>
  /** How long users who have to set a factor up may sign in without, from the first time. In seconds. @default 0 */
  readonly gracePeriod?: number
  /** `false`: no user can choose codes by email. @default true, if there is an email provider */
  readonly email?: boolean
  /** `false`: no user can choose one of their passkeys. @default true, if there is a passkey provider */
  readonly passkeys?: boolean
  /** Sends codes to phones. @default no codes by SMS */
  readonly sms?: SmsOptions
  /** `false`: the second factor is asked in each sign-in. @default true: users can turn it off for 30 days in a browser */
  readonly trustedDevices?: boolean
  /**
   * By the id of an OpenID provider: what its ID token has to say so that no second factor is asked here, because the provider asked for
   * one. One of the values is enough.
   *
   * @default none
   */
  readonly accept?: Readonly<Record<string, AcceptedLevels>>
  /** The name of the site in authenticator apps. @default the name of the application */
  readonly issuer?: string
  /** How long after `startReset` the factor is removed. In seconds. @default 3 days */
  readonly resetDelay?: number
}

export interface AcceptedLevels {
  /** Values of `amr`, such as `"mfa"` (RFC 8176). */
  readonly amr?: readonly string[]
  /** Values of `acr`. */
  readonly acr?: readonly string[]
}

export interface SmsOptions {
  /** Sends a message with a code. `to` is what the user typed as their number: digits, with or without `+`. */
  send(message: { readonly to: string; readonly code: string; readonly text: string }): void | Promise<void>
}

const day = 86_400

export const defaults: Required<Pick<MfaOptions, "gracePeriod" | "resetDelay">> = {
  gracePeriod: 0,
  resetDelay: 3 * day,
}

export function problemsOf({ gracePeriod, resetDelay, accept = {} }: MfaOptions): readonly string[] {
  const seconds = Object.entries({ gracePeriod, resetDelay })
  const wrong = seconds.filter(([, value]) => value !== undefined && !(value >= 0 && value < Number.POSITIVE_INFINITY))
  const empty = Object.entries(accept).filter(([, { amr = [], acr = [] }]) => amr.length + acr.length === 0)
  return [
    ...wrong.map(([name]) => `\`${name}\` is a number of seconds, such as ${day}`),
    ...empty.map(([provider]) => `\`accept.${provider}\` needs values in \`amr\` or \`acr\``),
  ]
}
