import { careless, tokenLies, userinfoLies } from "./answer.js"
import { callbackLies, logoutLies, metadataLies } from "./front.js"
import { idTokenLies } from "./id-token.js"
import type { Lies } from "./lie.js"
import type { CallbackLie, CarelessLie, IdTokenLie, LogoutLie, MetadataLie, TokenLie, UserinfoLie } from "./names.js"

/** The names of the ready-made lies. */
export type LieName = MetadataLie | CallbackLie | TokenLie | IdTokenLie | UserinfoLie | CarelessLie | LogoutLie

/**
 * Ready-made lies by name. They compose: `op.lie(lies.codeReplay, lies.noNonce)`.
 *
 * @example
 * ```ts
 * import { createProvider, lies } from "@latchkey/testing"
 * const op = createProvider({ lies: lies.wrongIssuer })
 * ```
 */
export const lies: Readonly<Record<LieName, Lies>> = {
  ...metadataLies,
  ...callbackLies,
  ...tokenLies,
  ...idTokenLies,
  ...userinfoLies,
  ...careless,
  ...logoutLies,
}

/** A lie that keeps the client waiting until it is released. */
export interface Hang {
  readonly lies: Lies
  /** Resolves when the first request hangs. */
  readonly reached: Promise<void>
  /** Lets every waiting answer go out, honestly. */
  release(): void
}

/**
 * Holds back the answers of one endpoint, without a timer.
 *
 * @example
 * ```ts
 * import { createProvider, hang } from "@latchkey/testing"
 * const slow = hang("token")
 * const op = createProvider({ lies: slow.lies })
 * slow.release()
 * ```
 */
export function hang(endpoint: "discovery" | "jwks" | "token" | "userinfo"): Hang {
  const gate = createSignal()
  const arrival = createSignal()
  const answer: Lies["answer"] = async (request) => {
    if (request.endpoint !== endpoint) return undefined
    arrival.give()
    await gate.given
    return undefined
  }
  return { lies: { answer }, reached: arrival.given, release: gate.give }
}

/** `Promise.withResolvers` is younger than Node 20. */
function createSignal(): { readonly given: Promise<void>; readonly give: () => void } {
  let give = (): void => undefined
  const given = new Promise<void>((resolve) => {
    give = resolve
  })
  return { given, give }
}
