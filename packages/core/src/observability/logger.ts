import { AuthError, isClientError } from "../errors.js"
import type { AuthConfig } from "../model/config.js"
import type { Logger, LoggerInstance, WarningCode } from "../model/logger.js"
import { once } from "../primitives/awaitable.js"
import { type Blank, type SecretIndex, blanked, indexOf, redacted } from "./blank.js"
import { causesOf, errorsIn, framesOf, titleOf } from "./causes.js"
import { printable as clean, withoutLookalikes } from "./clean.js"
import { type Secret, configuredSecrets, secretNames } from "./collect-secrets.js"
import { secretsInFlight, secretsQuotedBy } from "./in-flight.js"
import { withoutSecrets } from "./redacted-copy.js"

type LoggerConfig = Pick<AuthConfig, "logger" | "debug"> & Secretive

/**
 * The logger of a configuration, with the console for levels that it leaves out. It never throws. Both get texts and
 * errors without the secrets of the configuration, of the request, and of the arguments that led to an error.
 *
 * @param providers those that the configuration has as functions, resolved
 */
export function loggerOf(config: LoggerConfig, providers: () => readonly object[] = () => []): Logger {
  const { logger, debug } = config
  const levels: LoggerInstance = {
    error: levelOf(logger, "error", theConsole),
    warn: levelOf(logger, "warn", theConsole),
    debug: levelOf(logger, "debug", theConsole),
  }
  let known: { readonly index: SecretIndex; readonly resolved: readonly object[] } | undefined
  const configured = (): SecretIndex => {
    const resolved = providers()
    if (known === undefined || known.resolved.length !== resolved.length)
      known = { index: indexOf([...secretsOf(config), ...secretsOf({ providers: resolved })]), resolved }
    return known.index
  }

  const blankFor = (request: WithHeaders | undefined, error?: Error): Blank => {
    const quoted = () => (error === undefined ? [] : errorsIn(error).flatMap(secretsQuotedBy))
    const inFlight = () => (request === undefined ? [] : secretsInFlight(request))
    const indexes = once(() => [configured(), indexOf([...quoted(), ...inFlight()])])
    return (text) => withoutLookalikes(blanked(text, indexes()))
  }

  /** A class, because each request gets a logger of its own. */
  class RedactingLogger implements Logger {
    readonly #request: WithHeaders | undefined

    constructor(request?: WithHeaders) {
      this.#request = request
    }

    error(error: Error): void {
      quietly(() => levels.error(this.redacted(error)))
    }

    warn(code: WarningCode, detail?: string): void {
      quietly(() => (detail === undefined ? levels.warn(code) : levels.warn(code, blankFor(this.#request)(detail))))
    }

    debug(message: string, metadata?: () => unknown): void {
      if (!debug) return
      quietly(() => {
        const blank = blankFor(this.#request)
        return levels.debug(blank(message), redact(metadata?.(), blank))
      })
    }

    forRequest(request: WithHeaders): Logger {
      return new RedactingLogger(request)
    }

    redacted(error: Error): Error {
      return withoutSecrets(error, blankFor(this.#request, error))
    }
  }
  return new RedactingLogger()
}

interface WithHeaders {
  readonly headers: Headers
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

const theConsole: LoggerInstance = {
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

/** A copy of metadata as plain data. Secrets are recognized by value and by name. */
export function redact(value: unknown, blank: Blank = withoutLookalikes, depth = 6): unknown {
  if (typeof value === "string") return blank(value)
  if (typeof value === "function" || typeof value === "symbol") return `[${typeof value}]`
  if (typeof value === "bigint" || typeof value === "number") return numberOf(value, blank)
  return typeof value === "object" && value !== null ? redactObject(value, blank, depth) : value
}

function numberOf(value: bigint | number, blank: Blank): unknown {
  const text = String(value)
  return text.length < 4 || blank(text) === text ? (typeof value === "bigint" ? text : value) : redacted
}

function redactObject(value: object, blank: Blank, depth: number): unknown {
  if (depth === 0) return "[…]"
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Error) return { name: value.name, message: blank(value.message) }
  if (ArrayBuffer.isView(value)) return "[bytes]"
  if (Array.isArray(value)) return value.map((item) => redact(item, blank, depth - 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      blank(name),
      hides(name, item) ? redacted : redact(item, blank, depth - 1),
    ]),
  )
}

function hides(name: string, value: unknown): boolean {
  return secretNames.test(name) && (typeof value === "string" || (typeof value === "object" && value !== null))
}

interface Terminal {
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  readonly stdout?: { readonly isTTY?: boolean } | undefined
  readonly stderr?: { readonly isTTY?: boolean } | undefined
}

/**
 * Whether to write ANSI color codes: only to a terminal, unless NO_COLOR (https://no-color.org) or FORCE_COLOR says otherwise.
 * Runtimes without a `process` have no terminal.
 */
export function hasColors(stream: "stdout" | "stderr", given: unknown = Reflect.get(globalThis, "process")): boolean {
  const process: Terminal = typeof given === "object" && given !== null ? given : {}
  const { FORCE_COLOR: forced, NO_COLOR: refused } = process.env ?? {}
  if (forced !== undefined) return forced !== "0" && forced !== "false"
  return !refused && process[stream]?.isTTY === true
}

/** The part of a configuration that has secrets. */
export type Secretive = Partial<Pick<AuthConfig, "secret" | "jwt">> & {
  /** As configured or resolved. */
  readonly providers?: readonly object[]
}

/** The secrets of a configuration. */
function secretsOf({ secret, jwt, providers }: Secretive): readonly Secret[] {
  const list: readonly unknown[] = Array.isArray(providers) ? providers : []
  const own: readonly unknown[] = [secret, jwt?.secret].flat()
  const texts = own.filter((value) => typeof value === "string" && value !== "")
  return [...texts.map((text) => ({ text: String(text), isNamed: true })), ...list.flatMap(configuredSecrets)]
}
