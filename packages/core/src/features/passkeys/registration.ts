import { AccountNotLinked, WebAuthnVerificationError } from "../../errors.js"
import { withRequest } from "../../http/auth-request.js"
import type { AdapterUser } from "../../model/adapter.js"
import type { PasskeyProof } from "./proof.js"
import type { Account, User } from "../../model/user.js"
import { askSignUp } from "../../signin/sign-up.js"
import { userWithEmail } from "../../signin/stored-users.js"
import { type Ceremony, assertTopLevel, expectations, verified } from "./ceremony.js"
import { encodeBase64, isCredentialId, toBase64 } from "./encoding.js"
import type { RegistrationInfo } from "./library-types.js"
import { libraryOf } from "./library.js"
import { algorithmsOf, registrationPolicy } from "./relying-party.js"
import { adapterOf, isRegistered } from "./stored-passkeys.js"

/** Verifies a new passkey (WebAuthn Level 3 §7.1). */
export async function finishRegistration(ceremony: Ceremony): Promise<PasskeyProof> {
  const { auth, provider, credential, attempt } = ceremony
  const user = await registeredUser(ceremony)
  const info = await verify(ceremony)
  const credentialID = toBase64(info.credential.id)
  const account = { provider: provider.id, providerAccountId: credentialID, type: "webauthn" } as const
  const adapter = adapterOf(auth)
  if (await isRegistered(adapter, account)) throw new WebAuthnVerificationError("The passkey is registered already")
  if (attempt.signedIn === undefined) await assertEmailIsNew(ceremony, user, account)
  const authenticator = {
    providerAccountId: credentialID,
    credentialID,
    credentialPublicKey: encodeBase64(info.credential.publicKey),
    counter: info.credential.counter,
    credentialDeviceType: info.credentialDeviceType,
    credentialBackedUp: info.credentialBackedUp,
    ...transportsOf(credential.response["transports"]),
  }
  const stored = { ...account, ...(attempt.handle === undefined ? {} : { session_state: attempt.handle }) }
  const passkey = {
    kind: "new",
    authenticator,
    stored,
    signedIn: attempt.signedIn,
    isUserVerified: info.userVerified,
  } as const
  return { provider, user, account, passkey, callbackUrl: undefined }
}

async function verify(ceremony: Ceremony): Promise<RegistrationInfo> {
  const { auth, provider, credential } = ceremony
  const { verifyRegistrationOptions: options } = provider.config
  assertTopLevel(ceremony, options)
  const library = await libraryOf(auth, provider)
  const { registrationInfo } = await verified(() =>
    library.verifyRegistrationResponse({
      supportedAlgorithmIDs: algorithmsOf(provider.config),
      ...expectations(ceremony, options, registrationPolicy(provider.config).required),
    }),
  )
  // The library compares the id that the authenticator signed with nothing.
  if (registrationInfo?.credential.id === credential.id && isCredentialId(credential.id)) return registrationInfo
  throw new WebAuthnVerificationError("The id of the passkey isn't the one that the authenticator made")
}

/** The user of the session that started the ceremony, or a new user. */
async function registeredUser({ auth, attempt }: Ceremony): Promise<User & { readonly id: string }> {
  if (attempt.signedIn === undefined) {
    // It was JSON, so no member is `undefined`.
    const given = attempt.user as Partial<User> | undefined
    if (auth.security.passkeySignUp) return { ...given, id: auth.runtime.uuid() }
    throw new WebAuthnVerificationError("Only signed-in users can add a passkey. See `security.passkeySignUp`")
  }
  const user: AdapterUser | null = (await adapterOf(auth).getUser(attempt.signedIn)) ?? null
  if (user !== null) return user
  throw new WebAuthnVerificationError("The user who started to add a passkey was deleted")
}

/**
 * The linking policy refuses it as well, but later. The `signIn` callback must not get the email of another user, which the
 * visitor only typed. A site that refuses new users tells no visitor who has an account.
 */
async function assertEmailIsNew({ auth, request }: Ceremony, user: User, account: Account): Promise<void> {
  const { email } = user
  if (typeof email !== "string" || (await userWithEmail(adapterOf(auth), email)) === null) return
  await askSignUp(auth, () => withRequest({ user, account }, request))
  throw new AccountNotLinked("Another user has the email of the new passkey")
}

/** Names such as `internal` (WebAuthn Level 3 §5.8.4), as Auth.js stores them. New ones may come. */
const transportName = /^[a-z][a-z-]{0,31}$/

function transportsOf(given: unknown): { readonly transports?: string } {
  if (!Array.isArray(given)) return {}
  const names = given.filter((name) => typeof name === "string" && transportName.test(name))
  return { transports: names.slice(0, 10).join(",") }
}
