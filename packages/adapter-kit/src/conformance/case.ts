import type { Adapter } from "@latchkey/core/adapters"
import { fail } from "./check.js"

/** What an adapter can support beyond the contract. All but the last three are methods of the same name. */
export type Capability =
  | "listAccounts"
  | "updateAccount"
  | "updateAuthenticator"
  | "deleteAuthenticator"
  | "describeAuthenticator"
  | "describeSession"
  | "listSessions"
  | "deleteSessions"
  | "getVerificationToken"
  | "deleteVerificationTokens"
  | "transaction"
  /** Stores additional fields of `profile()` and `account()`, also without a column of their own. */
  | "extraFields"
  /** Rejects a taken email, account or passkey with an error whose `code` is `"LATCHKEY_UNIQUE"`. */
  | "uniqueCode"
  /** Has `records`. */
  | "records"

/** All capabilities, for an adapter that supports everything. */
export const allCapabilities: readonly Capability[] = [
  // Core has such a list too, but not in its exports: the kit states the contract on its own.
  "listAccounts",
  "updateAccount",
  "updateAuthenticator",
  "deleteAuthenticator",
  "describeAuthenticator",
  "describeSession",
  "listSessions",
  "deleteSessions",
  "getVerificationToken",
  "deleteVerificationTokens",
  "transaction",
  "extraFields",
  "uniqueCode",
  "records",
]

/** Properties of the database that the cases need to know. */
export interface Surroundings {
  /** Returns a new unique id in a format that the database accepts. @default a UUID */
  readonly newId: () => string
  /** Precision of stored dates. Smaller units are cut off. @default "milliseconds" */
  readonly precision: "milliseconds" | "seconds"
}

/** One test of the adapter contract. */
export interface ConformanceCase {
  /** Stable id, for `skip`. */
  readonly id: string
  /** Title of the test: a sentence. */
  readonly name: string
  /** The part of the contract that the case belongs to. */
  readonly part: "basic" | "webauthn" | Capability
  /** Resolves if the adapter passes. Otherwise rejects with a `BrokenPromise`. */
  run(adapter: Adapter, surroundings?: Partial<Surroundings>): Promise<void>
}

export type WithMethods<Needs extends keyof Adapter> = Adapter & Required<Pick<Adapter, Needs>>

/** Creates a case that fails if the adapter lacks one of the methods in `needs`. */
export function defineCase<const Needs extends keyof Adapter>(
  head: Pick<ConformanceCase, "id" | "name" | "part">,
  needs: readonly Needs[],
  run: (adapter: WithMethods<Needs>, options: Surroundings) => Promise<void>,
): ConformanceCase {
  return {
    ...head,
    run: async (adapter, surroundings) => {
      if (!hasAll(adapter, needs)) fail(`The adapter has the methods ${needs.join(", ")}`, missing(adapter, needs))
      await run(adapter, withDefaults(surroundings))
    },
  }
}

export function withDefaults(surroundings: Partial<Surroundings> | undefined): Surroundings {
  return { newId: () => crypto.randomUUID(), precision: "milliseconds", ...surroundings }
}

export function hasAll<Needs extends keyof Adapter>(
  adapter: Adapter,
  needs: readonly Needs[],
): adapter is WithMethods<Needs> {
  return needs.every((name) => typeof adapter[name] === "function")
}

export function missing(adapter: Adapter, needs: readonly (keyof Adapter)[]): string {
  return `no ${needs.filter((name) => typeof adapter[name] !== "function").join(", no ")}`
}
