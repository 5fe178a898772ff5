import { authenticate, equal, sha256 } from "../crypto/digest.js"
import { AccountNotLinked, AuthError, EmailSignInError, SessionRequired, Verification } from "../errors.js"
import { toRequest, withRequest } from "../http/auth-request.js"
import { normalIdentifier } from "../limits/identifier.js"
import { consumeAttempt } from "../limits/limiter.js"
import { maxLinkEmail, maxLinkToken } from "../limits/of-input.js"
import { masked } from "../methods/email/confirmation.js"
import { endLinksTo, identifierOf } from "../methods/email/identifier.js"
import { linkTo } from "../methods/email/link-url.js"
import { mailLanguage } from "../methods/email/mail-language.js"
import { checked } from "../methods/email/token.js"
import { isSameMailbox, lockUser, rereadUser, userWithEmail } from "../methods/stored-users.js"
import type { EmailChange } from "../model/account.js"
import type { Adapter, AdapterUser, VerificationToken } from "../model/adapter.js"
import type { AuthContext } from "../model/auth.js"
import type { SetCookie } from "../model/cookie.js"
import type { AccountEmail, EmailProvider } from "../model/email-provider.js"
import { keepSecret } from "../observability/in-flight.js"
import { mutexOf } from "../primitives/keyed-mutex.js"
import { once } from "../primitives/once.js"
import { within } from "../primitives/runtime.js"
import { idText } from "../session/live-session.js"
import { recordName } from "../session/records.js"
import { type AdapterFor, adapterFor } from "./requirements.js"
import { renewWithEmail } from "./renew-with-email.js"
import { assertRecent, type StoredUser } from "./signed-in.js"

/** For sending an email. Milliseconds. */
const timeoutMs = 10_000

/** Seconds. */
const maxLinkAge = 3600

/**
 * Sends a link to the new email. It works for this user, this email and while the user has the present one, and a newer one or the
 * end of a session replaces it. Whether another user has the new email is only checked when the link is opened: its mailbox then
 * belongs to the user, so the refusal tells nothing about others.
 */
export async function changeEmail(stored: StoredUser, typed: string): Promise<EmailChange> {
  const { auth, request, user, userId } = stored
  const adapter = adapterFor(auth, "changeEmail")
  await assertRecent(stored)
  const provider = emailProviderOf(auth)
  const email = once(() => identifierOf(provider, typed))
  await consumeAttempt(auth, request, {
    action: "email",
    identifiers: () => [normalIdentifier(email()), `user ${userId}`],
  })
  const expiresIn = Math.min(provider.maxAge, maxLinkAge)
  const expires = await storePending(auth, adapter, { userId, expiresIn })
  const token = await tokenOf(auth.secrets[0] ?? "", { user, email: email(), expires })
  const url = linkTo(auth, request, "account", { action: "confirm-email", token, email: email() })
  keepSecret(request, token, url)
  try {
    // The sessions may have been ended since this one was read, and with them a change that was stored before.
    if ((await rereadUser(adapter, stored.live)) === null) throw ended()
    await sendLink(stored, provider, { email: email(), token, url, expires, expiresIn })
  } catch (cause) {
    await forget(auth, adapter, userId)
    if (cause instanceof SessionRequired) throw cause
    throw new EmailSignInError("Could not send the email; the cause has the error of the mail service", { cause })
  }
  auth.logger.debug("account.request-email-change", () => ({ userId }))
  await auth.events.requestEmailChange(withRequest({ user, email: email() }, request))
  return { email: email(), expiresIn }
}

function emailProviderOf({ providers }: AuthContext): EmailProvider {
  for (const provider of providers.values()) if (provider.type === "email") return provider
  throw new AuthError("There is no email provider. Add one to `providers`")
}

/** The key of the row that says that a change is pending. The link proves the rest, and a user has one row at most. */
async function pendingOf(userId: string): Promise<Pick<VerificationToken, "identifier" | "token">> {
  const owner = await sha256(JSON.stringify(["change of email", userId]))
  return { identifier: recordName("change-email", owner.slice(0, 32)), token: owner }
}

/** Replaces the former row. @returns when the link expires, which tells it from former ones */
async function storePending(
  auth: AuthContext,
  adapter: AdapterFor<"changeEmail">,
  { userId, expiresIn }: { readonly userId: string; readonly expiresIn: number },
): Promise<Date> {
  const pending = await pendingOf(userId)
  return mutexOf(auth).runExclusive(pending.token, async () => {
    const former = await adapter.useVerificationToken(pending)
    // Some databases store whole seconds.
    const earliest = former ? secondsOf(new Date(former.expires)) + 1 : 0
    const expires = new Date(Math.max(earliest, secondsOf(auth.runtime.now()) + expiresIn) * 1000)
    await adapter.createVerificationToken({ ...pending, expires })
    return expires
  })
}

function secondsOf(time: Date | number): number {
  return Math.floor(Number(time) / 1000)
}

/** A link that was sent for the user before doesn't work anymore. */
export async function endEmailChange(adapter: Adapter, userId: string): Promise<void> {
  const pending = await pendingOf(userId)
  if (adapter.deleteVerificationTokens === undefined) await adapter.useVerificationToken?.(pending)
  else await adapter.deleteVerificationTokens(pending.identifier)
}

interface Bound {
  readonly user: AdapterUser
  readonly email: string
  readonly expires: Date
}

/**
 * A token of a link that says for whom, for which emails and until when it is, so that the page can tell without using it up. It
 * ends with the first proof of the present email, which the owner of its mailbox may give.
 */
async function tokenOf(secret: string, { user, email, expires }: Bound): Promise<string> {
  const bound = [idText(user.id), user.email ?? null, Boolean(user.emailVerified), email, expires.getTime()]
  return `${expires.getTime().toString(36)}.${await authenticate(secret, "change of email", JSON.stringify(bound))}`
}

interface Link {
  readonly email: string
  readonly token: string
  readonly url: string
  readonly expires: Date
  readonly expiresIn: number
}

async function sendLink(
  { auth, request: incoming }: StoredUser,
  provider: EmailProvider,
  { email: identifier, token, url, expires, expiresIn }: Link,
): Promise<void> {
  const shared = { provider, theme: auth.theme, request: toRequest(incoming), ...(await mailLanguage(auth, incoming)) }
  const common = { identifier, url, expires, ...shared }
  const sending =
    provider.sendAccountEmail === undefined
      ? provider.sendVerificationRequest({ ...common, token })
      : provider.sendAccountEmail({ ...common, kind: "confirm", email: identifier, expiresIn })
  await within(timeoutMs, sending, late)
}

function late(): never {
  throw new Error(`The mail service didn't answer within ${timeoutMs / 1000} seconds`)
}

async function forget({ logger }: AuthContext, adapter: AdapterFor<"changeEmail">, userId: string): Promise<void> {
  try {
    await endEmailChange(adapter, userId)
  } catch (cause) {
    logger.error(new AuthError("Could not remove the token of an email that wasn't sent; it expires", { cause }))
  }
}

/** The parameters of a link. */
export interface EmailLink {
  readonly token: string
  readonly email: string
}

/** The user opened the link and confirmed it. */
export async function confirmEmail(stored: StoredUser, opened: EmailLink): Promise<readonly SetCookie[]> {
  const { auth, request, user: before, userId } = stored
  const adapter = adapterFor(auth, "changeEmail")
  const { email } = opened
  const used = await consume(stored, adapter, opened)
  // Sign-ups with this email wait, because not every database has a unique index.
  const user = await mutexOf(auth).runExclusive(email, () => replace(stored, adapter, used, email))
  const formerEmail = before.email ?? null
  const isOther = formerEmail !== null && formerEmail !== email
  if (isOther) {
    await endLinks(auth, adapter, formerEmail)
    await notify(stored, formerEmail, email)
  }
  auth.logger.debug("account.change-email", () => ({ userId }))
  await auth.events.updateUser(withRequest({ user }, request))
  await auth.events.changeEmail(withRequest({ user, formerEmail }, request))
  return renewWithEmail(stored, formerEmail, email)
}

/**
 * Says at once that a link doesn't work, without using it up.
 *
 * @throws Verification
 */
export async function assertOpen(stored: StoredUser, link: EmailLink): Promise<void> {
  const expires = await readLink(stored, link)
  const { getVerificationToken } = stored.adapter
  if (getVerificationToken === undefined) return
  const found = await getVerificationToken(await pendingOf(stored.userId))
  if (!found || new Date(found.expires).getTime() !== expires.getTime()) throw invalid()
}

/**
 * When the link expires.
 *
 * @throws Verification if it isn't for this user and this email, was used or has expired
 */
async function readLink({ auth, user }: StoredUser, { token, email }: EmailLink): Promise<Date> {
  const isPlausible = token.length <= maxLinkToken && email !== "" && email.length <= maxLinkEmail
  const expires = new Date(Number.parseInt(token.split(".")[0] ?? "", 36))
  for (const secret of isPlausible ? auth.secrets : []) {
    if (!equal(await tokenOf(secret, { user, email, expires }), token)) continue
    if (expires.getTime() > auth.runtime.now()) return expires
    throw new Verification("The link has expired. Request a new one", { hasInvite: true, expired: true })
  }
  throw invalid()
}

function invalid(): Verification {
  const details = { hasInvite: false, expired: false }
  return new Verification("The link was already used, was replaced, is for another user, or is unknown", details)
}

/** @throws Verification */
async function consume(
  stored: StoredUser,
  adapter: AdapterFor<"changeEmail">,
  opened: EmailLink,
): Promise<VerificationToken> {
  const { auth, request, userId } = stored
  keepSecret(request, opened.token)
  const expires = await readLink(stored, opened)
  const pending = await pendingOf(userId)
  return mutexOf(auth).runExclusive(pending.token, async () => {
    const found = await adapter.useVerificationToken(pending)
    if (!found) throw invalid()
    const used = checked(found, pending.identifier, pending.token, auth.runtime.now())
    if (used.expires.getTime() === expires.getTime()) return used
    // The user requested a newer link meanwhile.
    await adapter.createVerificationToken(used)
    throw invalid()
  })
}

/** @throws AccountNotLinked or SessionRequired */
async function replace(
  stored: StoredUser,
  adapter: AdapterFor<"changeEmail">,
  used: VerificationToken,
  email: string,
): Promise<AdapterUser> {
  const { user } = stored
  if (await isTaken(adapter, user, email)) throw taken()
  try {
    const updated = await store(stored, adapter, email)
    if (!(await isTaken(adapter, user, email))) return updated
  } catch (cause) {
    if (cause instanceof SessionRequired) throw cause
    if (await isTaken(adapter, user, email)) throw taken()
    await adapter.createVerificationToken(used)
    throw cause
  }
  // Another process created a user with this email meanwhile, and the database allows two.
  await restore(adapter, user)
  throw taken()
}

/**
 * The session may have ended since it was read, and the owner of the former email may have taken the account over. In a
 * transaction, the row of the user is locked first. Without transactions, the session is read again before and after the change.
 */
async function store(stored: StoredUser, adapter: AdapterFor<"changeEmail">, email: string): Promise<AdapterUser> {
  const { auth, user } = stored
  const changes = { id: user.id, email, emailVerified: new Date(auth.runtime.now()) }
  if (adapter.transaction !== undefined) {
    return adapter.transaction(async (inside) => {
      await lockUser(inside, user)
      await assertUnchanged(stored, inside)
      return (await inside.updateUser?.(changes)) ?? { ...user, ...changes }
    })
  }
  await assertUnchanged(stored, adapter)
  const updated = await adapter.updateUser(changes)
  if ((await rereadUser(adapter, stored.live)) !== null) return updated ?? { ...user, ...changes }
  await restore(adapter, user)
  throw ended()
}

/** @throws SessionRequired */
async function assertUnchanged({ user, live }: StoredUser, adapter: Adapter): Promise<void> {
  const now = await rereadUser(adapter, live)
  if (now === null || !isSameMailbox(user, now)) throw ended()
}

function ended(): SessionRequired {
  return new SessionRequired("The session ended, or the email changed, before the new email was stored. Sign in again")
}

async function restore(adapter: AdapterFor<"changeEmail">, { id, email, emailVerified }: AdapterUser): Promise<void> {
  await adapter.updateUser({ id, email, emailVerified })
}

async function isTaken(adapter: AdapterFor<"changeEmail">, user: AdapterUser, email: string): Promise<boolean> {
  const owner = await userWithEmail(adapter, email)
  return owner !== null && idText(owner.id) !== idText(user.id)
}

function taken(): AccountNotLinked {
  return new AccountNotLinked("Another user has this email. Sign in with it, or use another email")
}

/** Sign-in links to the former email would create a new user. */
async function endLinks({ logger }: AuthContext, adapter: AdapterFor<"changeEmail">, email: string): Promise<void> {
  try {
    await endLinksTo(adapter, email)
  } catch (cause) {
    logger.error(new AuthError("Could not delete the links that were sent to a former email; they expire", { cause }))
  }
}

/** The owner of the former email may not be who changed it. */
async function notify({ auth, request: incoming }: StoredUser, identifier: string, email: string): Promise<void> {
  const provider = emailProviderOf(auth)
  const message: AccountEmail = {
    kind: "changed",
    identifier,
    url: incoming.origin,
    provider,
    theme: auth.theme,
    request: toRequest(incoming),
    email: masked(email) ?? "",
    ...(await mailLanguage(auth, incoming)),
  }
  try {
    if (provider.sendAccountEmail !== undefined) await within(timeoutMs, provider.sendAccountEmail(message), late)
  } catch (cause) {
    auth.logger.error(new EmailSignInError("Could not tell the former email that it was replaced", { cause }))
  }
}
