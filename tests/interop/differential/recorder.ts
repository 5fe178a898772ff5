import { normalize } from "./normalize.js"

/** A call of the application's code by the library. */
export interface Call {
  readonly kind: "callback" | "redirect" | "event" | "adapter" | "provider"
  readonly name: string
  readonly args: unknown
}

export interface Recorded {
  readonly calls: readonly Call[]
  readonly errors: readonly string[]
  readonly warnings: readonly string[]
}

/** Records what the library calls, with copies of the arguments, because the library may change them later. */
export interface Recorder {
  record(kind: Call["kind"], name: string, args: unknown): void
  /** Links that were sent by email, oldest first. */
  readonly links: string[]
  readonly logger: Readonly<Record<"error" | "warn" | "debug", (entry: unknown, detail?: unknown) => void>>
  /** What was recorded since the last call. */
  take(): Recorded
}

export function createRecorder(): Recorder {
  let calls: Call[] = []
  let errors: string[] = []
  let warnings: string[] = []
  const warned = new Set<string>()
  return {
    links: [],
    record: (kind, name, args) => void calls.push({ kind, name, args: normalize(args) }),
    logger: {
      error: (error) => {
        errors.push(codeOf(error))
      },
      warn: (code, detail) => {
        const whole = `${String(code)} ${String(detail)}`
        warnings.push(`${String(code)}${warned.has(whole) ? " again" : ""}`)
        warned.add(whole)
      },
      debug: () => undefined,
    },
    take: () => {
      const recorded = { calls, errors, warnings }
      calls = []
      errors = []
      warnings = []
      return recorded
    },
  }
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  return "type" in error && typeof error.type === "string" ? error.type : error.name
}
