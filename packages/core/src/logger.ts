import type { WarningCode } from "./model/config.js"

/** Where the engine writes; what reaches it is redacted. */
export interface Logger {
  error(error: Error): void
  /** `detail`: one sentence for people, after the code that machines know. */
  warn(code: WarningCode, detail?: string): void
  /** `metadata` is made only if somebody listens. */
  debug(message: string, metadata?: () => unknown): void
}
