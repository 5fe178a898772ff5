import type { WarningCode } from "../../model/logger.js"

/** The error class that one problem alone is thrown as. */
export type ProblemType =
  | "AuthError"
  | "DuplicateConditionalUI"
  | "ExperimentalFeatureNotEnabled"
  | "InvalidConfig"
  | "InvalidEndpoints"
  | "MissingAdapter"
  | "MissingAdapterMethods"
  | "MissingAuthorize"
  | "MissingSecret"
  | "MissingWebAuthnAutocomplete"
  | "UnsupportedStrategy"
  | "UntrustedHost"

/** One thing that is wrong with a configuration. No part of it holds a value that could be secret. */
export interface Problem {
  /** Where: `providers[0].token`. */
  readonly path: string
  /** What is wrong, without a full stop. */
  readonly problem: string
  /** What to do about it. */
  readonly fix: string
  readonly type: ProblemType
}

export interface Warning {
  readonly code: WarningCode
  readonly detail: string
}

export function invalid(path: string, problem: string, fix: string): Problem {
  return { path, problem, fix, type: "InvalidConfig" }
}

/** A URL that a browser can be sent to. */
export function isWebUrl(text: unknown): boolean {
  return typeof text === "string" && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

export function isPositive(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && value > 0
}
