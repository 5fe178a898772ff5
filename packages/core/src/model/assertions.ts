import type { Asserted, OwnPasskey } from "../module-kit/passkeys.js"
import type { AccountOwner } from "./features.js"
import type { AuthRequest } from "./http.js"

/** Asks a user who is known for one of their passkeys, for another purpose than a sign-in. */
export interface Assertions<A> {
  /** Those of a user that work here. */
  of(owner: AccountOwner<A>): Promise<readonly OwnPasskey[]>
  /** Options for `navigator.credentials.get`. `null`: none of the user's passkeys may answer. */
  ask(asked: Asked<A>, challenge: string): Promise<Readonly<Record<string, unknown>> | null>
  /**
   * Verifies the answer, and stores the use as a sign-in does.
   *
   * @param useChallenge says whether the challenge was made for this, and uses it up
   * @throws WebAuthnVerificationError
   */
  verify(asked: Asked<A>, answer: string, useChallenge: (challenge: string) => Promise<boolean>): Promise<Asserted>
}

export interface Asked<A> extends AccountOwner<A> {
  readonly request: AuthRequest
  /** Ids of the passkeys that may answer. `undefined`: all of the user. */
  readonly among: readonly string[] | undefined
}
