import { AuthError } from "../../errors.js"
import { withRequest } from "../../http/auth-request.js"
import type { AuthContext } from "../../model/auth.js"
import type { AuthRequest } from "../../model/http.js"
import type { Identity } from "../../model/session-strategy.js"
import type { Proof } from "../../model/signin.js"
import type { User } from "../../model/user.js"
import { hasSessions } from "../../session/revocation.js"
import type { ProofSteps } from "../../model/proof-steps.js"

/** The application's `authorize` returned the user. */
export interface CredentialsProof extends Proof {
  readonly user: User & { readonly id: string }
  readonly credentials: Readonly<Record<string, unknown>>
}

/** The application's `authorize` returned a user. */
export function credentialsSteps(auth: AuthContext, request: AuthRequest, proof: CredentialsProof): ProofSteps {
  const { user, account, credentials } = proof
  return {
    amr: "pwd",
    countedAs: ["credentials"],
    findOwner: async () => null,
    signInParams: () => withRequest({ user, account, credentials }, request),
    resolve: async () => ({ user: (await auth.adapter?.getUser?.(user.id)) ?? user, isNewUser: false }),
    signInMessage: ({ user: signedIn, account: own }) => ({ user: signedIn, account: own }),
    identify: async () => ({ identity: await identify(auth, proof) }),
  }
}

async function identify(auth: AuthContext, { user, account }: CredentialsProof): Promise<Identity> {
  const { strategy, adapter } = auth
  const identity: Identity = { user, account, profile: undefined, isNewUser: false }
  if (strategy === "jwt" && !needsStoredUser(auth)) return identity
  const stored = await adapter?.getUser?.(user.id)
  if (stored) return strategy === "jwt" ? identity : { ...identity, user: stored }
  const alternative = strategy === "jwt" ? "`security.revocableSessions: false`" : '`session.strategy: "jwt"`'
  throw new AuthError(
    `authorize() returned a user that isn't in the database. Return a stored user, or use ${alternative}`,
  )
}

/** A revocable session has a row that belongs to a stored user. */
function needsStoredUser({ security, adapter }: AuthContext): boolean {
  return security.revocableSessions && hasSessions(adapter) && adapter.getUser !== undefined
}
