// The tokens of next-auth 4, for `@latchkey/next-auth-4`.
import type { JWT } from "../model/session.js"
import { systemRuntime } from "../primitives/runtime.js"
import { type SealOptions, sealVersion4 as seal } from "./version4-tokens.js"

export { openVersion4 } from "./version4-tokens.js"

/** Seals claims as next-auth 4 does. `maxAge` is in seconds. */
export async function sealVersion4(claims: JWT, options: Omit<SealOptions, "runtime">): Promise<string> {
  return seal(claims, { ...options, runtime: systemRuntime })
}
