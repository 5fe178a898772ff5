import { inspect } from "node:util"
import type { LoggerInstance } from "@latchkey/core/types"

/** A logger that keeps everything that could reach a log file: messages, stacks, causes and metadata. */
export interface Log {
  readonly logger: LoggerInstance
  readonly entries: string[]
}

export function createLog(): Log {
  const entries: string[] = []
  const keep = (...parts: readonly unknown[]) => {
    entries.push(parts.map(textOf).join(" "))
  }
  return { entries, logger: { error: keep, warn: keep, debug: keep } }
}

const everything = { depth: 12, maxStringLength: null, maxArrayLength: null, breakLength: Number.POSITIVE_INFINITY }

function textOf(part: unknown): string {
  return typeof part === "string" ? part : inspect(part, everything)
}
