import { AccessDenied, AuthError, OAuthAccountNotLinked } from "../errors.js"
import { withRequest } from "../http/auth-request.js"
import type { Adapter, AdapterUser } from "../model/adapter.js"
import type { AuthContext } from "../model/auth.js"
import type { AuthRequest } from "../model/http.js"
import type { ProofSteps } from "../model/proof-steps.js"
import type { LiveSession } from "../model/session-strategy.js"
import type { Proof } from "../model/signin.js"
import type { User } from "../model/user.js"
import type { NewUser } from "../module-kit/proven.js"
import { idText } from "../session/live-session.js"
import { type Decided, type Enrollable, call, createUser, decidedUser, linkTo, lockTarget } from "./enroll.js"
import { type LinkParts, accountLost, assertRecentSignIn, decideLink } from "./link.js"
import { resolveIdentity } from "./resolve-identity.js"
import { rereadUser, userOfSession } from "./stored-users.js"

/** The visitor has an account of a module's own, such as a phone number. */
export interface OwnAccountProof extends Proof {
  readonly own: {
    /** The id of the user, if it's a new one. */
    readonly newId: string
    /** `false`: nothing names the visitor, so nothing is linked. */
    readonly isLinked: boolean
    /** What was proven (RFC 8176). `null`: nothing. */
    readonly amr: string | null
    /** The id of the signed-in user who adds the account. */
    readonly linkTo: string | undefined
    readonly newUser: NewUser | undefined
  }
}

/** Databases index it. */
export function isAccountName(name: string): boolean {
  return name.length > 0 && name.length <= 255
}

/** A module vouches for one of its accounts, as a provider does for those at the provider. */
export function ownAccountSteps(auth: AuthContext, request: AuthRequest, proof: OwnAccountProof): ProofSteps {
  const { adapter } = auth
  if (adapter === undefined) throw new AuthError("A module creates users, which needs an adapter: set `adapter`")
  const { account, own } = proof
  const { provider, providerAccountId } = account
  const findOwner = async () =>
    own.isLinked ? ((await adapter.getUserByAccount?.({ provider, providerAccountId })) ?? null) : null
  const enrollable = enrollableAccount(request, proof)
  const decide = (owner: AdapterUser | null, current: LiveSession | null) =>
    decideFor(auth, adapter, proof, { owner, current })
  return {
    amr: own.amr,
    countedAs: ["credentials"],
    findOwner,
    signInParams: (owner) => signInParams(request, proof, owner),
    resolve: async (owner, current) => decidedUser(auth, enrollable, await decide(owner, current)),
    identify: (owner, current) =>
      resolveIdentity({
        auth,
        adapter,
        enrollable,
        keys: [`${provider} ${providerAccountId}`],
        owner,
        findOwner,
        findHolder: findOwner,
        decide: (user) => decide(user, current),
      }),
  }
}

function newUserOf({ own: { newId, newUser } }: OwnAccountProof): User & { readonly id: string } {
  return { id: newId, ...(newUser?.name && { name: newUser.name }) }
}

function signInParams(request: AuthRequest, proof: OwnAccountProof, owner: AdapterUser | null) {
  return withRequest({ user: owner ?? newUserOf(proof), account: proof.account }, request)
}

function enrollableAccount(request: AuthRequest, proof: OwnAccountProof): Enrollable {
  const { account, own, provider } = proof
  const newUser = newUserOf(proof)
  const link: LinkParts = {
    profile: newUser,
    add: async (adapter, linked) => void (await call(adapter, "linkAccount")(linked)),
  }
  return {
    newUser,
    mayBeUnderway: true,
    ...(own.isLinked && { link, kept: async () => account }),
    refusal: ({ reason }) =>
      new OAuthAccountNotLinked(`The sign-in was refused because ${reason}`, { provider: provider.id }),
    signUpParams: () =>
      Object.assign(signInParams(request, proof, null), own.newUser?.fields && { fields: own.newUser.fields }),
    lost: accountLost,
    async store(enrollment, decision) {
      const isNewUser = decision.kind === "create"
      if (decision.kind === "link") await lockTarget(enrollment, decision.user)
      const user = isNewUser ? await createUser(enrollment, newUser, false) : decision.user
      if (own.isLinked && decision.kind !== "resume") await linkTo(enrollment, link, user, isNewUser)
      return { user, account: { ...account, userId: user.id }, profile: undefined, isNewUser }
    },
  }
}

interface Situation {
  readonly owner: AdapterUser | null
  readonly current: LiveSession | null
}

async function decideFor(
  auth: AuthContext,
  adapter: Adapter,
  { own }: OwnAccountProof,
  { owner, current: live }: Situation,
): Promise<Decided> {
  const facts = { owner, sameEmail: null, trustsEmail: false }
  if (own.linkTo === undefined) return { decision: decideLink({ ...facts, current: null }) }
  const current = await userOfSession(adapter, live)
  if (live === null || current === null || idText(current.id) !== own.linkTo)
    throw new AccessDenied("The user who adds the account isn't signed in anymore. Sign in again first")
  if (auth.security.linking === "explicit") assertRecentSignIn(auth, live)
  const decision = decideLink({ ...facts, current })
  return { decision, asked: live, reread: (from) => rereadUser(from, live) }
}
