/** What a user can be told about an error beyond its public code. The `problem` in the details of the error. */
export type SignInProblem =
  /** The provider refuses this site, for example because of a wrong client secret. */
  | "misconfigured"
  /** The provider didn't answer, or answered that it's out of order. */
  | "unreachable"
  /** The browser didn't send the cookie of the attempt. */
  | "no-cookie"
  | "expired"
  | "used"
  /** Another user signed in during the attempt. */
  | "other-user"

const problems: ReadonlySet<unknown> = new Set<SignInProblem>([
  "misconfigured",
  "unreachable",
  "no-cookie",
  "expired",
  "used",
  "other-user",
])

export function isSignInProblem(value: unknown): value is SignInProblem {
  return problems.has(value)
}
