import { type CompletedSignIn, type Owner, sha256 } from "@latchkey/core/module"
import type { Background, Context } from "./context.js"
import { endAll } from "./end.js"
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
  signIn: CompletedSignIn,
): Promise<void> {
  const { account, provider, session, user } = signIn
  if (session === undefined) return
  const own = { name: await sha256(session), session, userId: user.id }
  const fresh = await freshOf(account, provider, keepIdTokens)
  const kept = await keptOf(context, signIn, fresh)
  const all = [...kept, ...fresh].map((each) => ({ ...each, ...own }))
  try {
    for (const each of all) await context.records.signIn.insert(each, { expiresIn: lifetime })
    await endAll(context, await endedOf(context, signIn, all), "backchannel-logout")
  } catch (cause) {
    // The provider couldn't end it.
    await context.users.endSession(user.id, session, "backchannel-logout")
    throw cause
  }
  await forgetEnded(context, user.id, own.name)
}

/** The sign-ins of the session before: a user who adds an account or a passkey, or signs in again, stays in the same browser. */
async function keptOf(
  context: Context,
  { current, user }: CompletedSignIn,
  fresh: readonly Named[],
): Promise<readonly SignInRecord[]> {
  if (current?.session === undefined) return []
  const carried = await takeOf(context, { id: current.id }, current.session)
  return current.id === user.id ? carried.filter((each) => !fresh.some((one) => isSame(one, each))) : []
}

/** A logout writes first and then looks for sessions, and a sign-in the other way round. So one of them sees the other. */
async function endedOf(
  context: Context,
  { current, user }: CompletedSignIn,
  all: readonly SignInRecord[],
): Promise<readonly SignInRecord[]> {
  const former = current?.id === user.id ? current.session : undefined
  if (former !== undefined && (await isNamed(context, await sha256(former)))) return all
  const ended = []
  for (const each of all) if (await hasEnded(context, each)) ended.push(each)
  return ended
}

type Named = Pick<SignInRecord, "provider" | "subject">

function isSame(one: Named, other: Named): boolean {
  return one.provider === other.provider && one.subject === other.subject
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

/** Removes the sign-ins of a session that ends, and returns them, the latest first. */
export async function takeOf(context: Context, { id }: Owner, session: string): Promise<readonly SignInRecord[]> {
  const name = await sha256(session)
  const found = (await context.records.signIn.find({ userId: id })).items.filter((each) => each.name === name)
  for (const { provider, subject } of found) await context.records.signIn.remove({ name, provider, subject })
  return found.toSorted((one, other) => other.issuedAt - one.issuedAt)
}

/** Whether the provider has ended the session or the user of a sign-in since it issued the ID token. */
async function hasEnded(context: Context, { sid, subject, issuedAt }: SignInRecord): Promise<boolean> {
  return (sid !== undefined && (await isNamed(context, sid, issuedAt))) || isNamed(context, subject, issuedAt)
}

async function isNamed({ records }: Context, name: string, since = 0): Promise<boolean> {
  return (await records.ended.find({ name })).items.some(({ at }) => at >= since)
}

/**
 * Sessions that expired, or ended in another way, leave their records. A user who never signs out has many that are alive, so each time
 * looks at others.
 *
 * @param started the session that has just started, which a replica of the database may not know yet
 */
export async function forgetEnded(
  { random, records, users }: Pick<Background, "random" | "records" | "users">,
  userId: string,
  started?: string,
): Promise<void> {
  const { items } = await records.signIn.find({ userId })
  const start = ((random(1)[0] ?? 0) * items.length) >> 8
  for (const { name, provider, session, subject } of [...items.slice(start), ...items.slice(0, start)].slice(
    0,
    maxPruned,
  ))
    if (name !== started && !(await users.hasSession(userId, session)))
      await records.signIn.remove({ name, provider, subject })
}
