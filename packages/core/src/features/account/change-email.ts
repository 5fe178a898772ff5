import { adapterFor } from "../../account/requirements.js"
import { type StoredUser, assertRecent } from "../../account/signed-in.js"
import { AccountNotLinked, AuthError, EmailSignInError, RecentSignInRequired, SessionRequired } from "../../errors.js"
import { toRequest, withRequest } from "../../http/auth-request.js"
import { canonicalEmail } from "../../http/email-address.js"
import { consumeAttempt } from "../../limits/attempts.js"
import { emailIdentifier } from "../../limits/one-spelling.js"
import { endLinksTo, identifierOf, linkTo, mailLanguage, masked } from "../../signin/email-links.js"
import { isSameMailbox, lockUser, rereadUser, userWithEmail } from "../../signin/stored-users.js"
import type { EmailChange } from "../../model/account.js"
import type { Adapter, AdapterUser, VerificationToken } from "../../model/adapter.js"
import type { AuthContext } from "../../model/auth.js"
import type { SetCookie } from "../../model/cookie.js"
import type { AccountEmail, EmailProvider } from "../../model/email-provider.js"
import { hasSeam, seamOf } from "../../module/seam-of.js"
import { keepSecret } from "../../observability/in-flight.js"
import { once } from "../../primitives/awaitable.js"
import { within } from "../../primitives/runtime.js"
import { mutexOf } from "../../primitives/state.js"
import { clearSessionCookies } from "../../session/current.js"
import { idText } from "../../session/live-session.js"
import { type EmailLink, consume, endEmailChange, storePending, tokenOf } from "./email-change-link.js"
import { renewSession } from "./renew-session.js"
import { type ChangingAdapter, requirements } from "./requirements.js"

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
  const adapter = adapterFor(auth, requirements.changeEmail)
  await assertRecent(stored)
  await assertAllowed(stored)
  const provider = emailProviderOf(auth)
  const normalized = once(() => identifierOf(auth, provider, typed))
  await consumeAttempt(auth, request, {
    action: "email",
    identifiers: () => [emailIdentifier(normalized()), `user ${userId}`],
  })
  // A refused email doesn't end the change that is pending.
  const email = normalized()
  const expiresIn = Math.min(provider.maxAge, maxLinkAge)
  const expires = await storePending(auth, adapter, { userId, expiresIn })
  const token = await tokenOf(auth.secrets[0] ?? "", { user, email, expires })
  const url = linkTo(auth, request, "account", { action: "confirm-email", token, email })
  keepSecret(request, token, url)
  try {
    // The sessions may have been ended since this one was read, and with them a change that was stored before.
    if ((await rereadUser(adapter, stored.live)) === null) throw ended()
    await sendLink(stored, provider, { email, token, url, expires, expiresIn })
  } catch (cause) {
    await forget(auth, adapter, userId)
    if (cause instanceof SessionRequired) throw cause
    throw new EmailSignInError("Could not send the email; the cause has the error of the mail service", { cause })
  }
  auth.logger.debug("account.request-email-change", () => ({ userId }))
  await auth.events.requestEmailChange(withRequest({ user, email }, request))
  return { email, expiresIn }
}

function emailProviderOf({ providers }: AuthContext): EmailProvider {
  for (const provider of providers.values()) if (provider.type === "email") return provider
  throw new AuthError("There is no email provider. Add one to `providers`")
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

async function forget({ logger }: AuthContext, adapter: ChangingAdapter, userId: string): Promise<void> {
  try {
    await endEmailChange(adapter, userId)
  } catch (cause) {
    logger.error(new AuthError("Could not remove the token of an email that wasn't sent; it expires", { cause }))
  }
}

/** The user opened the link and confirmed it. */
export async function confirmEmail(stored: StoredUser, opened: EmailLink): Promise<readonly SetCookie[]> {
  const { auth, request, user: before, userId } = stored
  const adapter = adapterFor(auth, requirements.changeEmail)
  const { email } = opened
  await assertAllowed(stored)
  const used = await consume(stored, adapter, opened)
  // Sign-ups with this email wait, because not every database has a unique index.
  const user = await mutexOf(auth).runExclusive(canonicalEmail(email), () => replace(stored, adapter, used, email))
  const formerEmail = before.email ?? null
  const isOther = formerEmail !== null && formerEmail !== email
  if (isOther) {
    await endLinks(auth, adapter, formerEmail)
    await notify(stored, formerEmail, email)
  }
  auth.logger.debug("account.change-email", () => ({ userId }))
  await auth.events.updateUser(withRequest({ user }, request))
  await auth.events.changeEmail(withRequest({ user, formerEmail }, request))
  const cookies = await renewSession(stored, { email: formerEmail }, { email })
  return (await endedByModule(stored)) ? clearSessionCookies(request) : cookies
}

/** @throws RecentSignInRequired */
async function assertAllowed({ auth, request, userId }: StoredUser): Promise<void> {
  if (!hasSeam(auth) || (await (await seamOf(auth)).mayChangeEmail(auth, request, userId))) return
  throw new RecentSignInRequired("A module doesn't let this session change the email of its user. Sign in first")
}

async function endedByModule({ auth, request, userId }: StoredUser): Promise<boolean> {
  return hasSeam(auth) && (await seamOf(auth)).emailChanged(auth, request, userId)
}

/** @throws AccountNotLinked or SessionRequired */
async function replace(
  stored: StoredUser,
  adapter: ChangingAdapter,
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
async function store(stored: StoredUser, adapter: ChangingAdapter, email: string): Promise<AdapterUser> {
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

async function restore(adapter: ChangingAdapter, { id, email, emailVerified }: AdapterUser): Promise<void> {
  await adapter.updateUser({ id, email, emailVerified })
}

async function isTaken(adapter: ChangingAdapter, user: AdapterUser, email: string): Promise<boolean> {
  const owner = await userWithEmail(adapter, email)
  return owner !== null && idText(owner.id) !== idText(user.id)
}

function taken(): AccountNotLinked {
  return new AccountNotLinked("Another user has this email. Sign in with it, or use another email")
}

/** Sign-in links to the former email would create a new user. */
async function endLinks({ logger }: AuthContext, adapter: ChangingAdapter, email: string): Promise<void> {
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
