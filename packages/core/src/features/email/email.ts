import { toHex } from "../../crypto/digest.js"
import { AccessDenied, AuthError, EmailSignInError, InvalidProvider, Verification } from "../../errors.js"
import { requireOwn } from "../../http/csrf.js"
import { textOf, toRequest, withRequest } from "../../http/auth-request.js"
import { redirect } from "../../http/respond.js"
import { canonicalEmail } from "../../http/email-address.js"
import { failureMessage } from "../../http/failure-message.js"
import { callbackUrlOf, resolveCallbackUrl, toRoute } from "../../http/redirect.js"
import { emailIdentifier } from "../../limits/one-spelling.js"
import { consumeAttempt } from "../../limits/attempts.js"
import { maxLinkEmail, maxLinkToken } from "../../limits/of-input.js"
import { maxCodeAge } from "../../mail/message.js"
import type { AdapterUser, VerificationToken } from "../../model/adapter.js"
import type { AuthContext, Method } from "../../model/auth.js"
import type { EmailProvider } from "../../model/email-provider.js"
import type { AuthRequest, AuthResult, SafeUrl } from "../../model/http.js"
import type { ResolvedProvider } from "../../model/signin.js"
import { keepSecret } from "../../observability/in-flight.js"
import { once } from "../../primitives/awaitable.js"
import { within } from "../../primitives/runtime.js"
import { mayNameRecord } from "../../session/records.js"
import type { SignInParams } from "../../model/proof-steps.js"
import { askSignIn } from "../../signin/phases.js"
import { type MailboxProof, mailboxSteps } from "../../signin/mailbox-steps.js"
import { userWithEmail } from "../../signin/stored-users.js"
import { consumeCode, isCodePosted, sentStep, sixDigits } from "./code.js"
import { confirmation } from "./confirmation.js"
import { identifierOf, linkTo, mailLanguage } from "../../signin/email-links.js"
import {
  bindToBrowser,
  consumedLinkCookie,
  forget,
  isShort,
  isTriedTooOften,
  openedWhereAsked,
  storedToken,
} from "./link-cookie.js"
import { deviceThatAsked, rememberLink, rememberUse, ticketFor } from "./sent-links.js"
import { type TokenStore, assertOpen, consumeToken, stored, tokenStore } from "./token.js"

/** For sending an email. Milliseconds. */
const timeoutMs = 10_000

/** A link, and a code, sent to a mailbox. In another browser the link shows a button, so link scanners don't consume it. */
export const email: Method = {
  steps: mailboxSteps,
  async start(auth, given, request) {
    const provider = emailProvider(given)
    const normalized = once(() => identifierOf(auth, provider, request.body["email"]))
    // First, so that a bot can't use up the limit of an email.
    await requireSolvedCaptcha(auth, request)
    await consumeAttempt(auth, request, {
      action: "email",
      identifiers: () => [emailIdentifier(normalized())],
      deviceNames: () => [canonicalEmail(normalized())],
    })
    const identifier = normalized()
    const adapter = tokenStore(auth)
    const found = await userWithEmail(adapter, identifier)
    const user = found ?? { id: auth.runtime.uuid(), email: identifier, emailVerified: null }
    const account = { providerAccountId: identifier, userId: user.id, type: "email", provider: provider.id } as const
    const params = withRequest({ user, account, email: { verificationRequest: true } }, request)
    const diverted = await askForLink(auth, request, params)
    if (diverted !== undefined) return redirect(diverted)
    const token = (await provider.generateVerificationToken?.()) ?? toHex(auth.runtime.random(32))
    const short = isShort(token)
    const maxAge = short ? Math.min(provider.maxAge, maxCodeAge) : provider.maxAge
    const expires = new Date(auth.runtime.now() + maxAge * 1000)
    const code = provider.code ? (short ? token : sixDigits(auth.runtime.random)) : undefined
    const link: Link = {
      identifier: found?.email ?? identifier,
      token,
      code,
      expires,
      callbackUrl: await callbackUrlOf(auth, request),
    }
    const row = await send(auth, adapter, provider, request, link)
    rememberLink(auth, request, row)
    const ticket = ticketFor(auth, provider, link, row.token)
    const cookies = await bindToBrowser(auth, request, { token, row, maxAge, ticket })
    await reportRequest(auth, found)
    const to = toRoute(request, "verify-request", { provider: provider.id, type: "email" })
    return redirect(to, cookies, sentStep(request, provider, { email: identifier, code, expiresIn: maxAge }))
  },

  async finish(auth, given, request): Promise<MailboxProof | AuthResult> {
    const provider = emailProvider(given)
    if (isCodePosted(request)) return finishWithCode(auth, provider, request)
    const { token, identifier, callbackUrl } = linkOf(request)
    const here = await openedWhereAsked(auth, request, token)
    if (isShort(token) && !here) throw new Verification("A short code only works in the browser that requested it")
    if (request.method !== "POST" && !here) {
      await assertOpen(auth, provider, { identifier, token })
      const to = callbackUrl === undefined ? {} : { callbackUrl: await resolveCallbackUrl(auth, request, callbackUrl) }
      const fields = { token, email: identifier, ...to }
      const device = deviceThatAsked(auth, { identifier, token: await stored(auth, provider, token) })
      return confirmation(auth, request, { fields, device })
    }
    if (request.method === "POST") await requireOwn(request, "confirmation")
    const refund = await consumeAttempt(auth, request, {
      action: "link",
      identifiers: () => guessable(provider, identifier),
      deviceNames: () => [canonicalEmail(identifier)],
    })
    keepSecret(request, await stored(auth, provider, token))
    const opened = { identifier, token, stored: await storedToken(request, token) }
    const used = await consumeToken(auth, provider, opened)
    if (await isTriedTooOften(request, token, used))
      throw new Verification("Too many codes were tried. Request a new one")
    await refund()
    return proofOf(auth, provider, used, callbackUrl)
  },

  async consumedCookies(auth, _provider, request) {
    const token = textOf(request.body["token"]) ?? textOf(request.query["token"])
    return token === undefined ? [] : consumedLinkCookie(auth, request, token)
  },
}

/** The check is only loaded if a CAPTCHA is configured. */
async function requireSolvedCaptcha(auth: AuthContext, request: AuthRequest): Promise<void> {
  if (auth.captcha !== undefined) await (await import("../../http/captcha.js")).requireCaptcha(auth, request, "email")
}

/** The visitor isn't the user yet. */
async function reportRequest({ audit }: AuthContext, about: AdapterUser | null): Promise<void> {
  await audit?.emit({ name: "email-link.requested", outcome: "success", user: about?.id })
}

/** Signs in like the link. A code that doesn't work leads back to its form, and never appears in a URL. */
async function finishWithCode(
  auth: AuthContext,
  provider: EmailProvider,
  request: AuthRequest,
): Promise<MailboxProof | AuthResult> {
  try {
    const { used, link, ticket } = await consumeCode(auth, provider, request)
    const callbackUrl = ticket.callbackUrl ?? textOf(request.body["callbackUrl"])
    return { ...proofOf(auth, provider, used, callbackUrl), consumedCookies: [forget(request, link.cookie)] }
  } catch (error) {
    if (!(error instanceof Verification)) throw error
    await auth.events.signInFailure(failureMessage(auth, error, request))
    await auth.audit?.failed(error, request)
    const params = { provider: provider.id, type: "email", error: "Verification" }
    return redirect(toRoute(request, "verify-request", params), [], { status: "error", error, field: "code" })
  }
}

/** An `AuthError` of the `signIn` callback also denies access: the user isn't known before the link is opened. */
async function askForLink(auth: AuthContext, request: AuthRequest, params: SignInParams): Promise<SafeUrl | undefined> {
  try {
    return await askSignIn(auth, request, params)
  } catch (cause) {
    throw cause instanceof AccessDenied || !(cause instanceof AuthError) ? cause : new AccessDenied(cause)
  }
}

function proofOf(
  auth: AuthContext,
  provider: EmailProvider,
  used: VerificationToken,
  callbackUrl: string | undefined,
): MailboxProof {
  rememberUse(auth, used, true)
  return {
    provider,
    email: used.identifier,
    account: { providerAccountId: used.identifier, type: "email", provider: provider.id },
    callbackUrl,
    deviceNames: [canonicalEmail(used.identifier)],
    restore: async () => {
      await tokenStore(auth).createVerificationToken(used)
      rememberUse(auth, used, false)
    },
  }
}

/** Generated tokens can't be guessed, and counting wrong ones would let an attacker lock out the owner. */
function guessable({ generateVerificationToken }: EmailProvider, identifier: string): readonly string[] {
  return generateVerificationToken === undefined ? [] : [emailIdentifier(identifier)]
}

function emailProvider(provider: ResolvedProvider): EmailProvider {
  if (provider.type === "email") return provider
  throw new InvalidProvider("This provider doesn't send links")
}

interface Link {
  readonly identifier: string
  readonly token: string
  readonly code: string | undefined
  readonly expires: Date
  readonly callbackUrl: string
}

/** Stores the token before sending, so a link that arrives works. If sending fails, the token is removed. */
async function send(
  auth: AuthContext,
  adapter: TokenStore,
  provider: EmailProvider,
  incoming: AuthRequest,
  { identifier, token, code, expires, callbackUrl }: Link,
): Promise<VerificationToken> {
  const url = linkTo(auth, incoming, `callback/${provider.id}`, { callbackUrl, token, email: identifier })
  const row: VerificationToken = { identifier, token: await stored(auth, provider, token), expires }
  keepSecret(incoming, token, code, row.token, url)
  try {
    if (auth.security.newestEmailLinkOnly) await adapter.deleteVerificationTokens?.(identifier)
    await adapter.createVerificationToken(row)
    const request = toRequest(incoming)
    const common = { identifier, token, code, expires, url, theme: auth.theme, request }
    const message = { ...common, provider: withUrls(provider, incoming), ...(await mailLanguage(auth, incoming)) }
    await within(timeoutMs, provider.sendVerificationRequest(message), late)
    return row
  } catch (cause) {
    await forgetToken(auth, adapter, row)
    throw new EmailSignInError(
      "Could not send the sign-in email; the cause has the error of the database or mail service",
      {
        cause,
      },
    )
  }
}

/** Auth.js v5 passes them to senders, too. */
function withUrls(provider: EmailProvider, { base }: AuthRequest): EmailProvider {
  const urls = { signinUrl: `${base}/signin/${provider.id}`, callbackUrl: `${base}/callback/${provider.id}` }
  return { ...provider, ...urls }
}

/** Never throws, so the first error is reported. A token that can't be removed expires. */
async function forgetToken(
  { logger }: AuthContext,
  adapter: TokenStore,
  { identifier, token }: VerificationToken,
): Promise<void> {
  try {
    await adapter.useVerificationToken({ identifier, token })
  } catch (cause) {
    logger.error(
      new AuthError("Could not remove the token of an email that wasn't sent; it stays valid until it expires", {
        cause,
      }),
    )
  }
}

function late(): never {
  throw new Error(`The mail service didn't answer within ${timeoutMs / 1000} seconds`)
}

function linkOf({ method, body, query }: AuthRequest): {
  token: string
  identifier: string
  callbackUrl: string | undefined
} {
  const from = (name: string) => textOf((method === "POST" ? body[name] : undefined) ?? query[name])
  const [token, identifier] = [from("token"), from("email")]
  if (
    token === undefined ||
    identifier === undefined ||
    token.length > maxLinkToken ||
    identifier.length > maxLinkEmail ||
    mayNameRecord(identifier)
  ) {
    throw new Verification("The link is incomplete. Copy the whole URL from the email, or request a new one")
  }
  return { token, identifier, callbackUrl: from("callbackUrl") }
}
