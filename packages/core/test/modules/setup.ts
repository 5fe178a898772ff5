import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import credentials from "@latchkey/core/providers/credentials"
import type { AuthConfig, Module } from "@latchkey/core/types"
import { type Browser, captureLog, type CapturedLog, visit } from "@latchkey/testing"

export const code = credentials({
  credentials: { name: {} },
  authorize: ({ name }) => ({ id: String(name), name: String(name) }),
})

export interface Site {
  readonly browser: Browser
  readonly log: CapturedLog
}

/** An application with these modules, in order. */
export async function siteOf(modules: readonly Module[], rest: Partial<AuthConfig> = {}): Promise<Site> {
  const log = captureLog()
  const config = { providers: [code], modules, logger: log.logger, ...rest }
  return { browser: await visit(config), log }
}

export function errors({ log }: Site): readonly unknown[] {
  return log.entries.filter(({ level }) => level === "error").map(({ detail }) => detail)
}

export { memoryAdapter }
