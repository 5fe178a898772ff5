import type { Terminal } from "./terminal.js"

/** The arguments of every command. */
export interface Context {
  /** The folder to work in, as an absolute path. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly terminal: Terminal
}

/** The result of a command. */
export interface Outcome {
  /** The exit code. 1: the command found a problem, or you have to do something. */
  readonly code: 0 | 1
  /** For `--json`. Undefined if the command has printed it already. */
  readonly report: Readonly<Record<string, unknown>> | undefined
}

export function done(report: Readonly<Record<string, unknown>>): Outcome {
  return { code: 0, report }
}
