import { AuthError } from "../../errors.js"
import { withRequest } from "../../http/auth-request.js"
import { canonicalEmail } from "../../http/email-address.js"
import { userWithEmail } from "../../signin/stored-users.js"
import type { AuthContext } from "../../model/auth.js"
import type { AuthRequest } from "../../model/http.js"
import type { MailboxProof } from "../../model/signin.js"
import { decidedUser } from "../../signin/enroll.js"
import { decideMailbox } from "../../signin/link.js"
import { resolveIdentity } from "../../signin/resolve-identity.js"
import type { ProofSteps } from "../../signin/steps.js"

/** The visitor opened the link, or typed the code, that was sent to a mailbox. */
export function mailboxSteps(auth: AuthContext, request: AuthRequest, proof: MailboxProof): ProofSteps {
  const { adapter } = auth
  const { account, email } = proof
  if (adapter === undefined) throw new AuthError("Email sign-in needs an adapter: set `adapter`")
  const findOwner = () => userWithEmail(adapter, email)
  return {
    findOwner,
    signInParams(owner) {
      const user = owner ?? { id: account.providerAccountId, email, emailVerified: null }
      return withRequest({ user, account }, request)
    },
    resolve: async (owner) => decidedUser(auth, proof, { decision: decideMailbox(owner) }),
    identify: (owner) =>
      resolveIdentity({
        auth,
        adapter,
        proof,
        keys: [canonicalEmail(email)],
        owner,
        findOwner,
        findHolder: findOwner,
        decide: async (user) => ({ decision: decideMailbox(user) }),
      }),
    undo: () => restoreLink(auth, proof),
  }
}

async function restoreLink({ logger }: AuthContext, proof: MailboxProof): Promise<void> {
  try {
    await proof.restore()
  } catch (cause) {
    const text = "Could not restore the email link after the sign-in failed; the user has to request a new one"
    logger.error(new AuthError(text, { cause }))
  }
}
