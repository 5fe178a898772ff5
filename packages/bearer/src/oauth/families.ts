import type { SignInFacts, Value } from "@latchkey/core/module"
import type { Background, Context } from "../context.js"
import { sha256 } from "../encoding.js"
import type { records } from "../records.js"
import type { Site } from "../site.js"
import { type AccessTokenAnswer, mint } from "../tokens/mint.js"
import { assertTarget, offline } from "./clients.js"
import { textIn } from "./fields.js"
import { OAuthProblem } from "./problem.js"

/** Milliseconds in which a refresh token that was used gets the same answer again. */
const graceMs = 30_000

/** Seconds without a refresh after which an app has to ask the user again. */
const idleMaxAge = 30 * 86_400

export type Family = Value<(typeof records)["family"]["fields"]>
export type Code = Value<(typeof records)["code"]["fields"]>

/** What the token endpoint responds (RFC 6749 §5.1). */
export type TokenAnswer = Readonly<Record<string, unknown>>

/** What a refresh token says. It's sealed, so no one can write one. */
interface RefreshToken {
  readonly family: string
  readonly generation: number
  readonly client: string
}

/** Of a code, so that one that comes a second time names the family to end (RFC 6749 §4.1.2). */
export async function familyOf(code: string): Promise<string> {
  return (await sha256(`family ${code}`)).slice(0, 22)
}

export async function openRefreshToken(context: Background, token: string): Promise<RefreshToken | null> {
  const { family, generation, client } = (await context.open(token)) ?? {}
  if (typeof family !== "string" || typeof generation !== "number" || typeof client !== "string") return null
  return { family, generation, client }
}

/** The first tokens of a sign-in. @throws OAuthProblem */
export async function begin(site: Site, context: Context, code: Code, id: string): Promise<TokenAnswer> {
  const { records, now } = context
  const { hash, redirectUri: _, challenge: __, uses: ___, madeAt, ...grant } = code
  const bound = grant.scope.includes(offline) ? { ...grant, session: undefined } : grant
  if (!(await mayRefresh(context, grant))) throw ended()
  const beganAt = new Date(now())
  const endsAt = new Date(now() + site.refreshMaxAge * 1000)
  // A session that no one can look up must not leave behind what outlives it, unless the user granted that.
  const isLasting = grant.scope.includes(offline) || grant.session !== undefined
  const family: Family = { ...bound, id, generation: 1, rotatedAt: beganAt, beganAt, endsAt }
  const answer = await answerOf(site, context, family, isLasting)
  if (isLasting) {
    await records.family.insert(family, { expiresIn: lifetimeOf(context, family) })
  }
  // `revoke`, or a replay of the code, may have looked for the family before it was there.
  const isReplayed = ((await records.code.get({ hash }))?.uses ?? 1) > 1
  if (!isReplayed && !(await isCutOff(context, code.userId, madeAt))) return answer
  await records.family.remove({ id })
  throw ended()
}

/** The next tokens. Of parallel requests with one token, all get the answer of the fastest. @throws OAuthProblem */
export async function refresh(site: Site, context: Context, token: RefreshToken): Promise<TokenAnswer> {
  const { records, now } = context
  const family = await liveFamily(context, token)
  assertTarget(family, textIn(context.request.fields, "resource"))
  if (token.generation !== family.generation) return repeated(context, family, token)
  const next = { ...family, generation: family.generation + 1, rotatedAt: new Date(now()) }
  const answer = await answerOf(site, context, next, true)
  const { generation, rotatedAt } = next
  const changes = { generation, rotatedAt, answer: JSON.stringify(answer) }
  const isFirst = await records.family.swap(family, changes, { expiresIn: lifetimeOf(context, family) })
  return isFirst ? answer : repeated(context, await liveFamily(context, token), token)
}

/** A phone sends a request again if it lost the answer. Later, someone else may have the token (RFC 9700 §4.14). */
async function repeated(context: Context, family: Family, { generation }: RefreshToken): Promise<TokenAnswer> {
  const { records, now, emit } = context
  const age = now() - family.rotatedAt.getTime()
  if (generation === family.generation - 1 && family.answer !== undefined && age <= graceMs)
    return JSON.parse(family.answer) as TokenAnswer
  await records.family.remove({ id: family.id })
  await emit("token-reused", { id: family.userId }, { outcome: "failure", data: { client: family.clientId } })
  throw ended()
}

/** @throws OAuthProblem if it has ended, or its user or session has */
async function liveFamily(context: Context, { family: id }: RefreshToken): Promise<Family> {
  const family = await context.records.family.get({ id })
  if (family === null) throw ended()
  if (await mayRefresh(context, family)) return family
  await context.records.family.remove({ id })
  throw ended()
}

async function mayRefresh(
  { users }: Background,
  { userId, session }: Pick<Family, "userId" | "session">,
): Promise<boolean> {
  if ((await users.byId(userId)) === null) return false
  return session === undefined || users.hasSession(userId, session)
}

function ended(): OAuthProblem {
  return new OAuthProblem("invalid_grant", "The grant has expired, was revoked, or was used before")
}

/** Seconds. */
function lifetimeOf({ now }: Context, { endsAt }: Family): number {
  return Math.min(idleMaxAge, Math.ceil((endsAt.getTime() - now()) / 1000))
}

/** @throws OAuthProblem if the application refuses the token */
async function answerOf(site: Site, context: Context, family: Family, isLasting: boolean): Promise<TokenAnswer> {
  const { id, generation, clientId: client } = family
  const minted = await mint(site, context, {
    ...family,
    authTime: family.authTime,
    acr: family.acr,
    ...(isLasting && { family: id }),
  })
  if (minted === null) throw ended()
  const refreshToken = isLasting
    ? { refresh_token: await context.seal({ family: id, generation, client }, lifetimeOf(context, family)) }
    : {}
  return { ...answerWith(site, minted), ...refreshToken, scope: family.scope.join(" ") }
}

export function answerWith({ maxAge }: Site, { token }: AccessTokenAnswer): TokenAnswer {
  return { access_token: token, token_type: "Bearer", expires_in: maxAge }
}

/** Seconds that everything of a user that was made before is refused. No session in a cookie lives longer (RFC 6265bis §5.5). */
const cutOffMaxAge = 400 * 86_400

/** There is one at any moment: a former one counts until the new one does. */
async function cutOff({ cutOff: all }: Background["records"], userId: string, at: Date): Promise<void> {
  for (let left = 20; left > 0; left--) {
    const before = await all.get({ userId })
    const options = { expiresIn: cutOffMaxAge }
    if (before === null ? await all.insert({ userId, at }, options) : await all.swap(before, { at }, options)) return
    // Another call cuts off at the same time.
  }
  throw new Error("Too many calls of `revoke` for one user at the same time")
}

/** Ends what was issued to a user, and what is being issued at this moment. */
export async function endAll({ records, now }: Background, userId: string): Promise<void> {
  await cutOff(records, userId, new Date(now()))
  const { items } = await records.family.find({ userId })
  for (const { id } of items) await records.family.remove({ id })
}

/**
 * A session that is only in a cookie can't be ended, but it makes no tokens anymore. One that doesn't say when it began may be from before.
 * Any other has ended, or was meant to stay.
 */
export async function hasEnded(
  { isStateless }: Site,
  context: Background,
  userId: string,
  { session, authTime = 0 }: SignInFacts,
): Promise<boolean> {
  return !isStateless && session === undefined && isCutOff(context, userId, new Date(authTime * 1000))
}

export async function isCutOff({ records }: Background, userId: string, since: Date): Promise<boolean> {
  const cutOff = await records.cutOff.get({ userId })
  return cutOff !== null && cutOff.at.getTime() >= since.getTime()
}
