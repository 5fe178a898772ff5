/** The result of one check. */
export interface Finding {
  /** What was checked, such as `secret` or `provider github`. */
  readonly check: string
  /** `skipped`: it couldn't be checked here. */
  readonly status: "ok" | "warning" | "problem" | "skipped"
  readonly message: string
  /** What to do. */
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
