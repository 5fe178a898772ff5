import { AuthError, isClientError } from "../errors.js"
import type { Logger, LoggerInstance } from "../model/logger.js"
import type { AuthConfig } from "../model/config.js"
import { causesOf, framesOf, titleOf } from "./causes.js"
import { clean as cleanText, sealedText } from "./clean.js"
import { hasColors } from "./colors.js"
import { type Secretive, secretsOf } from "./secrets.js"

/** The logger of a configuration, with the console for levels that it leaves out. It never throws. */
export function loggerOf(config: Pick<AuthConfig, "logger" | "debug"> & Secretive): Logger {
  const { logger, debug } = config
  const fallback = consoleFor(config)
  const levels: LoggerInstance = {
    error: levelOf(logger, "error", fallback),
    warn: levelOf(logger, "warn", fallback),
    debug: levelOf(logger, "debug", fallback),
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
function levelOf<K extends keyof LoggerInstance>(
  logger: AuthConfig["logger"],
  level: K,
  fallback: LoggerInstance,
): LoggerInstance[K] {
  const own = logger?.[level]
  return (typeof own === "function" ? own.bind(logger) : fallback[level]) as LoggerInstance[K]
}

/** An error of the logger has nowhere to go. */
function quietly(write: () => unknown): void {
  try {
    Promise.resolve(write()).catch(() => undefined)
  } catch {
    // Ignored for the same reason.
  }
}

const codes = { red: 31, yellow: 33, gray: 90 } as const

function paint(color: keyof typeof codes, stream: "stdout" | "stderr", text: string): string {
  return hasColors(stream) ? `\u001B[${codes[color]}m${text}\u001B[0m` : text
}

/** The configured levels, and what else must not appear in a text. */
function consoleFor(config: Secretive): LoggerInstance {
  let secrets: readonly string[] | undefined
  const clean = (text: string): string => {
    secrets ??= secretsOf(config)
    return cleanText(text, secrets)
  }
  return {
    error(error) {
      const line = oneLine(clean(titleWithId(error)))
      // A wrong password isn't an error of the application.
      if (isWrongPassword(error)) return console.warn(paint("yellow", "stderr", "[auth][warn]"), line)
      const label = (name: string) => paint("red", "stderr", `[auth][${name}]`)
      console.error(`${label("error")} ${line}`)
      for (const text of causesOf(error)) console.error(`${label("cause")}:`, below(clean(text)))
      const details = detailsOf(error)
      if (details !== undefined) console.error(`${label("details")}:`, clean(JSON.stringify(redact(details))))
      else if (!isClientError(error) && error.cause === undefined) console.error(below(clean(framesOf(error))))
    },
    warn(code, detail) {
      const text = detail === undefined ? "" : ` ${oneLine(clean(detail))}`
      console.warn(`${paint("yellow", "stderr", `[auth][warn][${code}]`)}${text}`)
    },
    debug(message, metadata) {
      console.log(
        `${paint("gray", "stdout", "[auth][debug]:")} ${oneLine(clean(message))}`,
        metadata === undefined ? "" : clean(JSON.stringify(metadata, null, 2)),
      )
    },
  }
}

function isWrongPassword(error: Error): boolean {
  return error instanceof AuthError && error.type === "CredentialsSignin" && error.cause === undefined
}

function titleWithId(error: Error): string {
  return error instanceof AuthError && error.id !== undefined
    ? `${titleOf(error)} (error ID ${error.id})`
    : titleOf(error)
}

function detailsOf({ cause }: Error): unknown {
  if (cause === undefined || cause instanceof Error) return undefined
  if (typeof cause !== "object" || cause === null || !("err" in cause)) return cause
  const { err: _, ...details } = cause
  return Object.keys(details).length === 0 ? undefined : details
}

/** Indents every line but the first, so a message with line breaks can't look like several log entries. */
function below(text: string): string {
  return text.replaceAll("\n", "\n  ")
}

function oneLine(text: string): string {
  return text.replaceAll("\n", "\\n")
}

const secretNames =
  /secret|token|password|passwd|authorization|cookie|verifier|challenge|^code$|code_verifier|assertion|api_?key|private|nonce|^state$|jwt/i

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
