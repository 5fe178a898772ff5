import type { createServer } from "@latchkey/core/server"

export async function loadEngine(): Promise<{ readonly createServer: typeof createServer }> {
  return import("@latchkey/core/server")
}
