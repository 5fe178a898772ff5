import { inspect } from "node:util"
import type { LoggerInstance } from "@latchkey/core/types"
import { hear } from "./secrets.js"

/** One thing the engine logged. */
export interface LogEntry {
  readonly level: "error" | "warn" | "debug"
  /** The error's message, the warning's code or the debug message. */
  readonly message: string
  /** The error itself, the warning's sentence or the debug metadata. */
  readonly detail: unknown
  /** Everything a log file could end up with: message, stack, causes and metadata to the last leaf. */
  readonly text: string
}

/** A logger that remembers. */
export interface CapturedLog {
  /** For `config.logger`. */
  readonly logger: LoggerInstance
  readonly entries: readonly LogEntry[]
  /** Names values that no entry, earlier or later, may contain. At least 6 characters each. */
  forbid(...secrets: readonly string[]): void
  /** Throws if an entry contains a forbidden value, plainly or percent-encoded. */
  assertClean(): void
}

/** Shorter values would be found in ordinary words. */
const shortestSecret = 6

/**
 * Collects what the engine logs, so that a test can look for secrets in it.
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
  const write = (level: LogEntry["level"], message: string, detail: unknown) => {
    const text = `${message} ${wholeText(detail)}`
    entries.push({ level, message, detail, text })
    hear(() => text)
  }
  return {
    entries,
    logger: {
      error: (error) => write("error", error.message, error),
      warn: (code, detail) => write("warn", code, detail),
      debug: (message, metadata) => write("debug", message, metadata),
    },
    forbid: (...added) => {
      for (const secret of added) secrets.add(longEnough(secret))
    },
    assertClean: () => assertClean(entries, [...secrets]),
  }
}

function longEnough(secret: string): string {
  if (secret.length >= shortestSecret) return secret
  throw new RangeError(`A forbidden value needs at least ${shortestSecret} characters to be told from ordinary text`)
}

/** To the last leaf. */
export function wholeText(detail: unknown): string {
  const everything = { depth: 30, maxStringLength: null, maxArrayLength: null, breakLength: Infinity }
  return typeof detail === "string" ? detail : inspect(detail, everything)
}

function assertClean(entries: readonly LogEntry[], secrets: readonly string[]): void {
  for (const [at, { level, message, text }] of entries.entries()) {
    const found = secrets.findIndex((secret) => spellings(secret).some((spelling) => text.includes(spelling)))
    if (found < 0) continue
    const shown = secrets
      .flatMap(spellings)
      .reduce((rest, spelling) => rest.replaceAll(spelling, "[redacted]"), message)
    throw new Error(`Log entry ${at} (${level} "${shown}") contains forbidden value ${found + 1}: redact it`)
  }
}

function spellings(secret: string): readonly string[] {
  return [secret, encodeURIComponent(secret)]
}
