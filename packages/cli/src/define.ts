import type { Command } from "commander"
import type { Context, Outcome } from "./outcome.js"

/** Options of every command. */
export interface CommonOptions {
  readonly json?: boolean
  readonly input: boolean
  readonly cwd?: string
}

export type Run = (options: CommonOptions, work: (context: Context) => Promise<Outcome>) => Promise<void>

/** Defines a command, with the options that every command has. */
export function command(parent: Command, usage: string, description: string, examples: string): Command {
  return parent
    .command(usage)
    .description(description)
    .option("--json", "print one JSON value instead of text")
    .option("--no-input", "never ask questions")
    .option("--cwd <folder>", "work in another folder")
    .addHelpText("after", `\nExamples:\n${examples.replaceAll(/^/gm, "  $ ")}`)
}
