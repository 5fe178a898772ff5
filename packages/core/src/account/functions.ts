import { AdapterError } from "../errors.js"
import { textOf } from "../http/auth-request.js"
import { maxListed } from "../limits/of-growth.js"
import type { AuthContext } from "../model/auth.js"
import type { AccountChange, AccountPart, Outcome } from "../model/features.js"
import type { AccountStatus, AuthRequest } from "../model/http.js"
import type { SecurityEventName } from "../model/security-event.js"
import { reasonOf } from "../observability/audit.js"
import { type StoredUser, storedUser } from "./signed-in.js"

type Work<Args extends readonly unknown[], T> = (stored: StoredUser, ...args: Args) => Promise<Outcome<T>>
type ForUser<Args extends readonly unknown[], T> = (
  auth: AuthContext,
  request: AuthRequest,
  ...args: Args
) => Promise<Outcome<T>>

/** Its success has an event. A refusal, and an id that names nothing of this user, are security events too. */
export function change<Args extends readonly unknown[], T>(
  name: SecurityEventName,
  work: Work<Args, T>,
): ForUser<Args, T> {
  const run = forUser(work)
  return async (auth, request, ...args) => {
    try {
      const outcome = await run(auth, request, ...args)
      if (outcome.value === false) await auth.audit?.emit({ name, outcome: "failure", reason: "NotFound" })
      return outcome
    } catch (cause) {
      await auth.audit?.emit({ name, outcome: "failure", reason: reasonOf(cause) })
      throw cause
    }
  }
}

/** A user who was deleted meanwhile isn't signed in anymore, and isn't a failure of the adapter. */
export function forUser<Args extends readonly unknown[], T>(work: Work<Args, T>): ForUser<Args, T> {
  return async (auth, request, ...args) => {
    const stored = await storedUser(auth, request)
    try {
      return await work(stored, ...args)
    } catch (cause) {
      if (cause instanceof AdapterError) await storedUser(auth, request)
      throw cause
    }
  }
}

export function result<T>(value: T): Outcome<T> {
  return { value, cookies: [] }
}

export function listed<T>(items: readonly T[]): Outcome<readonly T[]> {
  return result(items.slice(0, maxListed))
}

/** The user has no such thing if the function returned `false`. */
export function acted(done: AccountStatus["done"], { value, cookies }: Outcome<unknown>): AccountChange {
  return { status: value === false ? undefined : { done }, cookies, isSignedOut: false }
}

export function field({ body }: AuthRequest, name: string): string {
  return textOf(body[name]) ?? ""
}

/** What features add to the account, loaded. */
export async function accountParts({ features }: AuthContext): Promise<readonly AccountPart<AuthContext>[]> {
  return Promise.all(features.accountParts.map((load) => load()))
}
