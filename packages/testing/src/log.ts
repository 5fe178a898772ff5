import { inspect } from "node:util"
import type { LoggerInstance } from "@latchkey/core/types"
import { trackLog } from "./secrets.js"

/** One log entry. */
export interface LogEntry {
  readonly level: "error" | "warn" | "debug"
  /** The message of an error, the code of a warning, or the debug message. */
  readonly message: string
  /** The error, the text of a warning, or the debug metadata. */
  readonly detail: unknown
  /** Everything that could reach a log file: message, stack, causes and nested metadata. */
  readonly text: string
}

/** A logger that keeps its entries. */
export interface CapturedLog {
  /** The `logger` for your configuration. */
  readonly logger: LoggerInstance
  readonly entries: readonly LogEntry[]
  /** Adds values that no entry may contain, of at least 6 characters each. */
  forbid(...secrets: readonly string[]): void
  /** Throws if any entry contains a forbidden value, also in percent-encoding. */
  assertClean(): void
}

/** A shorter value could be part of an ordinary word. */
const minSecretLength = 6

/**
 * Creates a logger that keeps its entries, so that a test can check them for secrets.
 *
 * @example
 * ```ts
 * import { captureLog } from "@latchkey/testing"
 * const log = captureLog()
 * log.forbid("the-client-secret")
 * log.logger.debug("token request", { grant_type: "authorization_code" })
 * log.assertClean()
 * ```
 */
export function captureLog(): CapturedLog {
  const entries: LogEntry[] = []
  const secrets = new Set<string>()
  const add = (level: LogEntry["level"], message: string, detail: unknown) => {
    const text = `${message} ${wholeText(detail)}`
    entries.push({ level, message, detail, text })
    trackLog(() => text)
  }
  return {
    entries,
    logger: {
      error: (error) => add("error", error.message, error),
      warn: (code, detail) => add("warn", code, detail),
      debug: (message, metadata) => add("debug", message, metadata),
    },
    forbid: (...added) => {
      for (const secret of added) secrets.add(assertLength(secret))
    },
    assertClean: () => assertClean(entries, [...secrets]),
  }
}

function assertLength(secret: string): string {
  if (secret.length >= minSecretLength) return secret
  throw new RangeError(
    `A forbidden value needs at least ${minSecretLength} characters. Shorter values match ordinary text.`,
  )
}

export function wholeText(detail: unknown): string {
  const everything = { depth: 30, maxStringLength: null, maxArrayLength: null, breakLength: Infinity }
  return typeof detail === "string" ? detail : inspect(detail, everything)
}

function assertClean(entries: readonly LogEntry[], secrets: readonly string[]): void {
  for (const [index, { level, message, text }] of entries.entries()) {
    const found = secrets.findIndex((secret) => encodings(secret).some((encoding) => text.includes(encoding)))
    if (found < 0) continue
    const redacted = secrets
      .flatMap(encodings)
      .reduce((rest, encoding) => rest.replaceAll(encoding, "[redacted]"), message)
    throw new Error(`Log entry ${index} (${level} "${redacted}") contains forbidden value ${found + 1}. Redact it.`)
  }
}

function encodings(secret: string): readonly string[] {
  return [secret, encodeURIComponent(secret)]
}
