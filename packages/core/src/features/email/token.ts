import { authenticate, sha256 } from "../../crypto/digest.js"
import { MissingAdapterMethods, Verification } from "../../errors.js"
import type { Adapter, VerificationToken } from "../../model/adapter.js"
import type { AuthContext } from "../../model/auth.js"
import type { EmailProvider } from "../../model/email-provider.js"
import { mutexOf } from "../../primitives/state.js"
import { checkedToken } from "../../signin/email-links.js"
import { hasEnded } from "./sent-links.js"

export type TokenStore = Adapter &
  Required<Pick<Adapter, "createVerificationToken" | "useVerificationToken" | "getUserByEmail">>

/** @throws MissingAdapterMethods */
export function tokenStore({ adapter }: AuthContext): TokenStore {
  if (adapter?.createVerificationToken && adapter.useVerificationToken && adapter.getUserByEmail)
    return adapter as TokenStore
  throw new MissingAdapterMethods(
    "Email sign-in needs an adapter with createVerificationToken, useVerificationToken and getUserByEmail",
  )
}

type Hash = (token: string) => string | PromiseLike<string>

/** The hashes under which a token may be stored; new tokens use the first. Each configured secret works. */
function hashes({ secrets: common, security }: AuthContext, { secret: own }: EmailProvider): readonly Hash[] {
  const secrets = own === undefined ? common : [own]
  const plain =
    (secret: string): Hash =>
    (token) =>
      sha256(token + secret)
  const keyed =
    (secret: string): Hash =>
    (token) =>
      authenticate(secret, "email link", token)
  return [...(security.keyPerPurpose ? secrets.map(keyed) : []), ...joined(secrets).map(plain), ...secrets.map(plain)]
}

/**
 * Auth.js v5 joins several secrets, and finds a token only under that hash. The secrets may have had another order when the
 * link was requested.
 */
function joined(secrets: readonly string[]): readonly string[] {
  const [first = "", second = "", ...more] = secrets
  if (secrets.length < 2) return []
  return more.length === 0 ? [`${first},${second}`, `${second},${first}`] : [secrets.join(",")]
}

/** The token as it's stored. */
export async function stored(auth: AuthContext, provider: EmailProvider, token: string): Promise<string> {
  const [hashOf = sha256] = hashes(auth, provider)
  return hashOf(token)
}

/**
 * Says at once that a link doesn't work, without using it up, as far as the adapter or this process can tell.
 *
 * @throws Verification
 */
export async function assertOpen(
  auth: AuthContext,
  provider: EmailProvider,
  { identifier, token }: Pick<OpenedLink, "identifier" | "token">,
): Promise<void> {
  for (const hashOf of hashes(auth, provider)) {
    const state = await linkState(auth, { identifier, token: await hashOf(token) })
    if (state === "ended") throw unknown()
    if (state !== "missing") return
  }
  throw unknown()
}

/** Looks at the row of a link. `"unknown"`: only its use can tell. */
export async function linkState(
  auth: AuthContext,
  row: Pick<VerificationToken, "identifier" | "token">,
): Promise<"open" | "ended" | "missing" | "unknown"> {
  if (hasEnded(auth, row)) return "ended"
  const { getVerificationToken } = tokenStore(auth)
  if (getVerificationToken === undefined) return "unknown"
  try {
    const found = await getVerificationToken(row)
    if (!found) return "missing"
    return new Date(found.expires).getTime() > auth.runtime.now() ? "open" : "ended"
  } catch {
    // The database is down, so the use will fail too, and says so.
    return "unknown"
  }
}

interface OpenedLink {
  readonly identifier: string
  readonly token: string
  /** How the token is stored, if this browser requested the link. */
  readonly stored: string | undefined
}

/**
 * Consumes a token, whichever hash it's stored under.
 *
 * @throws Verification
 */
export async function consumeToken(
  auth: AuthContext,
  provider: EmailProvider,
  { identifier, token, stored }: OpenedLink,
): Promise<VerificationToken> {
  const known = stored === undefined ? [] : [() => stored]
  for (const hashOf of [...known, ...hashes(auth, provider)]) {
    const used = await takeStoredToken(auth, identifier, await hashOf(token))
    if (used !== undefined) return used
  }
  throw unknown()
}

function unknown(): Verification {
  return new Verification("The link was already used, has expired or is unknown. Request a new one", {
    hasInvite: false,
    expired: false,
  })
}

async function takeStoredToken(
  auth: AuthContext,
  identifier: string,
  hash: string,
): Promise<VerificationToken | undefined> {
  const adapter = tokenStore(auth)
  const invite = await mutexOf(auth).tryExclusive(hash, async () =>
    adapter.useVerificationToken({ identifier, token: hash }),
  )
  return invite === null || invite === undefined
    ? undefined
    : checkedToken(invite, identifier, hash, auth.runtime.now())
}
