import type { createActions } from "../actions.js"

export async function loadEngine(): Promise<{ readonly createActions: typeof createActions }> {
  return import("../actions.js")
}
