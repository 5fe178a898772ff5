import {
  AuthError,
  DuplicateConditionalUI,
  ExperimentalFeatureNotEnabled,
  InvalidConfig,
  InvalidEndpoints,
  MissingAdapter,
  MissingAdapterMethods,
  MissingAuthorize,
  MissingSecret,
  MissingWebAuthnAutocomplete,
  UnsupportedStrategy,
  UntrustedHost,
} from "../../errors.js"
import type { WarningCode } from "../../model/logger.js"

/** The class of the error that a single problem is thrown as. */
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

/** A problem of a configuration. Contains no secrets. */
export interface Problem {
  /** The option, such as `providers[0].token`. */
  readonly path: string
  /** What is wrong, without a period at the end. */
  readonly problem: string
  /** What to do about it, without a period at the end. */
  readonly fix: string
  readonly type: ProblemType
  /**
   * Auth.js v5 works with this configuration, so it's a warning with this code unless the mode is `"strict"`.
   * `config/repair.ts` decides what the engine uses instead of the value.
   */
  readonly tolerated?: WarningCode
  /** If the problem is tolerated: the provider with this path can't be used, and everything else works. */
  readonly disables?: string
}

export interface Warning {
  readonly code: WarningCode
  readonly detail: string
}

export function invalid(path: string, problem: string, fix: string): Problem {
  return { path, problem, fix, type: "InvalidConfig" }
}

/** A problem that Auth.js v5 works with. */
export function tolerable(path: string, problem: string, fix: string): Problem {
  return { ...invalid(path, problem, fix), tolerated: "invalid-option" }
}

const errorClasses: Readonly<Record<ProblemType, typeof AuthError>> = {
  AuthError,
  DuplicateConditionalUI,
  ExperimentalFeatureNotEnabled,
  InvalidConfig,
  InvalidEndpoints,
  MissingAdapter,
  MissingAdapterMethods,
  MissingAuthorize,
  MissingSecret,
  MissingWebAuthnAutocomplete,
  UnsupportedStrategy,
  UntrustedHost,
}

/** A single problem becomes an error of its class. Several become one `InvalidConfig` that lists them. */
export function toError(problems: readonly Problem[]): AuthError {
  const lines = problems.map(({ path, problem, fix }) => `${path}: ${problem}. ${fix}`)
  const [only, ...more] = problems
  if (only !== undefined && more.length === 0) return new errorClasses[only.type](lines[0], { problems })
  const list = lines.map((line) => `- ${line}`).join("\n")
  return new InvalidConfig(`The configuration has ${lines.length} problems:\n${list}`, { problems })
}

export function isPositive(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && value > 0
}

/** A date, or text that reads as one. */
export function isDate(value: unknown): boolean {
  return (typeof value === "string" || value instanceof Date) && !Number.isNaN(new Date(value).getTime())
}
