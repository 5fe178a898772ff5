import type { ModuleParts } from "@latchkey/core/module"
import type { Context } from "./context.js"

/** `enroll`: to a number that a user typed. `prove`: to one that they have confirmed. */
export type Purpose = "enroll" | "prove"

const hour = 3600
const day = 86_400

/**
 * Each message costs money, and numbers that pay a share of it to an attacker are the reason for most of these (SMS pumping). The two
 * purposes have limits of their own, so that no user who types the number of another one uses up what its owner needs to sign in.
 */
export const smsLimits: NonNullable<ModuleParts["limits"]> = {
  "enroll-sms-visitor": { points: 10, seconds: hour, by: "address" },
  "enroll-sms": { points: 5, seconds: hour },
  "enroll-sms-daily": { points: 10, seconds: day },
  // A company may share an address.
  "prove-sms-visitor": { points: 60, seconds: hour, by: "address" },
  "prove-sms": { points: 5, seconds: 900 },
  "prove-sms-daily": { points: 20, seconds: day },
}

interface Counted {
  readonly purpose: Purpose
  readonly to: string
  readonly userId: string
}

/**
 * Before it's sent, because parallel requests would all be sent otherwise.
 *
 * @throws RateLimited
 */
export async function countSms({ limit }: Context, { purpose, to, userId }: Counted): Promise<void> {
  await limit(`${purpose}-sms-visitor`)
  for (const name of [`${purpose}-sms`, `${purpose}-sms-daily`])
    for (const subject of [`user ${userId}`, `number ${endOf(to)}`]) await limit(name, subject)
}

/** What all spellings of a number have in common: `+44 7700 900123`, `0044 7700 900123` and `07700 900123` are one phone. */
function endOf(number: string): string {
  return number.replace(/\D/g, "").slice(-8)
}
