/** Ends a command with a message for the user, without a stack trace. */
export class Failure extends Error {
  override readonly name: string = "Failure"
  /** 1: the command failed or found a problem. 2: its arguments are wrong. */
  readonly code: 1 | 2

  constructor(message: string, { code = 1, cause }: { readonly code?: 1 | 2; readonly cause?: unknown } = {}) {
    super(message, { cause })
    this.code = code
  }
}

export function wrongUsage(message: string): Failure {
  return new Failure(message, { code: 2 })
}

/** The messages of an error and its causes, in one line. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = "code" in error && typeof error.code === "string" ? error.code : ""
  const own = (error.message || code || error.name).split("\n", 1)[0] ?? ""
  const cause = causeOf(error)
  return cause === undefined || error instanceof Failure ? own : `${own.replace(/\.$/, "")}: ${reasonOf(cause)}`
}

/** Errors of the engine have `{ cause: { err } }`. */
function causeOf({ cause }: Error): Error | undefined {
  if (cause instanceof Error) return cause
  const inner = typeof cause === "object" && cause !== null && "err" in cause ? cause.err : undefined
  return inner instanceof Error ? inner : undefined
}
