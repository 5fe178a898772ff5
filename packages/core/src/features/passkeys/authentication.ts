import { toBase64Url } from "../../crypto/digest.js"
import { WebAuthnVerificationError } from "../../errors.js"
import type { PasskeyProof, UsedPasskey } from "./proof.js"
import { type Answered, type Ceremony, assertTopLevel, expectations, verified } from "./ceremony.js"
import { decodeBase64, toBase64 } from "./encoding.js"
import { libraryOf } from "./library.js"
import { authenticationPolicy, ownerDigest } from "./relying-party.js"
import { type StoredPasskey, adapterOf, counterOf, storedPasskey } from "./stored-passkeys.js"

/** Verifies a sign-in with a stored passkey (WebAuthn Level 3 §7.2). */
export async function finishAuthentication(ceremony: Ceremony): Promise<PasskeyProof> {
  const { auth, provider, credential, attempt } = ceremony
  const adapter = adapterOf(auth)
  const stored = await storedPasskey(adapter, provider.id, toBase64(credential.id))
  if (stored === null) throw new WebAuthnVerificationError("The passkey isn't registered here")
  const { account } = stored
  await assertListed(ceremony, account.userId)
  const used = await verifiedUse(ceremony, stored, authenticationPolicy(provider.config).required)
  const user = await adapter.getUser(account.userId)
  if (!user) throw new WebAuthnVerificationError("The passkey belongs to a deleted user")
  return {
    provider,
    user,
    account,
    passkey: { ...used, signedIn: attempt.signedIn },
    callbackUrl: undefined,
  }
}

/** Verifies what a stored passkey signed (WebAuthn Level 3 §7.2). */
export async function verifiedUse(
  answered: Answered,
  stored: StoredPasskey,
  isVerificationRequired: boolean,
): Promise<Omit<UsedPasskey, "signedIn">> {
  const { auth, provider, credential } = answered
  const { authenticator } = stored
  assertUserHandle(answered, stored)
  const options = provider.config.verifyAuthenticationOptions
  assertTopLevel(answered, options)
  const library = await libraryOf(auth, provider)
  const { authenticationInfo } = await verified(() =>
    library.verifyAuthenticationResponse({
      ...expectations(answered, options, isVerificationRequired),
      credential: {
        id: credential.id,
        publicKey: decodeBase64(authenticator.credentialPublicKey),
        counter: counterOf(authenticator),
      },
    }),
  )
  // Whether a passkey may be backed up never changes (WebAuthn Level 3 §6.1.3).
  if (authenticationInfo.credentialDeviceType !== authenticator.credentialDeviceType) {
    throw new WebAuthnVerificationError("The passkey changed whether it may be backed up")
  }
  const { newCounter: counter, credentialBackedUp, userVerified: isUserVerified } = authenticationInfo
  return { kind: "used", authenticator, counter, credentialBackedUp, isUserVerified }
}

/** The step of WebAuthn Level 3 §7.2 about `allowCredentials`. */
async function assertListed({ attempt }: Ceremony, userId: string): Promise<void> {
  // Signed-in users get `AccountNotLinked` for the passkey of another user, when their session is read.
  if (attempt.signedIn !== undefined) return
  if (attempt.listed === undefined || attempt.listed === (await ownerDigest(userId))) return
  throw new WebAuthnVerificationError("The passkey isn't one of those that were asked for")
}

/**
 * The step of WebAuthn Level 3 §7.2 about the user handle. Auth.js v5 stores none. An authenticator that asks the user for
 * the account always sends it.
 */
function assertUserHandle({ auth, attempt, credential }: Answered, { account }: StoredPasskey): void {
  const { userHandle } = credential.response
  if (userHandle === undefined || userHandle === null) {
    if (attempt.listed !== undefined || attempt.isForeign === true || !auth.rules.boundPasskeys) return
    throw new WebAuthnVerificationError("The passkey doesn't name its user")
  }
  const stored = account["session_state"]
  if (typeof stored !== "string" || stored === "" || spellings(stored).includes(userHandle)) return
  throw new WebAuthnVerificationError("The passkey names another user")
}

/**
 * `@simplewebauthn/browser` 9, which pages for Auth.js use, takes a user handle for text: it registers the bytes of the
 * base64url text, and sends the bytes of a handle as UTF-8 text.
 */
function spellings(handle: string): readonly unknown[] {
  const bytes = new TextEncoder().encode(handle)
  return [handle, toBase64Url(bytes), new TextDecoder().decode(decodeBase64(handle))]
}
