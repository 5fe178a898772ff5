import { authenticate, equal, sha256 } from "../../crypto/digest.js"
import { MissingAdapterMethods, Verification } from "../../errors.js"
import type { Adapter, VerificationToken } from "../../model/adapter.js"
import type { AuthContext } from "../../model/auth.js"
import type { EmailProvider } from "../../model/email-provider.js"
import { mutexOf } from "../../primitives/keyed-mutex.js"

export type TokenStore = Adapter &
  Required<Pick<Adapter, "createVerificationToken" | "useVerificationToken" | "getUserByEmail">>

/** @throws MissingAdapterMethods */
export function tokenStore({ adapter }: AuthContext): TokenStore {
  if (adapter?.createVerificationToken && adapter.useVerificationToken && adapter.getUserByEmail)
    return adapter as TokenStore
  throw new MissingAdapterMethods(
    "E-mail sign-in needs an adapter with createVerificationToken, useVerificationToken and getUserByEmail",
  )
}

/**
 * How a token may stand in the store; the first is how we put it there. Any listed secret verifies, and so does the
 * joined form in which an array was once hashed.
 */
function hashes({ secrets: common, security }: AuthContext, { secret: own }: EmailProvider) {
  const secrets = own === undefined ? common : [own]
  const plain = (secret: string) => async (token: string) => sha256(token + secret)
  const keyed = (secret: string) => async (token: string) => authenticate(secret, "email link", token)
  const joined = secrets.length > 1 ? [plain(secrets.join(","))] : []
  return security.keyPerPurpose
    ? [...secrets.map(keyed), ...secrets.map(plain), ...joined]
    : [...secrets.map(plain), ...joined]
}

/** The token as it goes into the store. */
export async function stored(auth: AuthContext, provider: EmailProvider, token: string): Promise<string> {
  const [hashOf = sha256] = hashes(auth, provider)
  return hashOf(token)
}

/**
 * Uses a token up, in whatever form the store has it.
 *
 * @throws Verification
 */
export async function useToken(
  auth: AuthContext,
  provider: EmailProvider,
  identifier: string,
  token: string,
): Promise<VerificationToken> {
  for (const hashOf of hashes(auth, provider)) {
    const used = await takeStored(auth, identifier, await hashOf(token))
    if (used !== undefined) return used
  }
  throw unknown()
}

/**
 * The same for one whose stored form is known.
 *
 * @throws Verification
 */
export async function useStored(auth: AuthContext, identifier: string, hash: string): Promise<VerificationToken> {
  const used = await takeStored(auth, identifier, hash)
  if (used === undefined) throw unknown()
  return used
}

function unknown(): Verification {
  return new Verification("The link was used already or is unknown: ask for a new one", {
    hasInvite: false,
    expired: false,
  })
}

async function takeStored(auth: AuthContext, identifier: string, hash: string): Promise<VerificationToken | undefined> {
  const adapter = tokenStore(auth)
  const invite = await mutexOf(auth).tryExclusive(hash, async () =>
    adapter.useVerificationToken({ identifier, token: hash }),
  )
  return invite === null || invite === undefined ? undefined : checked(invite, identifier, hash, auth.runtime.now())
}

/** Checked here and not only by the store: not every adapter keeps these promises. */
function checked(invite: VerificationToken, identifier: string, hash: string, now: number): VerificationToken {
  const expires = new Date(invite.expires)
  // Not every adapter returns the token that it was asked for.
  const foreign = "token" in invite && typeof invite.token === "string" && !equal(invite.token, hash)
  if (invite.identifier !== identifier || foreign) {
    const details = { hasInvite: true, expired: false }
    throw new Verification("The link belongs to another address: ask for a new one", details)
  }
  if (!(expires.getTime() > now)) {
    throw new Verification("The link has expired: ask for a new one", { hasInvite: true, expired: true })
  }
  return { identifier, token: hash, expires }
}
