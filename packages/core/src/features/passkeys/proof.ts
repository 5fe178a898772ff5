import type { AdapterAuthenticator } from "../../model/adapter.js"
import type { Proof } from "../../model/signin.js"
import type { Account, User } from "../../model/user.js"

/** The user has a passkey of this site. */
export interface PasskeyProof extends Proof {
  /** The user of the passkey. For a new user, with a random id and an email that isn't verified. */
  readonly user: User & { readonly id: string }
  readonly passkey: NewPasskey | UsedPasskey
}

interface CommonPasskey {
  /** The user who was signed in when the ceremony started. */
  readonly signedIn: string | undefined
  /** The authenticator asked for a PIN, a fingerprint or a face, and not only for a touch. */
  readonly isUserVerified: boolean
}

export interface NewPasskey extends CommonPasskey {
  readonly kind: "new"
  readonly authenticator: Omit<AdapterAuthenticator, "userId">
  /** The account that is stored: its keys and the user handle. */
  readonly stored: Account
}

export interface UsedPasskey extends CommonPasskey {
  readonly kind: "used"
  readonly authenticator: AdapterAuthenticator
  readonly counter: number
  readonly credentialBackedUp: boolean
}
