import type { AuthContext } from "../../../model/auth.js"
import type * as Attempts from "./version4-attempt.js"

/**
 * Sign-ins in flight that Auth.js v5 or next-auth 4 started, or may finish. `undefined` with `compat: false`, and then nothing
 * of it loads.
 */
export async function foreignAttempts({ compat }: AuthContext): Promise<typeof Attempts | undefined> {
  return compat ? import("./version4-attempt.js") : undefined
}
