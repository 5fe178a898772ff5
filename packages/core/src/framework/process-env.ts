import type { Env } from "../config/env/variables.js"

/** The environment variables of the process, on platforms that have one. */
export function processEnv(): Env {
  const { process } = globalThis as { readonly process?: { readonly env?: Env } }
  return process?.env ?? {}
}
