import { AccessDenied, AccountNotLinked, AdapterError, WebAuthnVerificationError } from "../../errors.js"
import { withRequest } from "../../http/auth-request.js"
import { canonicalEmail } from "../../http/email-address.js"
import type { AdapterUser } from "../../model/adapter.js"
import type { AuthContext } from "../../model/auth.js"
import type { AuthRequest } from "../../model/http.js"
import type { LiveSession } from "../../model/session-strategy.js"
import type { LinkDecision } from "../../model/signin.js"
import { mutexOf } from "../../primitives/state.js"
import { idText } from "../../session/live-session.js"
import { type Enrollable, createUser, decidedUser, linkTo, lockTarget } from "../../signin/enroll.js"
import { type LinkParts, accountLost, assertHolder, assertRecentSignIn, emailInUse } from "../../signin/link.js"
import { resolveIdentity } from "../../signin/resolve-identity.js"
import type { Identified, ProofSteps } from "../../model/proof-steps.js"
import { rereadUser, userOfSession, userWithEmail } from "../../signin/stored-users.js"
import { linkPasskey, removePasskey } from "./link-passkey.js"
import { needsFactor } from "./options.js"
import type { NewPasskey, PasskeyProof, UsedPasskey } from "./proof.js"
import { type PasskeyAdapter, adapterOf, describe, isRegistered, ownerOf, writeUse } from "./stored-passkeys.js"

/** The user signed in with a passkey, or created one. */
export function passkeySteps(auth: AuthContext, request: AuthRequest, proof: PasskeyProof): ProofSteps {
  const adapter = adapterOf(auth)
  const { user, account, passkey } = proof
  return {
    // Without user verification, a thief of the device can use it, so it's one factor (RFC 8176).
    amr: passkey.isUserVerified ? "hwk" : "pop",
    findOwner: () => ownerOf(adapter, account),
    signInParams: () => withRequest({ user, account }, request),
    async resolve(owner, current) {
      if (passkey.kind === "new") {
        const sameEmail = typeof user.email === "string" ? await userWithEmail(adapter, user.email) : null
        const stored = { ...proof, passkey }
        return decidedUser(auth, enrollable(request, stored), {
          decision: decidePasskey(stored, sameEmail),
          asked: current ?? undefined,
        })
      }
      if (owner === null) throw removedPasskey()
      return { user: owner, isNewUser: false }
    },
    // Adapters without a unique index can't refuse the second of two requests with the same credential id.
    identify: (owner, current) =>
      mutexOf(auth).runExclusive(`passkey ${account.providerAccountId}`, async () => {
        const identified =
          passkey.kind === "used"
            ? await recordUse({ adapter, proof, passkey, owner, current })
            : await enrollPasskey(auth, request, { ...proof, passkey }, current)
        await describe(auth, passkey)
        return identified
      }),
  }
}

/** @throws AccountNotLinked if another user is signed in now than when the ceremony started */
function assertSameUser(started: string | undefined, current: AdapterUser | null): void {
  if (started === (current === null ? undefined : idText(current.id))) return
  throw new AccountNotLinked("Another user signed in meanwhile, or the user signed out. Start again")
}

function removedPasskey(): WebAuthnVerificationError {
  return new WebAuthnVerificationError("The passkey was removed during the sign-in")
}

interface Use {
  readonly adapter: PasskeyAdapter
  readonly proof: PasskeyProof
  readonly passkey: UsedPasskey
  readonly owner: AdapterUser | null
  readonly current: LiveSession | null
}

async function recordUse({ adapter, proof, passkey, owner, current }: Use): Promise<Identified> {
  const { user, account } = proof
  if (owner === null) throw removedPasskey()
  const signedIn = await userOfSession(adapter, current)
  if (passkey.signedIn !== undefined) assertSameUser(passkey.signedIn, signedIn)
  if (signedIn !== null && idText(signedIn.id) !== idText(user.id)) {
    throw new AccountNotLinked("The passkey belongs to another user than the one who is signed in. Sign out first")
  }
  const identity = { user, account: { ...account, userId: user.id }, profile: undefined, isNewUser: false }
  const assertHolds = () => assertHolder(accountLost, identity, () => ownerOf(adapter, account))
  try {
    await writeUse(adapter, passkey)
  } catch (cause) {
    if (cause instanceof AdapterError) await assertHolds()
    throw cause
  }
  return { identity, assertHolds }
}

async function enrollPasskey(
  auth: AuthContext,
  request: AuthRequest,
  proof: NewPasskeyProof,
  current: LiveSession | null,
): Promise<Identified> {
  const adapter = adapterOf(auth)
  const { user, account, passkey } = proof
  assertSameUser(passkey.signedIn, await userOfSession(adapter, current))
  if (passkey.signedIn !== undefined && auth.security.linking === "explicit") assertRecentSignIn(auth, current)
  if (passkey.signedIn !== undefined && (await needsFactor(auth, request)))
    throw new AccessDenied("A new passkey needs a recent sign-in with the second factor. Sign in again first")
  if (await isRegistered(adapter, account)) throw new WebAuthnVerificationError("The passkey is registered already")
  const findOwner = async () => (typeof user.email === "string" ? userWithEmail(adapter, user.email) : null)
  return resolveIdentity({
    auth,
    adapter,
    enrollable: enrollable(request, proof),
    keys: [canonicalEmail(user.email ?? account.providerAccountId)],
    owner: null,
    findOwner,
    findHolder: () => ownerOf(adapter, account),
    decide: async (sameEmail) => ({
      decision: decidePasskey(proof, sameEmail),
      asked: current ?? undefined,
      reread: async (from) => {
        const isSignedIn = current !== null && (await rereadUser(from, current)) !== null
        // The user of the decision comes from the same method.
        return isSignedIn ? ((await from.getUser?.(user.id)) ?? null) : null
      },
    }),
  })
}

type NewPasskeyProof = PasskeyProof & { readonly passkey: NewPasskey }

function enrollable(request: AuthRequest, { user: newUser, account, passkey, provider }: NewPasskeyProof): Enrollable {
  const link: LinkParts = {
    profile: newUser,
    add: (adapter, linked) => linkPasskey(adapter, passkey, linked),
    removeRest: (adapter, linked) => removePasskey(adapter, passkey, linked),
  }
  return {
    newUser,
    link,
    kept: async () => passkey.stored,
    refusal: ({ reason }) =>
      new AccountNotLinked(`The passkey was refused because ${reason}`, { provider: provider.id }),
    signUpParams: () => withRequest({ user: newUser, account }, request),
    lost: accountLost,
    async store(enrollment, decision) {
      const isNewUser = decision.kind === "create"
      if (decision.kind === "link") await lockTarget(enrollment, decision.user)
      const user = isNewUser ? await createUser(enrollment, newUser, false) : decision.user
      await linkTo(enrollment, link, user, isNewUser)
      return { user, account: { ...account, userId: user.id }, profile: undefined, isNewUser }
    },
  }
}

/** A passkey is added to the user who is signed in. Otherwise, it makes a new user. */
function decidePasskey({ user, passkey }: NewPasskeyProof, sameEmail: AdapterUser | null): LinkDecision {
  if (passkey.signedIn !== undefined) return { kind: "link", user: user as AdapterUser }
  return sameEmail === null ? { kind: "create" } : { kind: "refuse", reason: emailInUse }
}
