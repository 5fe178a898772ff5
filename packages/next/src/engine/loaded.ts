import type { createServer } from "@latchkey/core/server"

/** The engine, on the first request that needs more than the session. */
export async function loadEngine(): Promise<{ readonly createServer: typeof createServer }> {
  return import("@latchkey/core/server")
}
