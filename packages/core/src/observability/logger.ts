import { AuthError } from "../errors.js"
import type { Logger, LoggerInstance } from "../model/logger.js"
import type { AuthConfig } from "../model/config.js"

/** The logger of a configuration, with the console for levels that it leaves out. It never throws. */
export function loggerOf({ logger, debug }: Pick<AuthConfig, "logger" | "debug">): Logger {
  const levels: LoggerInstance = {
    error: levelOf(logger, "error"),
    warn: levelOf(logger, "warn"),
    debug: levelOf(logger, "debug"),
  }
  return {
    error: (error) => quietly(() => levels.error(error)),
    warn: (code, detail) => quietly(() => (detail === undefined ? levels.warn(code) : levels.warn(code, detail))),
    debug(message, metadata) {
      if (debug) quietly(() => levels.debug(message, redact(metadata?.())))
    },
  }
}

/** A level that isn't a function uses the console. */
function levelOf<K extends keyof LoggerInstance>(logger: AuthConfig["logger"], level: K): LoggerInstance[K] {
  const own = logger?.[level]
  return (typeof own === "function" ? own.bind(logger) : toConsole[level]) as LoggerInstance[K]
}

/** An error of the logger has nowhere to go. */
function quietly(write: () => unknown): void {
  try {
    Promise.resolve(write()).catch(() => undefined)
  } catch {
    // Ignored for the same reason.
  }
}

const red = "\u001B[31m"
const yellow = "\u001B[33m"
const gray = "\u001B[90m"
const plain = "\u001B[0m"

const toConsole: LoggerInstance = {
  error(error) {
    const name = error instanceof AuthError ? error.type : error.name
    console.error(`${red}[auth][error]${plain} ${oneLine(`${name}: ${error.message}`)}`)
    const { cause } = error
    if (error instanceof AuthError && error.cause?.err instanceof Error) {
      const { err, ...details } = error.cause
      console.error(`${red}[auth][cause]${plain}:`, below(err.stack ?? String(err)))
      if (Object.keys(details).length > 0)
        console.error(`${red}[auth][details]${plain}:`, escape(JSON.stringify(redact(details))))
    } else if (cause !== undefined) {
      console.error(`${red}[auth][details]${plain}:`, escape(JSON.stringify(redact(cause))))
    } else {
      console.error(below(error.stack ?? "").replace(/^.*\n?/, ""))
    }
  },
  warn(code, detail) {
    console.warn(`${yellow}[auth][warn][${code}]${plain}${detail === undefined ? "" : ` ${oneLine(detail)}`}`)
  },
  debug(message, metadata) {
    console.log(
      `${gray}[auth][debug]:${plain} ${oneLine(message)}`,
      metadata === undefined ? "" : escape(JSON.stringify(metadata, null, 2)),
    )
  },
}

/** Control characters except line feed and tab, other line separators, and marks that change the writing direction. */
const unprintable = /[^\P{Cc}\n\t]|[\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu

/** Removes control characters, which could forge log lines or control a terminal, and tokens in messages of other code. */
function escape(text: string): string {
  return text
    .replace(sealedText, "[redacted]")
    .replace(unprintable, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`)
}

/** Indents every line but the first, so a message with line breaks can't look like several log entries. */
function below(text: string): string {
  return escape(text).replaceAll("\n", "\n  ")
}

function oneLine(text: string): string {
  return escape(text).replaceAll("\n", "\\n")
}

const secretNames =
  /secret|token|password|passwd|authorization|cookie|verifier|challenge|^code$|code_verifier|assertion|api_?key|private|nonce|^state$|jwt/i

/**
 * A JWS or JWE anywhere in a text: three or more base64url parts. The search only starts where a word starts. Starting at
 * every character would take quadratic time.
 */
const sealedText = /(?<![\w-])[\w-]{16,}\.[\w-]*\.[\w-]{8,}(?:\.[\w-]+)*/g

/** A copy without secrets, which are recognized by name and by shape. */
export function redact(value: unknown, depth = 6): unknown {
  if (typeof value === "string") return value.replace(sealedText, "[redacted]")
  if (typeof value === "function" || typeof value === "symbol") return `[${typeof value}]`
  if (typeof value === "bigint") return value.toString()
  return typeof value === "object" && value !== null ? redactObject(value, depth) : value
}

function redactObject(value: object, depth: number): unknown {
  if (depth === 0) return "[…]"
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Error) return { name: value.name, message: redact(value.message) }
  if (Array.isArray(value)) return value.map((item) => redact(item, depth - 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, hides(name, item) ? "[redacted]" : redact(item, depth - 1)]),
  )
}

function hides(name: string, value: unknown): boolean {
  return secretNames.test(name) && (typeof value === "string" || (typeof value === "object" && value !== null))
}
