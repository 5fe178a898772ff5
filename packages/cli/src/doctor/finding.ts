/** What one check has found. */
export interface Finding {
  /** Which part of sign-in it is about: `secret`, `provider github` … */
  readonly check: string
  /** `skipped`: could not be looked at here. */
  readonly status: "ok" | "warning" | "problem" | "skipped"
  readonly message: string
  /** What to do about it. */
  readonly fix?: string | undefined
}

export function ok(check: string, message: string): Finding {
  return { check, status: "ok", message }
}

export function warning(check: string, message: string, fix?: string): Finding {
  return { check, status: "warning", message, fix }
}

export function problem(check: string, message: string, fix?: string): Finding {
  return { check, status: "problem", message, fix }
}

export function skipped(check: string, message: string, fix?: string): Finding {
  return { check, status: "skipped", message, fix }
}
