import type { CredentialKey } from "./keys.js"
import type { Manufacturer } from "./certificate.js"
import type { AuthenticatorData, AuthenticatorFault } from "./fault.js"
import type { AuthenticatorOptions, StoredCredential } from "./model.js"

export interface Credential extends StoredCredential {
  readonly key: CredentialKey
}

export interface AuthenticatorState {
  readonly options: Required<Omit<AuthenticatorOptions, "faults">>
  readonly manufacturer: Manufacturer
  credentials: readonly Credential[]
  faults: readonly AuthenticatorFault[]
}

export function stateFrom(
  options: AuthenticatorOptions,
  credentials: readonly Credential[],
  manufacturer: Manufacturer,
): AuthenticatorState {
  const { faults = [], ...rest } = options
  return {
    options: {
      origin: "https://app.test",
      relatedRpIds: [],
      algorithm: "ES256",
      attestation: "none",
      residentKeys: true,
      userVerification: true,
      backup: "ineligible",
      counter: true,
      transports: ["internal", "hybrid"],
      ...rest,
    },
    manufacturer,
    credentials,
    faults: [faults].flat(),
  }
}

/** The flags and the counter for the next signature of a credential. */
export function authenticatorData(
  { options }: AuthenticatorState,
  rpId: string,
  previousCounter: number,
): AuthenticatorData {
  return {
    rpId,
    userPresent: true,
    userVerified: options.userVerification,
    backupEligible: options.backup !== "ineligible",
    backedUp: options.backup === "done",
    counter: options.counter ? previousCounter + 1 : 0,
  }
}

type Change<T> = (value: T) => T

/** The changes of all faults to one part, one after another. */
export function withFaults<T>(value: T, changes: readonly (Change<T> | undefined)[]): T {
  return changes.reduce<T>((changed, change) => change?.(changed) ?? changed, value)
}
