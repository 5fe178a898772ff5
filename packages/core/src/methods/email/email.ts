import { toHex } from "../../crypto/digest.js"
import { AuthError, EmailSignInError, InvalidProvider, MissingCSRF, Verification } from "../../errors.js"
import { canonicalEmail } from "../../http/email-address.js"
import { requestedCallbackUrl, textOf } from "../../http/auth-request.js"
import { page, redirect } from "../../http/auth-result.js"
import { resolveCallbackUrl, toRoute } from "../../http/redirect.js"
import { toRequest, withRequest } from "../../http/request.js"
import { normalIdentifier } from "../../limits/identifier.js"
import { consumeAttempt } from "../../limits/limiter.js"
import { maxCodeAge } from "../../mail/code.js"
import type { VerificationToken } from "../../model/adapter.js"
import type { AuthContext, Method } from "../../model/auth.js"
import type { AuthRequest, AuthResult } from "../../model/http.js"
import type { EmailProvider } from "../../model/email-provider.js"
import type { MailboxProof, ResolvedProvider } from "../../model/signin.js"
import { within } from "../../primitives/runtime.js"
import { userWithEmail } from "../../session/stored-users.js"
import { askSignIn } from "../sign-in-callback.js"
import { isCodePosted, sixDigits, useCode } from "./code.js"
import { stored, type TokenStore, tokenStore, useToken } from "./token.js"
import { bindToBrowser, type CodeTicket, forget, isShort, openedWhereAsked, consumedLinkCookie } from "./link-cookie.js"

/** A mailer that hangs must not hang us. Milliseconds. */
const timeoutMs = 10_000

/** Longer than any token we make or a person would configure. */
const maxTokenLength = 1024

/** The callback URL of a link is remembered with its code unless it is longer than this. */
const maxCallbackUrlLength = 512

/** A link sent to a mailbox (spec/flows.md §3, design decision 11). */
export const email: Method = {
  async start(auth, given, request) {
    const provider = emailProvider(given)
    const identifier = normalize(provider, request.body["email"])
    await consumeAttempt(auth, request, { action: "email", identifiers: [normalIdentifier(identifier)] })
    const adapter = tokenStore(auth)
    const found = await userWithEmail(adapter, identifier)
    const user = found ?? { id: auth.runtime.uuid(), email: identifier, emailVerified: null }
    const account = { providerAccountId: identifier, userId: user.id, type: "email", provider: provider.id } as const
    const params = withRequest({ user, account, email: { verificationRequest: true } }, request)
    const diverted = await askSignIn(auth, request, params)
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
      callbackUrl: await resolveCallbackUrl(auth, request, requestedCallbackUrl(request)),
    }
    const row = await send(auth, adapter, provider, request, link)
    const ticket = ticketFor(auth, provider, link, row.token)
    const cookies = await bindToBrowser(auth, request, { token, maxAge, ticket })
    return redirect(toRoute(request, "verify-request", { provider: provider.id, type: "email" }), cookies)
  },

  async finish(auth, given, request): Promise<MailboxProof | AuthResult> {
    const provider = emailProvider(given)
    if (isCodePosted(request)) return finishWithCode(auth, provider, request)
    const { token, identifier, callbackUrl } = linkOf(request)
    const here = await openedWhereAsked(auth, request, token)
    if (isShort(token) && !here) throw new Verification("A short code counts only in the browser that asked for it")
    if (request.method !== "POST" && !here) {
      const to = callbackUrl === undefined ? {} : { callbackUrl: await resolveCallbackUrl(auth, request, callbackUrl) }
      return confirmation(request, { token, email: identifier, ...to })
    }
    if (request.method === "POST" && !(await request.csrf.verified())) {
      throw new MissingCSRF("The confirmation wasn't sent from this site, or its CSRF token is missing or expired")
    }
    const giveBack = await consumeAttempt(auth, request, {
      action: "link",
      identifiers: guessable(provider, identifier),
    })
    const used = await useToken(auth, provider, identifier, token)
    await giveBack()
    return proofOf(auth, provider, used, callbackUrl)
  },

  async consumedCookies(auth, _provider, request) {
    const token = textOf(request.body["token"]) ?? textOf(request.query["token"])
    return token === undefined ? [] : consumedLinkCookie(auth, request, token)
  },
}

/** Signs in as the link would have; a code that does not count leads back to where it was typed, and not into an address. */
async function finishWithCode(
  auth: AuthContext,
  provider: EmailProvider,
  request: AuthRequest,
): Promise<MailboxProof | AuthResult> {
  try {
    const { used, link, ticket } = await useCode(auth, provider, request)
    const callbackUrl = ticket.callbackUrl ?? textOf(request.body["callbackUrl"])
    return { ...proofOf(auth, provider, used, callbackUrl), consumedCookies: [forget(request, link.cookie)] }
  } catch (error) {
    if (!(error instanceof Verification)) throw error
    await auth.events.signInFailure(withRequest({ error, provider: provider.id }, request))
    const params = { provider: provider.id, type: "email", error: "Verification" }
    return redirect(toRoute(request, "verify-request", params))
  }
}

function proofOf(
  auth: AuthContext,
  provider: EmailProvider,
  used: VerificationToken,
  callbackUrl: string | undefined,
): MailboxProof {
  return {
    kind: "mailbox",
    provider,
    email: used.identifier,
    account: { providerAccountId: used.identifier, type: "email", provider: provider.id },
    callbackUrl,
    restore: async () => {
      await tokenStore(auth).createVerificationToken(used)
    },
  }
}

/** Our own tokens cannot be guessed: to count wrong ones would only help whoever wants to keep the owner out. */
function guessable({ generateVerificationToken }: EmailProvider, identifier: string): readonly string[] {
  return generateVerificationToken === undefined ? [] : [normalIdentifier(identifier)]
}

function emailProvider(provider: ResolvedProvider): EmailProvider {
  if (provider.type === "email") return provider
  throw new InvalidProvider("This provider does not send links")
}

function normalize({ normalizeIdentifier }: EmailProvider, typed: unknown): string {
  try {
    if (typeof typed !== "string") throw new Error("No e-mail address was sent: send it as `email`")
    const normal: unknown = (normalizeIdentifier ?? canonicalEmail)(typed)
    if (typeof normal === "string" && normal !== "") return normal
    throw new Error("normalizeIdentifier returned no text: return the canonical address")
  } catch (cause) {
    throw cause instanceof AuthError ? cause : new EmailSignInError("The e-mail address was refused", { cause })
  }
}

interface Link {
  readonly identifier: string
  readonly token: string
  readonly code: string | undefined
  readonly expires: Date
  readonly callbackUrl: string
}

/** Stores first, then sends: a link that arrives works. A message that could not be sent leaves nothing behind. */
async function send(
  auth: AuthContext,
  adapter: TokenStore,
  provider: EmailProvider,
  incoming: AuthRequest,
  { identifier, token, code, expires, callbackUrl }: Link,
): Promise<VerificationToken> {
  const url = toRoute(incoming, `callback/${provider.id}`, { callbackUrl, token, email: identifier })
  const row: VerificationToken = { identifier, token: await stored(auth, provider, token), expires }
  try {
    if (auth.security.newestEmailLinkOnly) await adapter.deleteVerificationTokens?.(identifier)
    await adapter.createVerificationToken(row)
    const request = toRequest(incoming)
    const message = { identifier, token, code, expires, url, provider, theme: auth.theme, request }
    await within(timeoutMs, provider.sendVerificationRequest(message), late)
    return row
  } catch (cause) {
    await forgetToken(auth, adapter, row)
    throw new EmailSignInError(
      "The sign-in message could not be sent: see the cause for what the store or mailer said",
      {
        cause,
      },
    )
  }
}

function ticketFor(
  { runtime }: AuthContext,
  provider: EmailProvider,
  { identifier, code, expires, callbackUrl }: Link,
  stored: string,
): CodeTicket | undefined {
  if (code === undefined) return undefined
  const ends = Math.min(expires.getTime(), runtime.now() + maxCodeAge * 1000)
  const kept = callbackUrl.length <= maxCallbackUrlLength ? callbackUrl : undefined
  return { provider: provider.id, identifier, stored, code, ends, callbackUrl: kept }
}

/** The first fault is the one to tell the person; a token that stays expires. */
async function forgetToken(
  { logger }: AuthContext,
  adapter: TokenStore,
  { identifier, token }: VerificationToken,
): Promise<void> {
  try {
    await adapter.useVerificationToken({ identifier, token })
  } catch (cause) {
    logger.error(new AuthError("The token of a message that was not sent could not be removed: it expires", { cause }))
  }
}

function late(): never {
  throw new Error(`The mailer did not answer within ${timeoutMs / 1000} seconds`)
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
    token.length > maxTokenLength ||
    identifier.length > maxTokenLength
  ) {
    throw new Verification("The link is incomplete: copy the whole address from the message, or ask for a new one")
  }
  return { token, identifier, callbackUrl: from("callbackUrl") }
}

/** Mail scanners and other devices get a page with a button: only a person posts. */
async function confirmation(request: AuthRequest, fields: Record<string, string>): Promise<AuthResult> {
  const { value: csrfToken, cookies } = await request.csrf.token()
  const action = `${request.base}/callback/${request.providerId}`
  return page({ name: "confirm-email", action, fields, csrfToken }, cookies)
}
