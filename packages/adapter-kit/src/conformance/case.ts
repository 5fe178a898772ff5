import type { Adapter } from "@latchkey/core/adapters"
import { fail } from "./check.js"

/** What an adapter may promise beyond the contract. All but the last two are methods of the same name. */
export type Capability =
  | "listAccounts"
  | "updateAccount"
  | "listSessions"
  | "deleteSessions"
  | "deleteVerificationTokens"
  | "transaction"
  /** Fields of `profile()` and `account()` that have no column of their own come back too. */
  | "extraFields"
  /** A taken address, account or passkey is refused with an error whose `code` is `"LATCHKEY_UNIQUE"`. */
  | "uniqueCode"

/** All there are, for an adapter that has everything. */
export const allCapabilities: readonly Capability[] = [
  "listAccounts",
  "updateAccount",
  "listSessions",
  "deleteSessions",
  "deleteVerificationTokens",
  "transaction",
  "extraFields",
  "uniqueCode",
]

export interface Surroundings {
  /** Draws an id of a shape that the store accepts and that nobody has. */
  readonly newId: () => string
  /** The unit below which the store cuts instants off. */
  readonly precision: "milliseconds" | "seconds"
}

/** One promise of the contract, and how to find out whether an adapter keeps it. */
export interface ConformanceCase {
  /** Stable: for `skip`. */
  readonly id: string
  /** A sentence. */
  readonly name: string
  /** Which part of the contract it belongs to. */
  readonly part: "basic" | "webauthn" | Capability
  /** Resolves if the promise is kept, else rejects with an error that says what was promised and what came. */
  run(adapter: Adapter, surroundings?: Partial<Surroundings>): Promise<void>
}

type Having<Needs extends keyof Adapter> = Adapter & Required<Pick<Adapter, Needs>>

/** A case that calls the methods in `needs`; an adapter without one of them has broken the promise. */
export function promise<const Needs extends keyof Adapter>(
  head: Pick<ConformanceCase, "id" | "name" | "part">,
  needs: readonly Needs[],
  run: (adapter: Having<Needs>, surroundings: Surroundings) => Promise<void>,
): ConformanceCase {
  return {
    ...head,
    run: async (adapter, surroundings) => {
      if (!hasAll(adapter, needs)) fail(`The adapter has the methods ${needs.join(", ")}`, missing(adapter, needs))
      await run(adapter, { newId: () => crypto.randomUUID(), precision: "milliseconds", ...surroundings })
    },
  }
}

function hasAll<Needs extends keyof Adapter>(adapter: Adapter, needs: readonly Needs[]): adapter is Having<Needs> {
  return needs.every((name) => typeof adapter[name] === "function")
}

function missing(adapter: Adapter, needs: readonly (keyof Adapter)[]): string {
  return `no ${needs.filter((name) => typeof adapter[name] !== "function").join(", no ")}`
}
