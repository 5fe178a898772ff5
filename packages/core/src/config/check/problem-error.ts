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
import type { Problem, ProblemType } from "./problem.js"

const kinds: Readonly<Record<ProblemType, typeof AuthError>> = {
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

/** One problem has the class that the specification gives it; several are told together. */
export function toError(problems: readonly Problem[]): AuthError {
  const lines = problems.map(({ path, problem, fix }) => `${path}: ${problem}. ${fix}`)
  const [only, ...more] = problems
  if (only !== undefined && more.length === 0) return new kinds[only.type](lines[0], { problems })
  const list = lines.map((line) => `- ${line}`).join("\n")
  return new InvalidConfig(`The configuration has ${lines.length} problems:\n${list}`, { problems })
}
