import { callbackFaults, logoutFaults } from "./callback.js"
import type { Fault } from "./fault.js"
import { idTokenFaults } from "./id-token.js"
import { metadataFaults } from "./metadata.js"
import type {
  CallbackFault,
  IdTokenFault,
  LogoutFault,
  MetadataFault,
  SkippedCheckFault,
  TokenFault,
  UserinfoFault,
} from "./names.js"
import { skippedChecks, tokenFaults } from "./token.js"
import { userinfoFaults } from "./userinfo.js"

/** The names of the built-in faults. */
export type FaultName =
  | MetadataFault
  | CallbackFault
  | TokenFault
  | IdTokenFault
  | UserinfoFault
  | SkippedCheckFault
  | LogoutFault

/**
 * Built-in faults by name. You can combine them: `op.inject(faults.codeReplay, faults.noNonce)`.
 *
 * @example
 * ```ts
 * import { createProvider, faults } from "@latchkey/testing"
 * const op = createProvider({ faults: faults.wrongIssuer })
 * ```
 */
export const faults: Readonly<Record<FaultName, Fault>> = {
  ...metadataFaults,
  ...callbackFaults,
  ...tokenFaults,
  ...idTokenFaults,
  ...userinfoFaults,
  ...skippedChecks,
  ...logoutFaults,
}

/** A fault that keeps the client waiting until you release it. */
export interface Hang {
  /** Pass it to `createProvider` or `op.inject`. */
  readonly fault: Fault
  /** Resolves when the first request is waiting. */
  readonly reached: Promise<void>
  /** Answers all waiting requests, and further ones at once, without a fault. */
  release(): void
}

/**
 * Makes one endpoint hang, without a timer.
 *
 * @example
 * ```ts
 * import { createProvider, hang } from "@latchkey/testing"
 * const slow = hang("token")
 * const op = createProvider({ faults: slow.fault })
 * slow.release()
 * ```
 */
export function hang(endpoint: "discovery" | "jwks" | "token" | "userinfo"): Hang {
  const released = createDeferred()
  const reached = createDeferred()
  const answer: Fault["answer"] = async (request) => {
    if (request.endpoint !== endpoint) return undefined
    reached.resolve()
    await released.promise
    return undefined
  }
  return { fault: { answer }, reached: reached.promise, release: released.resolve }
}

/** Node 20 has no `Promise.withResolvers`. */
function createDeferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined
  const promise = new Promise<void>((resolvePromise) => {
    resolve = resolvePromise
  })
  return { promise, resolve }
}
