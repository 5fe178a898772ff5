import type { AuthContext } from "../model/auth.js"

/** The check for unknown options, which a configuration doesn't have anymore once it's done. */
interface OptionCheck {
  /** Unknown options are errors, so no response may come before it. */
  readonly isStrict: boolean
  /** @throws AuthError under `"strict"`, if an option is unknown */
  readonly run: () => Promise<void>
}

/** By the providers, because a request has a copy of the compiled configuration. */
const checks = new WeakMap<AuthContext["providers"], OptionCheck>()

export function planOptionCheck({ providers }: AuthContext, check: OptionCheck): void {
  checks.set(providers, check)
}

/**
 * Waits for the check if unknown options are errors.
 *
 * @throws AuthError if an option is unknown
 */
export async function optionsChecked({ providers }: AuthContext): Promise<void> {
  const check = checks.get(providers)
  if (check === undefined || !check.isStrict) return
  await check.run()
  checks.delete(providers)
}

/** Starts the check if unknown options are only warnings. Call it after a response, which must not wait. */
export function checkOptionsLater({ providers }: AuthContext): void {
  const check = checks.get(providers)
  if (check === undefined || check.isStrict) return
  checks.delete(providers)
  void check.run()
}
