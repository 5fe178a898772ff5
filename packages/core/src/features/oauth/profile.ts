import { processUserInfoResponse } from "oauth4webapi"
import { AuthError, OAuthCallbackError, OAuthProfileParseError } from "../../errors.js"
import { canonicalEmail, profileEmail, sameMailbox } from "../../http/email-address.js"
import { maxAccountId, maxProfileImage, maxProfileName, maxProfileNesting } from "../../limits/of-input.js"
import type { AuthContext } from "../../model/auth.js"
import type { OAuthProvider } from "../../model/oauth-provider.js"
import type { RawProfile } from "../../model/provider.js"
import type { Account, TokenSet } from "../../model/user.js"
import { warnOfDropped } from "../../observability/dropped-fields.js"
import { isInexact, nestsDeeper } from "../../primitives/exact-json.js"
import { isOneAddress } from "../../provider-kit/email/mailbox.js"
import { usableId, roundedSource } from "../../signin/stored-users.js"
import { isObject } from "../../primitives/defined.js"
import {
  ProviderError,
  guardedFetch,
  isOutOfOrder,
  parseObject,
  problemOf,
  request,
  asksForJson,
} from "./guarded-fetch.js"
import type { AccountProof } from "./account-steps.js"
import { clientOf } from "./server.js"
import { type CallbackContext, type TokenExchange, contextOf, withParams } from "./token.js"
import { claimsOf, publicKeyAlgorithms, verifySignature } from "./verify-token.js"

/**
 * The profile as the provider sends it: the claims of the ID token, or the userinfo response. If the site asked for a level
 * or an age of the authentication, callbacks need the verified values, which only the ID token has.
 */
export async function rawProfile(context: CallbackContext, exchanged: TokenExchange): Promise<RawProfile> {
  const profile = await profileOf(context, exchanged)
  const { claims } = exchanged
  if (claims === undefined || context.flow.requires === undefined) return profile
  const verified = ["acr", "auth_time"].filter((name) => claims[name] !== undefined)
  return { ...profile, ...Object.fromEntries(verified.map((name) => [name, claims[name]])) }
}

async function profileOf(context: CallbackContext, { tokens, claims }: TokenExchange): Promise<RawProfile> {
  const { userinfo, userinfoAsProfile } = context.provider
  if (claims !== undefined && !userinfoAsProfile) return claims
  if (userinfo.request === undefined) return readUserinfo(context, tokens, claims)
  const answer = await userinfo.request({ tokens, provider: contextOf(context) })
  if (!isObject(answer)) throw new ProviderError("The provider's `userinfo.request` returned no profile")
  if (claims === undefined) return answer
  if ((answer["sub"] ?? claims.sub) !== claims.sub)
    throw new ProviderError("The userinfo response is about another subject")
  return { ...answer, sub: claims.sub }
}

/** OpenID Connect Core §5.3. The token only goes into the header (RFC 6750 §2.1). */
async function readUserinfo(
  context: CallbackContext,
  tokens: TokenSet,
  claims: TokenExchange["claims"],
): Promise<RawProfile> {
  const { provider, server } = context
  if (server.userinfo === undefined) {
    throw new AuthError(`The provider "${provider.id}" has no userinfo endpoint. Set \`userinfo\``)
  }
  const headers = { ...asksForJson, authorization: `Bearer ${tokens.access_token}` }
  const response = await request(provider, withParams(server.userinfo, provider.userinfo.params), { headers })
  const text = await response.text()
  if (!response.ok) throw noProfile(provider, response.status, text)
  if (claims === undefined) return parseObject(text, "userinfo response")
  return checkUserinfo(context, claims, { text, type: response.headers.get("content-type") ?? "" })
}

/** An error response of plain OAuth 2.0 is JSON, like a profile, so the provider refuses (RFC 6750 §3.1). */
function noProfile({ id, type }: OAuthProvider, status: number, text: string): Error {
  const reason = "The userinfo endpoint returned no profile"
  if (type !== "oauth" || !text.trimStart().startsWith("{")) return new ProviderError(reason, { status })
  const problem = isOutOfOrder(status) ? { problem: "unreachable" } : {}
  return new OAuthCallbackError(`${reason} of the provider "${id}"`, { providerId: id, status, ...problem })
}

/** OpenID Connect Core §5.3.2 and §5.3.4: the subject must match the ID token, and a signed response must verify. */
async function checkUserinfo(
  { auth, provider, server }: CallbackContext,
  { iss, sub }: NonNullable<TokenExchange["claims"]>,
  { text, type }: { readonly text: string; readonly type: string },
): Promise<RawProfile> {
  const algorithms = publicKeyAlgorithms(server.metadata?.userinfoAlgorithms)
  const as = { issuer: iss, ...(algorithms === undefined ? {} : { userinfo_signing_alg_values_supported: algorithms }) }
  const answer = new Response(text, { headers: { "content-type": type } })
  const unsigned = type.startsWith("application/jwt") ? undefined : parseObject(text, "userinfo response")
  await processUserInfoResponse(as, clientOf(auth, provider), sub, answer)
  if (unsigned !== undefined) return unsigned
  await verifySignature(auth, provider, server, { answer, jwt: text })
  return claimsOf(text)
}

/**
 * Maps the profile to a user and an account.
 *
 * @throws OAuthProfileParseError if `profile()` fails or returns no id. A generated id would create a new user at each
 *   sign-in
 */
export async function toProof(context: CallbackContext, tokens: TokenSet, raw: RawProfile): Promise<AccountProof> {
  const { auth, provider, params, flow } = context
  if (nestsDeeper(raw, maxProfileNesting)) throw deepProfile(provider.id)
  const { code: _, state: __, ...others } = params
  const { merged, mapped } = await parsing(provider.id, async () => {
    const whole = provider.mergeCallback?.(raw, others) ?? raw
    return { merged: whole, mapped: await provider.profile(whole, tokens, { fetch: guardedFetch(provider) }) }
  })
  const ids = { mapped, sub: raw["sub"], profile: merged, tokens }
  const key = {
    provider: provider.id,
    type: provider.type,
    providerAccountId: accountId(provider, ids),
  }
  const { email: given, ...rest } = mapped
  const email = keptEmail(auth, provider.id, given)
  return {
    provider,
    user: {
      ...withDisplayFields(auth, provider.id, rest),
      ...(email === undefined ? {} : { email }),
      id: auth.runtime.uuid(),
    },
    // As received. The type makes every claim optional.
    profile: merged,
    account: { ...withoutUser(tokens), ...key },
    stored: { ...withoutUser(provider.account(tokens) ?? {}), ...key },
    // The claim is about the email that the provider sent, not about one that `profile()` chose.
    emailVerified: isEmailVerified(raw, email),
    intent: { userId: flow.userId, explicit: flow.link === true },
    callbackUrl: flow.callbackUrl,
    ...(flow.passed && { state: flow.passed }),
  }
}

/** `undefined`: the provider doesn't say. Some services, such as Amazon Cognito, send the claim as text. */
function isEmailVerified(raw: RawProfile, email: string | undefined): boolean | undefined {
  const claim = raw["email_verified"] ?? undefined
  if (claim === undefined) return undefined
  if (email === undefined || !isOneAddress(canonicalEmail(email)) || !sameMailbox(raw["email"], email)) return false
  return claim === "true" ? undefined : claim === true
}

function deepProfile(providerId: string): OAuthProfileParseError {
  return new OAuthProfileParseError(
    `The profile of the provider "${providerId}" has more than ${maxProfileNesting} levels. Check the provider`,
    { providerId },
  )
}

async function parsing<T>(providerId: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AuthError) throw error
    const problem = problemOf(error)
    throw new OAuthProfileParseError(`The \`profile\` callback of the provider "${providerId}" failed; see the cause`, {
      providerId,
      ...(problem === undefined ? {} : { problem }),
      err: error instanceof Error ? error : new Error(String(error)),
    })
  }
}

interface Sources {
  readonly mapped: unknown
  readonly sub: unknown
  /** What code of the application may have made the id from. */
  readonly profile: RawProfile
  readonly tokens: TokenSet
}

/**
 * The `id` from `profile()`. With OpenID Connect, `sub` names the account if there's none. A number stays a number, as in
 * next-auth: a database without column types doesn't find it as text, and the user would get a second account.
 */
function accountId({ id: providerId, type }: OAuthProvider, { mapped, sub, ...sources }: Sources): string {
  const given: unknown = isObject(mapped) ? mapped["id"] : undefined
  const isMissing = isObject(mapped) && (given ?? "") === ""
  const id = isMissing && type === "oidc" ? sub : given
  const rounded = roundedField(id, sources)
  if (rounded !== undefined) throw roundedId(providerId, rounded)
  const text = usableId(id)
  if (text === undefined) {
    throw new OAuthProfileParseError(
      `The provider "${providerId}" named no account. Return a permanent \`id\` from \`profile()\``,
      { providerId },
    )
  }
  const problem = defectOf(text)
  if (problem !== undefined) throw unusableId(providerId, problem)
  // The types say `string`, which is what `profile()` should return.
  return typeof id === "number" ? (id as never) : text
}

/** Why no database could store the id, or would store it as that of another user. */
function defectOf(id: string): string | undefined {
  if (id.length > maxAccountId) return `has more than ${maxAccountId} characters`
  if (/\p{Cc}/u.test(id)) return "contains a control character"
  return /\p{Surrogate}/u.test(id) ? "contains half of a character (a lone surrogate)" : undefined
}

function unusableId(providerId: string, problem: string): OAuthProfileParseError {
  return new OAuthProfileParseError(
    `The id of the account at the provider "${providerId}" ${problem}. Return another permanent \`id\` from \`profile()\``,
    { providerId },
  )
}

function roundedField(id: unknown, { profile, tokens }: Pick<Sources, "profile" | "tokens">): string | undefined {
  if (typeof id === "number") return Number.isFinite(id) && isInexact(id) ? "id" : undefined
  return typeof id === "string" ? roundedSource(id, { profile, tokens }) : undefined
}

/** Beyond 2^53, two users could have the same number. */
function roundedId(providerId: string, field: string): OAuthProfileParseError {
  return new OAuthProfileParseError(
    `The id of the account at the provider "${providerId}" is a number that JavaScript rounds (\`${field.slice(0, 100)}\`), so it could be that of another user. Return the exact id as text from \`profile()\``,
    { providerId },
  )
}

/** Not every provider sends an email, so only one that's dropped is logged. */
function keptEmail(auth: AuthContext, provider: string, given: unknown): string | undefined {
  if (given === undefined || given === null) return undefined
  const email = typeof given === "string" ? profileEmail(given, auth.rules) : undefined
  if (email === undefined) {
    const problems = auth.rules.asciiEmails
      ? "isn't a plain ASCII email"
      : "isn't text, is too long, names several addresses or has characters that users don't see"
    const detail = `The \`email\` of a user of the provider "${provider}" ${problems}, so the user signs in without one. Return another one from \`profile()\``
    warnOfDropped(auth, { code: "profile-field-dropped", provider, field: "email", detail })
  }
  return email
}

/** A token response must not decide whose account it is. */
function withoutUser(tokens: TokenSet | Account): TokenSet {
  const { userId: _, ...rest } = tokens
  return rest
}

interface DisplayFields {
  readonly name?: unknown
  readonly image?: unknown
}

type Context = Pick<AuthContext, "adapter" | "logger" | "logSink" | "site">

/**
 * The result of `profile()` with a name and image that aren't too long: a malicious provider must not fill the database, and
 * an image is often a `data:` URL. With an adapter, they can also be stored. Users choose them, and many services cut a name in the
 * middle of an emoji.
 */
function withDisplayFields<T extends object>(auth: Context, provider: string, user: T): T {
  const { name, image }: DisplayFields = user
  const kept = (field: "name" | "image", value: unknown, shorten: (value: unknown) => unknown) => {
    const short = shorten(auth.adapter === undefined ? value : storable(value))
    // A column for text turns a number into one.
    if (short !== value && typeof value !== "number") warn(auth, provider, field)
    return short
  }
  return {
    ...user,
    ...(name === undefined ? {} : { name: kept("name", name, cut) }),
    ...(image === undefined ? {} : { image: kept("image", image, dropLong) }),
  }
}

function warn(auth: Context, provider: string, field: "name" | "image"): void {
  const limit = field === "name" ? maxProfileName : maxProfileImage
  const detail = `The \`${field}\` of a user of the provider "${provider}" is longer than ${limit} characters, isn't text, or has characters that databases refuse, so a part of it was left out. Return another one from \`profile()\``
  warnOfDropped(auth, { code: "profile-field-dropped", provider, field, detail })
}

/** Databases refuse NUL and lone surrogates in a text. */
function storable(value: unknown): unknown {
  if (value === null) return value
  if (typeof value === "number") return String(value)
  return typeof value === "string" ? value.replaceAll("\0", "").replace(/\p{Surrogate}/gu, "\uFFFD") : null
}

/** Never between the two halves of a character. */
function cut(name: unknown): unknown {
  return isLong(name, maxProfileName) ? name.slice(0, maxProfileName).replace(/\p{Surrogate}$/u, "") : name
}

function dropLong(image: unknown): unknown {
  return isLong(image, maxProfileImage) ? null : image
}

function isLong(value: unknown, maximum: number): value is string {
  return typeof value === "string" && value.length > maximum
}
