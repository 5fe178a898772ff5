import { type AuthError, InvalidCheck, OAuthAccountNotLinked, OAuthCallbackError } from "../../errors.js"
import { withRequest } from "../../http/auth-request.js"
import { canonicalEmail } from "../../http/email-address.js"
import { maxAccounts } from "../../limits/of-growth.js"
import type { Adapter, AdapterAccount, AdapterUser } from "../../model/adapter.js"
import type { AuthContext } from "../../model/auth.js"
import type { AuthRequest } from "../../model/http.js"
import type { LiveSession } from "../../model/session-strategy.js"
import type { LinkDecision, Proof } from "../../model/signin.js"
import type { Account, JsonObject, Profile, TokenSet, User } from "../../model/user.js"
import { idText } from "../../session/live-session.js"
import {
  type Decided,
  type Enrollable,
  type Enrollment,
  type Refused,
  call,
  createUser,
  decidedUser,
  linkTo,
  lockTarget,
} from "../../signin/enroll.js"
import { type LinkParts, accountLost, assertRecentSignIn, decideLink, emailInUse } from "../../signin/link.js"
import { resolveIdentity } from "../../signin/resolve-identity.js"
import type { ProofSteps, SignInParams } from "../../model/proof-steps.js"
import { rereadUser, userOfSession, userWithEmail } from "../../signin/stored-users.js"

/** The provider vouches for one of its accounts. */
export interface AccountProof extends Proof {
  /** The result of `profile()`, with a random id and the normalized email. */
  readonly user: User & { readonly id: string }
  readonly profile: Profile
  /** What is stored: the result of the provider's `account()`, and the keys of the account. */
  readonly stored: Account
  /** Whether the provider says that the user has verified the email. `undefined`: it doesn't say. */
  readonly emailVerified: boolean | undefined
  readonly intent: LinkIntent
  /** What the application passed to `signIn`. */
  readonly state?: JsonObject
}

/** Who started the flow. Kept in its sealed cookie. */
export interface LinkIntent {
  /** The user who was signed in when the flow started. */
  readonly userId: string | undefined
  /** The caller passed `link: true`. */
  readonly explicit: boolean
}

/** A provider vouches for one of its accounts. */
export function accountSteps(auth: AuthContext, request: AuthRequest, proof: AccountProof): ProofSteps {
  const { adapter } = auth
  const keepsId = auth.modules.length > 0 || auth.vault || auth.records
  if (adapter === undefined)
    return { ...stepsWithoutAdapter(auth, request, keepsId ? named(proof) : proof), ...(auth.vault && keeping(auth)) }
  const { account } = proof
  const { provider, providerAccountId } = account
  const findOwner = async () => (await adapter.getUserByAccount?.({ provider, providerAccountId })) ?? null
  const enrollable = enrollableAccount(auth, request, proof)
  const decideAs = "connectOnly" in proof.provider && proof.provider.connectOnly ? decideConnecting : decideFor
  // The email of an account may change between two sign-ins.
  const keys = [`${provider} ${providerAccountId}`, ...(proof.user.email ? [canonicalEmail(proof.user.email)] : [])]
  return {
    amr: "fed",
    ...(auth.vault && keeping(auth)),
    findOwner,
    signInParams: (owner) => signInParams(request, proof, owner),
    resolve: async (owner, current) =>
      decidedUser(auth, enrollable, await decideAs(auth, adapter, proof, { owner, current })),
    identify(owner, current) {
      const decide = (user: AdapterUser | null) => decideAs(auth, adapter, proof, { owner: user, current })
      return resolveIdentity({ auth, adapter, enrollable, keys, owner, findOwner, findHolder: findOwner, decide })
    },
  }
}

function keeping(auth: AuthContext): Pick<ProofSteps, "afterSession"> {
  return { afterSession: async (identity) => (await auth.vault?.())?.keep(auth, identity) }
}

function enrollableAccount(auth: AuthContext, request: AuthRequest, proof: AccountProof): Enrollable {
  const link: LinkParts = {
    profile: proof.user,
    add: async (adapter, account) => void (await call(adapter, "linkAccount")(account)),
  }
  return {
    newUser: proof.user,
    mayBeUnderway: true,
    link,
    kept: () => keepTokens(auth, proof.stored),
    refusal: (refused) => refusal(auth, proof, refused),
    signUpParams: () => signInParams(request, proof, null),
    lost: accountLost,
    async store(enrollment, decision) {
      const { account, profile } = proof
      const isNewUser = decision.kind === "create"
      if (decision.kind === "link") await lockTarget(enrollment, decision.user)
      const user = isNewUser ? await createUser(enrollment, proof.user, proof.emailVerified) : decision.user
      if (decision.kind === "resume") await refreshTokens(enrollment, user)
      else await linkTo(enrollment, link, user, isNewUser)
      return { user, account: { ...account, userId: user.id }, profile, isNewUser, ...stateOf(proof) }
    },
  }
}

async function refreshTokens({ adapter, kept }: Enrollment, user: AdapterUser): Promise<void> {
  await adapter.updateAccount?.({ ...kept, userId: user.id } as AdapterAccount)
}

/** Under `"explicit"`, a visitor who hasn't verified an email doesn't learn that it has an account here. */
function refusal(
  { security }: AuthContext,
  { emailVerified, provider }: AccountProof,
  { reason, ways = [] }: Refused,
): AuthError {
  const isUnverified = emailVerified !== true && reason === emailInUse
  const Kind = isUnverified && security.linking === "explicit" ? OAuthCallbackError : OAuthAccountNotLinked
  return new Kind(`The sign-in was refused because ${reason}`, { provider: provider.id, ways })
}

/** What modules and the vault keep belongs to a user by the id, so it has to be the same at each sign-in. */
function named(proof: AccountProof): AccountProof {
  const { provider, providerAccountId } = proof.account
  return { ...proof, user: { ...proof.user, id: `${provider}:${providerAccountId}` } }
}

function stepsWithoutAdapter(auth: AuthContext, request: AuthRequest, proof: AccountProof): ProofSteps {
  const { user, account, profile } = proof
  return {
    amr: "fed",
    findOwner: async () => null,
    signInParams: () => signInParams(request, proof, null),
    resolve: async () => ({ user, isNewUser: false }),
    async identify() {
      if ("connectOnly" in proof.provider && proof.provider.connectOnly) throw refusal(auth, proof, onlyConnects)
      return { identity: { user, account, profile, isNewUser: undefined, ...stateOf(proof) } }
    },
  }
}

function signInParams(request: AuthRequest, proof: AccountProof, owner: AdapterUser | null): SignInParams {
  const { account, profile } = proof
  const params = withRequest({ user: owner ?? proof.user, account, profile, ...stateOf(proof) }, request)
  // Not enumerable, like `request`: callbacks that copy their parameters see the keys of v5.
  return Object.defineProperty(params, "emailVerified", { value: proof.emailVerified === true })
}

/** Without it, callbacks get the keys of v5. */
function stateOf({ state }: AccountProof): Pick<AccountProof, "state"> {
  return state === undefined ? {} : { state }
}

interface Situation {
  readonly owner: AdapterUser | null
  readonly current: LiveSession | null
}

/** Only for a signed-in user who asked for it. */
async function decideConnecting(...args: Parameters<typeof decideFor>): Promise<Decided> {
  const decided = await decideFor(...args)
  return decided.asked === undefined ? { decision: onlyConnects } : decided
}

async function decideFor(
  auth: AuthContext,
  adapter: Adapter,
  proof: AccountProof,
  { owner, current: live }: Situation,
): Promise<Decided> {
  const current = linkTarget(auth, proof, await userOfSession(adapter, live), live)
  const sameEmail = owner === null && current === null ? await ownerOfEmail(adapter, proof) : null
  const decision = decideLink({ owner, current, sameEmail, trustsEmail: trustsEmail(auth, proof, sameEmail) })
  if (decision.kind === "refuse" && sameEmail !== null)
    return { decision: { ...decision, ways: await knownWays(auth, adapter, proof, sameEmail) } }
  if (decision.kind === "link" && (await hasTooMany(adapter, decision.user))) return { decision: tooMany }
  if (current !== null && live !== null) return { decision, asked: live, reread: (from) => rereadUser(from, live) }
  return { decision, ...rereadOf(adapter, sameEmail) }
}

function rereadOf(adapter: Adapter, user: AdapterUser | null): Pick<Decided, "reread"> {
  if (user === null || adapter.getUser === undefined) return {}
  return { reread: async (from) => (await from.getUser?.(user.id)) ?? null }
}

async function ownerOfEmail(adapter: Adapter, { user }: AccountProof): Promise<AdapterUser | null> {
  return user.email ? userWithEmail(adapter, user.email) : null
}

/**
 * How the owner of the email can sign in. Only if the provider says that this user has verified the email: then they are that
 * owner, who can find all of it out by email. Anyone else could learn with an account at the provider which services another
 * person uses.
 */
async function knownWays(
  { providers }: AuthContext,
  adapter: Adapter,
  { emailVerified, provider: tried }: AccountProof,
  user: AdapterUser,
): Promise<readonly string[]> {
  if (emailVerified !== true) return []
  const accounts: readonly AdapterAccount[] | null | undefined = await adapter.listAccounts?.(user.id)
  const linked = new Set((accounts ?? []).map(({ provider }) => provider))
  const ways: string[] = []
  for (const provider of providers.values()) {
    if (provider.id === tried.id) continue
    if (linked.has(provider.id) || provider.type === "email" || (await provider.canSignIn?.(user)) === true)
      ways.push(provider.id)
  }
  return ways
}

const onlyConnects: Refused = { kind: "refuse", reason: "the provider only connects accounts of signed-in users" }

const tooMany: LinkDecision = { kind: "refuse", reason: `the user has ${maxAccounts} accounts. Disconnect one first` }

async function hasTooMany(adapter: Adapter, { id }: AdapterUser): Promise<boolean> {
  const accounts: readonly AdapterAccount[] | null | undefined = await adapter.listAccounts?.(id)
  return (accounts ?? []).filter(({ type }) => type !== "webauthn").length >= maxAccounts
}

/** The signed-in user, if this flow may link to them: they started it and, under `"explicit"`, asked for linking. */
function linkTarget(
  auth: AuthContext,
  { intent }: AccountProof,
  current: AdapterUser | null,
  live: LiveSession | null,
): AdapterUser | null {
  if (intent.userId === undefined || (current === null && !intent.explicit)) return null
  if (current === null || idText(current.id) !== intent.userId) {
    throw new InvalidCheck("The user who started this sign-in isn't signed in anymore. Start again")
  }
  if (auth.security.linking === "same-session") return current
  if (!intent.explicit) return null
  assertRecentSignIn(auth, live)
  return current
}

/** Whether the provider's word on the email is enough to sign in as the user who has that email. */
function trustsEmail(auth: AuthContext, proof: AccountProof, user: AdapterUser | null): boolean {
  const { provider, emailVerified } = proof
  if (user === null || (provider.type !== "oauth" && provider.type !== "oidc")) return false
  // An attacker may have registered an email that isn't theirs and wait for its owner (pre-account hijacking).
  if (auth.security.reclaimMailbox && !user.emailVerified) return false
  if (provider.emailLinking === "dangerous") return acceptsEmail(auth, proof)
  const isStoredVerified = user.emailVerified !== null && user.emailVerified !== undefined
  return provider.emailLinking === "verified" && emailVerified === true && isStoredVerified
}

/** OpenID Connect defines the claim, so under `"strict"` a missing one doesn't verify the email. */
function acceptsEmail({ rules }: AuthContext, { provider, emailVerified }: AccountProof): boolean {
  return rules.provenEmails && provider.type === "oidc" ? emailVerified === true : emailVerified !== false
}

const secret = ["access_token", "refresh_token", "id_token"] as const

const purpose = "provider tokens"

/** Sealed tokens live as long as their account. Seconds. */
const forever = 100 * 365 * 86_400

/** The account as it may be stored, depending on `security.providerTokens`. */
export async function keepTokens(auth: AuthContext, account: Account): Promise<Account> {
  const mode = auth.security.providerTokens
  if (mode === "plain") return account
  const entries = Object.entries(account).filter(([name]) => !isSecret(name))
  if (mode === "sealed") {
    for (const name of secret) {
      const value = account[name]
      if (value !== undefined) entries.push([name, await auth.https.sealer.seal(purpose, { value }, forever)])
    }
  }
  // The same account with some optional members left out.
  return Object.fromEntries(entries) as unknown as Account
}

/** The tokens of a stored account. Tokens that weren't sealed are returned unchanged. */
export async function openTokens(auth: AuthContext, account: Account): Promise<TokenSet> {
  const tokens: Record<string, unknown> = { ...account }
  for (const name of secret) {
    const sealed = account[name]
    if (sealed === undefined) continue
    try {
      tokens[name] = (await auth.https.sealer.open(purpose, sealed)).payload["value"]
    } catch {
      // Stored before sealing was turned on.
    }
  }
  return tokens as TokenSet
}

function isSecret(name: string): boolean {
  return secret.some((each) => each === name)
}
