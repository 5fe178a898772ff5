import type { AuthConfig } from "@latchkey/core/types"

interface Warned {
  readonly logger: AuthConfig["logger"]
  /** Codes of warnings that were logged. */
  readonly warned: Set<string>
}

export function warnOnce({ logger, warned }: Warned, code: string, message: string): void {
  if (warned.has(code)) return
  warned.add(code)
  const warn = logger?.warn?.bind(logger) ?? console.warn
  warn(code, message)
}
