import type { Terminal } from "./terminal.js"

/** What every command is given. */
export interface Context {
  /** The folder to work in; absolute. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly terminal: Terminal
}

/** How a command ended. */
export interface Outcome {
  /** 0: fine; 1: something was found, or is left to do. */
  readonly code: 0 | 1
  /** For `--json`; undefined where the command has printed it by itself. */
  readonly report: Readonly<Record<string, unknown>> | undefined
}

export function done(report: Readonly<Record<string, unknown>>): Outcome {
  return { code: 0, report }
}
