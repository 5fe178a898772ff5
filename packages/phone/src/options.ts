import type { ModuleParts } from "@latchkey/core/module"

/** A text message with a code. */
export interface PhoneMessage {
  /** The number in E.164, such as `+447700900123`. */
  readonly to: string
  /** Six digits. */
  readonly code: string
  /** What to send, in the language of the visitor. Its last line lets browsers fill the code in on this site alone. */
  readonly text: string
  /** The signed-in user who adds the number. `undefined`: a visitor signs in. */
  readonly user: { readonly id: string } | undefined
}

/** Options of `phone`. */
export interface PhoneOptions {
  /** Sends a text message, or throws. It's awaited before the page is shown. */
  send(message: PhoneMessage): void | Promise<void>
  /** `"closed"`: a number without a user can't create one, and an anonymous user can't add one. @default "open" */
  readonly signUp?: "open" | "closed" | undefined
  /** The calling code for numbers that are typed without one, such as `"+44"`. @default none: each number needs it */
  readonly country?: string | undefined
  /**
   * Messages in a day, by the beginning of the number, such as `{ "+44": 500, "+1": 200 }`. Other numbers get none. Of several beginnings, the
   * longest counts.
   *
   * @default every number, within `maxPerDay`
   */
  readonly prefixes?: Readonly<Record<string, number>> | undefined
  /** All messages in a day. @default 1000 */
  readonly maxPerDay?: number | undefined
  /**
   * Whether a message may be sent to the number, for example because a service says that it isn't a premium number. Don't let it depend
   * on whether a user has the number: visitors see the answer.
   *
   * @default every number
   */
  readonly allow?: ((number: string) => boolean | Promise<boolean>) | undefined
  /** What the sign-in page calls it: "Sign in with SMS". @default "SMS" */
  readonly name?: string | undefined
}

/** Functions for server code, as the member `phone` of what the initializer returns. */
export interface PhoneServer {
  /** The numbers that a user signs in with, in E.164. */
  numbersOf(userId: string): Promise<readonly string[]>
}

const maxPerDay = 1000

const day = 86_400

/** Each message costs money, and numbers that pay a share of it to an attacker are the reason for most of these (SMS pumping). */
export function limitsOf(options: PhoneOptions): NonNullable<ModuleParts["limits"]> {
  const perPrefix = Object.entries(options.prefixes ?? {}).map(
    ([prefix, points]) => [limitOf(prefix), { points, seconds: day }] as const,
  )
  return {
    visitor: { points: 10, seconds: 3600, by: "address" },
    user: { points: 10, seconds: 3600 },
    number: { points: 5, seconds: 3600 },
    daily: { points: 10, seconds: day },
    known: { points: 5, seconds: 3600 },
    "known-daily": { points: 10, seconds: day },
    answer: { points: 30, seconds: 900, by: "address" },
    total: { points: options.maxPerDay ?? maxPerDay, seconds: day },
    ...Object.fromEntries(perPrefix),
  }
}

export function limitOf(prefix: string): string {
  return `prefix-${prefix.slice(1)}`
}

/** The longest beginning that fits. `null`: the number gets no messages. `undefined`: beginnings don't matter. */
export function prefixOf({ prefixes }: PhoneOptions, number: string): string | null | undefined {
  if (prefixes === undefined) return undefined
  const fitting = Object.keys(prefixes).filter((prefix) => number.startsWith(prefix))
  return fitting.toSorted((one, other) => other.length - one.length)[0] ?? null
}

export function problemsOf({ country, prefixes = {}, maxPerDay: most = maxPerDay }: PhoneOptions): readonly string[] {
  const counts = Object.entries({ maxPerDay: most, ...prefixes }).filter(([, points]) => !isCount(points))
  const wrong = Object.keys(prefixes).filter((prefix) => !/^\+[1-9]\d{0,14}$/.test(prefix))
  return [
    ...(country === undefined || /^\+[1-9]\d{0,2}$/.test(country) ? [] : ['`country` is a calling code such as "+44"']),
    ...wrong.map((prefix) => `\`prefixes\` has "${prefix}". Begin it with a calling code, such as "+44"`),
    ...counts.map(([name]) => `\`${name}\` is a number of messages, from 1 up`),
  ]
}

function isCount(points: number): boolean {
  return Number.isSafeInteger(points) && points >= 1
}
