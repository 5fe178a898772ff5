import { test } from "vitest"

/** Every case runs under both settings of `security`. */
export type Mode = "strict" | "compatible"

/** Rows of the table in docs/security/hardening.md: what `"compatible"` doesn't protect against. */
export type Exemption =
  | "linking"
  | "lifetime"
  | "session cookie name"
  | "revocable sessions"
  | "keys"
  | "tokens at rest"
  | "email link"
  | "first proof of a mailbox"
  | "sign-up with a passkey"
  | "origin"
  | "secret"
  | "issuer checks"

type Run = (mode: Mode) => Promise<void> | void

/**
 * Registers a test for a case of the attack matrix (docs/security/cases.json) under both modes. A case may have several
 * tests. tools/matrix.mjs reads the id from the title.
 */
export function attack(id: string, outcome: string, run: Run): void {
  for (const mode of ["strict", "compatible"] as const) test(`${id} [${mode}] ${outcome}`, async () => run(mode))
}

/** As `attack`, for tests that are described for each mode already. */
export function attackIn(mode: Mode): (id: string, outcome: string, run: () => Promise<void>) => void {
  return (id, outcome, run) => test(`${id} [${mode}] ${outcome}`, run)
}

/** Registers a test for a case that only `"strict"` prevents. The exemption names the option that prevents it. */
export function strictAttack(id: string, exemption: Exemption, outcome: string, run: Run): void {
  test(`${id} [strict; compatible exempt: ${exemption}] ${outcome}`, async () => run("strict"))
}
