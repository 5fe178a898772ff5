import { authenticate, equal, sha256, toHex } from "../crypto/digest.js"
import {
  AuthError,
  EmailSignInError,
  InvalidProvider,
  MissingAdapterMethods,
  MissingCSRF,
  Verification,
} from "../errors.js"
import { canonicalEmail, sameMailbox } from "../http/email-address.js"
import { askedUrl, textOf } from "../http/incoming.js"
import { page, redirect } from "../http/outcome.js"
import { resolveCallbackUrl, toRoute } from "../http/redirect.js"
import { toRequest, withRequest } from "../http/request.js"
import { normalIdentifier } from "../limits/identifier.js"
import { spend } from "../limits/limiter.js"
import type { Adapter, AdapterUser, VerificationToken } from "../model/adapter.js"
import type { Auth } from "../model/auth.js"
import type { Incoming, Outcome } from "../model/http.js"
import type { EmailProvider, ResolvedProvider } from "../model/resolved-provider.js"
import type { MailboxProof, Method } from "../model/signin.js"
import { within } from "../runtime.js"
import { askSignIn } from "./authorize.js"
import { bindToBrowser, isShort, openedWhereAsked, spentLinkCookie } from "./link-cookie.js"
import { oneAtATime } from "./one-at-a-time.js"

type TokenStore = Adapter &
  Required<Pick<Adapter, "createVerificationToken" | "useVerificationToken" | "getUserByEmail">>

/** A mailer that hangs must not hang us. Milliseconds. */
const patience = 10_000

/** Longer than any token we make or a person would configure. */
const longestToken = 1024

/** Seconds that a code lives which could be guessed. */
const shortLife = 600

/** A link sent to a mailbox (spec/flows.md §3, design decision 11). */
export const email: Method = {
  async start(auth, given, incoming) {
    const provider = emailProvider(given)
    const identifier = normalize(provider, incoming.body["email"])
    await spend(auth, incoming, { action: "email", identifiers: [normalIdentifier(identifier)] })
    const store = tokenStore(auth)
    const found = owns(await store.getUserByEmail(identifier), identifier)
    const user = found ?? { id: auth.runtime.uuid(), email: identifier, emailVerified: null }
    const account = { providerAccountId: identifier, userId: user.id, type: "email", provider: provider.id } as const
    const question = withRequest({ user, account, email: { verificationRequest: true } }, incoming)
    const diverted = await askSignIn(auth, incoming, question)
    if (diverted !== undefined) return redirect(diverted)
    const token = (await provider.generateVerificationToken?.()) ?? toHex(auth.runtime.random(32))
    const maxAge = isShort(token) ? Math.min(provider.maxAge, shortLife) : provider.maxAge
    const expires = new Date(auth.runtime.now() + maxAge * 1000)
    await send(auth, store, provider, incoming, { identifier: found?.email ?? identifier, token, expires })
    const bound = await bindToBrowser(auth, incoming, token, maxAge)
    return redirect(toRoute(incoming, "verify-request", { provider: provider.id, type: "email" }), [bound])
  },

  async finish(auth, given, incoming): Promise<MailboxProof | Outcome> {
    const provider = emailProvider(given)
    const { token, identifier, callbackUrl } = linkOf(incoming)
    const here = await openedWhereAsked(auth, incoming, token)
    if (isShort(token) && !here) throw new Verification("A short code counts only in the browser that asked for it")
    if (incoming.method !== "POST" && !here) {
      const to = callbackUrl === undefined ? {} : { callbackUrl: await resolveCallbackUrl(auth, incoming, callbackUrl) }
      return confirmation(incoming, { token, email: identifier, ...to })
    }
    if (incoming.method === "POST" && !(await incoming.csrf.verified())) {
      throw new MissingCSRF("The confirmation was not sent from our page")
    }
    const store = tokenStore(auth)
    const giveBack = await spend(auth, incoming, { action: "link", identifiers: guessable(provider, identifier) })
    const used = await use(auth, store, provider, identifier, token)
    await giveBack()
    return {
      kind: "mailbox",
      provider,
      email: used.identifier,
      account: { providerAccountId: used.identifier, type: "email", provider: provider.id },
      callbackUrl,
      restore: async () => {
        await store.createVerificationToken(used)
      },
    }
  },

  async spent(auth, _provider, incoming) {
    const token = textOf(incoming.body["token"]) ?? textOf(incoming.query["token"])
    return token === undefined ? [] : spentLinkCookie(auth, incoming, token)
  },
}

/** Our own tokens cannot be guessed: to count wrong ones would only help whoever wants to keep the owner out. */
function guessable({ generateVerificationToken }: EmailProvider, identifier: string): readonly string[] {
  return generateVerificationToken === undefined ? [] : [normalIdentifier(identifier)]
}

function emailProvider(provider: ResolvedProvider): EmailProvider {
  if (provider.type === "email") return provider
  throw new InvalidProvider("This provider does not send links")
}

function tokenStore({ store }: Auth): TokenStore {
  if (store?.createVerificationToken && store.useVerificationToken && store.getUserByEmail) return store as TokenStore
  throw new MissingAdapterMethods(
    "E-mail sign-in needs an adapter with createVerificationToken, useVerificationToken and getUserByEmail",
  )
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

/** A database that compares loosely may answer with somebody else's look-alike address. */
function owns(user: AdapterUser | null, identifier: string): AdapterUser | null {
  return user !== null && user !== undefined && sameMailbox(user.email, identifier) ? user : null
}

interface Link {
  readonly identifier: string
  readonly token: string
  readonly expires: Date
}

/** Stores first, then sends: a link that arrives works. A message that could not be sent leaves nothing behind. */
async function send(
  auth: Auth,
  store: TokenStore,
  provider: EmailProvider,
  incoming: Incoming,
  link: Link,
): Promise<void> {
  const { identifier, token, expires } = link
  const callbackUrl = await resolveCallbackUrl(auth, incoming, askedUrl(incoming))
  const url = toRoute(incoming, `callback/${provider.id}`, { callbackUrl, token, email: identifier })
  const [hashOf = sha256] = hashes(auth, provider)
  const stored: VerificationToken = { identifier, token: await hashOf(token), expires }
  try {
    if (auth.security.newestEmailLinkOnly) await store.deleteVerificationTokens?.(identifier)
    await store.createVerificationToken(stored)
    const request = toRequest(incoming)
    const message = { identifier, token, expires, url, provider, theme: auth.theme, request }
    await within(patience, provider.sendVerificationRequest(message), late)
  } catch (cause) {
    await forget(auth, store, stored)
    throw new EmailSignInError(
      "The sign-in message could not be sent: see the cause for what the store or mailer said",
      {
        cause,
      },
    )
  }
}

/** The first fault is the one to tell the person; a token that stays expires. */
async function forget({ logger }: Auth, store: TokenStore, { identifier, token }: VerificationToken): Promise<void> {
  try {
    await store.useVerificationToken({ identifier, token })
  } catch (cause) {
    logger.error(new AuthError("The token of a message that was not sent could not be removed: it expires", { cause }))
  }
}

function late(): never {
  throw new Error(`The mailer did not answer within ${patience / 1000} seconds`)
}

function linkOf({ method, body, query }: Incoming): {
  token: string
  identifier: string
  callbackUrl: string | undefined
} {
  const from = (name: string) => textOf((method === "POST" ? body[name] : undefined) ?? query[name])
  const [token, identifier] = [from("token"), from("email")]
  if (
    token === undefined ||
    identifier === undefined ||
    token.length > longestToken ||
    identifier.length > longestToken
  ) {
    throw new Verification("The link is incomplete: copy the whole address from the message, or ask for a new one")
  }
  return { token, identifier, callbackUrl: from("callbackUrl") }
}

/** Mail scanners and other devices get a page with a button: only a person posts. */
async function confirmation(incoming: Incoming, fields: Record<string, string>): Promise<Outcome> {
  const { value: csrfToken, cookies } = await incoming.csrf.token()
  const action = `${incoming.base}/callback/${incoming.providerId}`
  return page({ name: "confirm-email", action, fields, csrfToken }, cookies)
}

/**
 * How a token may stand in the store; the first is how we put it there. Any listed secret verifies, and so does the
 * joined form in which an array was once hashed.
 */
function hashes({ secrets: common, security }: Auth, { secret: own }: EmailProvider) {
  const secrets = own === undefined ? common : [own]
  const plain = (secret: string) => async (token: string) => sha256(token + secret)
  const keyed = (secret: string) => async (token: string) => authenticate(secret, "email link", token)
  const joined = secrets.length > 1 ? [plain(secrets.join(","))] : []
  return security.keyPerPurpose
    ? [...secrets.map(keyed), ...secrets.map(plain), ...joined]
    : [...secrets.map(plain), ...joined]
}

async function use(
  auth: Auth,
  store: TokenStore,
  provider: EmailProvider,
  identifier: string,
  token: string,
): Promise<VerificationToken> {
  for (const hashOf of hashes(auth, provider)) {
    const hash = await hashOf(token)
    const invite = await oneAtATime(auth, hash, async () => store.useVerificationToken({ identifier, token: hash }))
    if (invite === null || invite === undefined) continue
    return checked(invite, identifier, hash, auth.runtime.now())
  }
  throw new Verification("The link was used already or is unknown: ask for a new one", {
    hasInvite: false,
    expired: false,
  })
}

/** Checked here and not only by the store: not every adapter keeps these promises. */
function checked(invite: VerificationToken, identifier: string, hash: string, now: number): VerificationToken {
  const expires = new Date(invite.expires)
  // Not every adapter returns the token that it was asked for.
  const foreign = "token" in invite && typeof invite.token === "string" && !equal(invite.token, hash)
  if (invite.identifier !== identifier || foreign) {
    const details = { hasInvite: true, expired: false }
    throw new Verification("The link belongs to another address: ask for a new one", details)
  }
  if (!(expires.getTime() > now)) {
    throw new Verification("The link has expired: ask for a new one", { hasInvite: true, expired: true })
  }
  return { identifier, token: hash, expires }
}
