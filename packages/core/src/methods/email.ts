import { equal, sha256, toHex } from "../crypto/digest.js"
import {
  AuthError,
  EmailSignInError,
  InvalidProvider,
  MissingAdapterMethods,
  MissingCSRF,
  Verification,
} from "../errors.js"
import { clearCookie, setCookie } from "../http/cookie.js"
import { canonicalEmail, sameMailbox } from "../http/email-address.js"
import { textOf } from "../http/incoming.js"
import { page, redirect } from "../http/outcome.js"
import { resolveCallbackUrl, toRoute } from "../http/redirect.js"
import { toRequest, withRequest } from "../http/request.js"
import type { Adapter, AdapterUser, VerificationToken } from "../model/adapter.js"
import type { Auth } from "../model/auth.js"
import type { Cookie } from "../model/cookie.js"
import type { Incoming, Outcome } from "../model/http.js"
import type { EmailProvider, ResolvedProvider } from "../model/resolved-provider.js"
import type { MailboxProof, Method } from "../model/signin.js"
import { askSignIn } from "./authorize.js"
import { oneAtATime } from "./one-at-a-time.js"

type TokenStore = Adapter &
  Required<Pick<Adapter, "createVerificationToken" | "useVerificationToken" | "getUserByEmail">>

/** A mailer that hangs must not hang us. Milliseconds. */
const patience = 10_000

/** Longer than any token we make or a person would configure. */
const longestToken = 1024

/** A link sent to a mailbox (spec/flows.md §3, design decision 11). */
export const email: Method = {
  async start(auth, given, incoming) {
    const provider = emailProvider(given)
    const identifier = normalize(provider, incoming.body["email"])
    const store = tokenStore(auth)
    const found = owns(await store.getUserByEmail(identifier), identifier)
    const user = found ?? { id: auth.runtime.uuid(), email: identifier, emailVerified: null }
    const account = { providerAccountId: identifier, userId: user.id, type: "email", provider: provider.id } as const
    const question = withRequest({ user, account, email: { verificationRequest: true } }, incoming)
    const diverted = await askSignIn(auth, incoming, question)
    if (diverted !== undefined) return redirect(diverted)
    const token = (await provider.generateVerificationToken?.()) ?? toHex(auth.runtime.random(32))
    const expires = new Date(auth.runtime.now() + provider.maxAge * 1000)
    await send(auth, store, provider, incoming, { identifier: found?.email ?? identifier, token, expires })
    const bound = await bindToBrowser(incoming, token, provider.maxAge)
    return redirect(toRoute(incoming, "verify-request", { provider: provider.id, type: "email" }), [bound])
  },

  async finish(auth, given, incoming): Promise<MailboxProof | Outcome> {
    const provider = emailProvider(given)
    const { token, identifier, callbackUrl } = linkOf(incoming)
    if (incoming.method !== "POST" && !(await openedWhereAsked(incoming, token))) {
      return confirmation(incoming, { token, email: identifier, ...(callbackUrl !== undefined && { callbackUrl }) })
    }
    if (incoming.method === "POST" && !(await incoming.csrf.verified())) {
      throw new MissingCSRF("The confirmation was not sent from our page")
    }
    const store = tokenStore(auth)
    const used = await use(auth, store, provider, identifier, token)
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

  async spent(_auth, _provider, incoming) {
    const token = textOf(incoming.body["token"]) ?? textOf(incoming.query["token"])
    if (token === undefined || incoming.method === "HEAD") return []
    const name = await linkCookieName(incoming, token)
    return incoming.cookies.has(name) ? [clearCookie(linkCookie(incoming), name)] : []
  },
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
  const callbackUrl = await resolveCallbackUrl(
    auth,
    incoming,
    textOf(incoming.body["callbackUrl"]) ?? textOf(incoming.query["callbackUrl"]),
  )
  const url = toRoute(incoming, `callback/${provider.id}`, { callbackUrl, token, email: identifier })
  const stored: VerificationToken = {
    identifier,
    token: await hashToken(secretsOf(auth, provider)[0] ?? "", token),
    expires,
  }
  if (auth.security.newestEmailLinkOnly) await store.deleteVerificationTokens?.(identifier)
  await store.createVerificationToken(stored)
  try {
    const request = toRequest(incoming)
    await soon(
      provider.sendVerificationRequest({ identifier, token, expires, url, provider, theme: auth.theme, request }),
    )
  } catch (cause) {
    await store.useVerificationToken({ identifier, token: stored.token })
    throw new EmailSignInError("The sign-in message could not be sent: see the cause for what the mailer said", {
      cause,
    })
  }
}

async function soon(work: unknown): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The mailer did not answer within ${patience / 1000} seconds`)), patience)
  })
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
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

function linkCookie({ realm }: Incoming): Cookie {
  return realm.cookies.nonce
}

async function linkCookieName(incoming: Incoming, token: string): Promise<string> {
  return `${linkCookie(incoming).name}.${(await sha256(`link ${token}`)).slice(0, 16)}`
}

async function bindToBrowser(incoming: Incoming, token: string, maxAge: number) {
  const name = await linkCookieName(incoming, token)
  const sealed = await incoming.realm.vault.seal("email link", { token: await sha256(token) }, maxAge)
  return setCookie({ ...linkCookie(incoming), name }, sealed, { maxAge })
}

async function openedWhereAsked(incoming: Incoming, token: string): Promise<boolean> {
  const sealed = incoming.cookies.get(await linkCookieName(incoming, token))
  if (sealed === undefined || incoming.method === "HEAD") return false
  try {
    const { payload } = await incoming.realm.vault.open("email link", sealed)
    return payload["token"] === (await sha256(token))
  } catch {
    return false
  }
}

function secretsOf(auth: Auth, { secret }: EmailProvider): readonly string[] {
  return secret === undefined ? auth.secrets : [secret]
}

function hashToken(secret: string, token: string): string | PromiseLike<string> {
  return sha256(token + secret)
}

/** Any listed secret verifies, and so does the joined form in which an array was once hashed. */
async function use(
  auth: Auth,
  store: TokenStore,
  provider: EmailProvider,
  identifier: string,
  token: string,
): Promise<VerificationToken> {
  const secrets = secretsOf(auth, provider)
  const variants = secrets.length > 1 ? [...secrets, secrets.join(",")] : secrets
  for (const secret of variants) {
    const hash = await hashToken(secret, token)
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
