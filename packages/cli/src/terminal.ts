import { type Ask, clackAsk } from "./ask.js"

/** Prints the output of a command, and asks questions. */
export interface Terminal {
  /** `--json`: `say` prints nothing, and the command prints one JSON value at the end. */
  readonly json: boolean
  /** Undefined if no user is at the terminal. */
  readonly ask: Ask | undefined
  /** Prints a line for the user. */
  say(line?: string): void
  /** Prints a line of the result, for a pipe. */
  print(line: string): void
  readonly style: Style
}

export interface Style {
  bold(text: string): string
  dim(text: string): string
  green(text: string): string
  yellow(text: string): string
  red(text: string): string
}

export interface TerminalOptions {
  readonly json: boolean
  /** `--no-input`: never ask. */
  readonly input: boolean
}

export function systemTerminal({ json, input }: TerminalOptions): Terminal {
  const { stdin, stdout, env } = process
  const isInteractive = input && !json && stdin.isTTY && stdout.isTTY && !env["CI"]
  const write = (line: string) => void stdout.write(`${line}\n`)
  return {
    json,
    ask: isInteractive ? clackAsk : undefined,
    say: (line = "") => {
      if (!json) write(line)
    },
    print: write,
    style: stdout.isTTY && !env["NO_COLOR"] ? colors : plain,
  }
}

const plain: Style = {
  bold: (text) => text,
  dim: (text) => text,
  green: (text) => text,
  yellow: (text) => text,
  red: (text) => text,
}

const colors: Style = {
  bold: (text) => `\u001b[1m${text}\u001b[22m`,
  dim: (text) => `\u001b[2m${text}\u001b[22m`,
  green: (text) => `\u001b[32m${text}\u001b[39m`,
  yellow: (text) => `\u001b[33m${text}\u001b[39m`,
  red: (text) => `\u001b[31m${text}\u001b[39m`,
}

/** Such as "no users", "1 user" or "2 users". */
export function counted(count: number, word: string): string {
  return `${count === 0 ? "no" : count} ${word}${count === 1 ? "" : "s"}`
}
