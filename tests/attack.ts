import { test } from "vitest"

/** Every case runs under both settings of `security`. */
export type Mode = "strict" | "compatible"

/** What `"compatible"` leaves open on purpose: rows of the table in docs/security/hardening.md. */
export type Exemption =
  | "linking"
  | "lifetime"
  | "session cookie name"
  | "revocable sessions"
  | "keys"
  | "tokens at rest"
  | "email link"
  | "first proof of a mailbox"
  | "origin"
  | "secret"
  | "issuer checks"

type Run = (mode: Mode) => Promise<void> | void

/**
 * One case of the attack matrix (docs/security/cases.json), run under both modes. The id stands in the title, from
 * which docs/security/matrix.md is made. A case may have several tests.
 */
export function attack(id: string, outcome: string, run: Run): void {
  for (const mode of ["strict", "compatible"] as const) test(`${id} [${mode}] ${outcome}`, async () => run(mode))
}

/** A case that `"compatible"` does not promise: the exemption names the option that closes it. */
export function strictAttack(id: string, exemption: Exemption, outcome: string, run: Run): void {
  test(`${id} [strict; compatible exempt: ${exemption}] ${outcome}`, async () => run("strict"))
}
