import { type CompletedSignIn, type Owner, sha256 } from "@latchkey/core/module"
import type { Background, Context } from "./context.js"
import type { LogoutOptions } from "./options.js"
import type { SignInRecord } from "./records.js"

// Which session belongs to which sign-in at a provider.

/** How long a record is kept. A session that lasts longer is out of reach of its provider. Seconds. */
const lifetime = 400 * 86_400

/** Characters. A longer ID token isn't kept. */
const maxIdToken = 16_384

/** Records of former sessions that one sign-in looks at. */
const maxPruned = 20

/** Names a user or a session at a provider. The issuer counts too, because a provider may have several tenants. */
export async function nameOf(kind: "sub" | "sid", provider: string, issuer: string, value: string): Promise<string> {
  return sha256(JSON.stringify([kind, provider, issuer, value]))
}

/** Runs after each sign-in. */
export async function remember(
  { keepIdTokens = true }: LogoutOptions,
  context: Context,
  { account, current, provider, session, user }: CompletedSignIn,
): Promise<void> {
  if (session === undefined) return
  const own = { name: await sha256(session), session, userId: user.id }
  const carried = current === undefined ? [] : await takeFormer(context, current)
  // A user who adds an account or a passkey, or signs in again, stays in the same browser.
  const kept = current?.id === user.id ? carried.filter((each) => each.provider !== provider) : []
  const all = [...kept, ...(await freshOf(account, provider, keepIdTokens))].map((each) => ({ ...each, ...own }))
  for (const each of all) await context.records.signIn.insert(each, { expiresIn: lifetime })
  // A logout writes first and then looks for sessions, and a sign-in the other way round. So one of them sees the other.
  for (const each of all)
    if (await hasEnded(context, each)) await context.users.endSession(user.id, session, "backchannel-logout")
  await forgetEnded(context, user.id)
}

/** The sign-in itself, if it's one with an OpenID provider. */
async function freshOf(
  { id_token: idToken, providerAccountId, type }: CompletedSignIn["account"],
  provider: string,
  keeps: boolean,
) {
  const claims = type === "oidc" ? claimsOf(idToken) : undefined
  if (claims === undefined) return []
  const isKept = keeps && (idToken?.length ?? 0) <= maxIdToken
  return [{ ...(await signInOf(claims, provider, providerAccountId)), idToken: isKept ? idToken : undefined }]
}

interface Claims {
  readonly iss: string
  readonly sub: string
  readonly iat: number
  readonly [claim: string]: unknown
}

/** The claims of an ID token that the sign-in has verified. */
function claimsOf(idToken: string | undefined): Claims | undefined {
  if (idToken === undefined) return undefined
  const binary = atob((idToken.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/"))
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0))
  return JSON.parse(new TextDecoder().decode(bytes)) as Claims
}

async function signInOf({ iss, sub, iat, sid, ...others }: Claims, provider: string, account: string | number) {
  const { login_hint: hint, email } = others
  return {
    provider,
    // A provider's `profile` may return a number.
    account: String(account),
    subject: await nameOf("sub", provider, iss, sub),
    sid: typeof sid === "string" ? await nameOf("sid", provider, iss, sid) : undefined,
    issuedAt: Math.floor(iat),
    hint: [hint, email].find((each) => typeof each === "string"),
  }
}

/** The sign-ins of the session that this one replaces. */
async function takeFormer(
  context: Context,
  { id, session }: NonNullable<CompletedSignIn["current"]>,
): Promise<readonly SignInRecord[]> {
  return session === undefined ? [] : takeOf(context, { id }, session)
}

/** Removes the sign-ins of a session that ends, and returns them, the latest first. */
export async function takeOf(context: Context, { id }: Owner, session: string): Promise<readonly SignInRecord[]> {
  const name = await sha256(session)
  const found = (await context.records.signIn.find({ userId: id })).items.filter((each) => each.name === name)
  for (const { provider } of found) await context.records.signIn.remove({ name, provider })
  return found.toSorted((one, other) => other.issuedAt - one.issuedAt)
}

/** Whether the provider has ended the session or the user of a sign-in since it issued the ID token. */
async function hasEnded({ records }: Context, { sid, subject, issuedAt }: SignInRecord): Promise<boolean> {
  if (sid !== undefined && (await records.ended.find({ name: sid })).items.length > 0) return true
  return (await records.ended.find({ name: subject })).items.some(({ at }) => at >= issuedAt)
}

/** Sessions that expired, or ended in another way, leave their records. */
export async function forgetEnded(
  { records, users }: Pick<Background, "records" | "users">,
  userId: string,
): Promise<void> {
  const { items } = await records.signIn.find({ userId })
  for (const { name, provider, session } of items.slice(0, maxPruned))
    if (!(await users.hasSession(userId, session))) await records.signIn.remove({ name, provider })
}
