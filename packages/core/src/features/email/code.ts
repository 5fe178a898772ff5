import { equal } from "../../crypto/digest.js"
import { Verification } from "../../errors.js"
import { requireOwn } from "../../http/csrf.js"
import { textOf } from "../../http/auth-request.js"
import { canonicalEmail } from "../../http/email-address.js"
import { toRoute } from "../../http/redirect.js"
import { emailIdentifier } from "../../limits/one-spelling.js"
import { consumeAttempt } from "../../limits/attempts.js"
import { maxTypedCode } from "../../limits/of-input.js"
import type { VerificationToken } from "../../model/adapter.js"
import type { AuthContext } from "../../model/auth.js"
import type { EmailProvider } from "../../model/email-provider.js"
import type { AuthRequest, CodeForm } from "../../model/http.js"
import { keepSecret } from "../../observability/in-flight.js"
import { once } from "../../primitives/awaitable.js"
import { linksAskedFor, maxTries, triesOf, tryCode } from "./link-cookie.js"
import { type AskedLink, type CodeTicket, hasEnded } from "./sent-links.js"
import { linkState } from "./token.js"
import { resendAfter } from "./resend.js"
import type { EmailSentStep } from "../../model/flow.js"

/** Six random digits. With 2⁴⁸ random values the bias of the remainder is negligible. */
export function sixDigits(random: (bytes: number) => Uint8Array): string {
  const number = random(6).reduce((sum, byte) => sum * 256 + byte, 0)
  return String(number % 1_000_000).padStart(6, "0")
}

/** The typed or pasted code without spaces and dashes, with Arabic-Indic digits as ASCII. */
export function plainCode(typed: string): string {
  if (typed.length > maxTypedCode) return ""
  return typed
    .normalize("NFKC")
    .replace(/[\s\p{Pd}\p{Cf}]/gu, "")
    .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 0x0f))
}

/** What a field for a code has to know, as the user may type it. */
export function shapeOf(code: string): { readonly length: number; readonly digits: boolean } {
  const plain = plainCode(code)
  return { length: plain.length, digits: /^\d+$/.test(plain) }
}

export function isCodePosted({ method, body, query }: AuthRequest): boolean {
  return method === "POST" && "code" in body && body["token"] === undefined && query["token"] === undefined
}

export interface RightCode {
  readonly used: VerificationToken
  readonly link: AskedLink
  readonly ticket: CodeTicket
}

/**
 * Consumes the link that a code belongs to, in the browser that requested it. A wrong code, an expired one, one that was
 * tried too often and a missing link all get the same response, so an attacker learns nothing.
 *
 * @throws MissingCSRF if the form wasn't sent from this site
 * @throws RateLimited
 * @throws Verification
 */
export async function consumeCode(
  auth: AuthContext,
  provider: EmailProvider,
  request: AuthRequest,
): Promise<RightCode> {
  await requireOwn(request, "code")
  const typed = plainCode(textOf(request.body["code"]) ?? "")
  keepSecret(request, typed)
  const open = once(() => openCodes(auth, provider, request))
  const identifiers = async () => (await open()).map(({ ticket }) => emailIdentifier(ticket.identifier))
  const deviceNames = async () => (await open()).map(({ ticket }) => canonicalEmail(ticket.identifier))
  const refund = await consumeAttempt(auth, request, { action: "link", identifiers, deviceNames })
  // Counts and compares every code, so the time of the response doesn't tell which one is right.
  const compared = (await open()).map((each) => ({ ...each, isRight: equal(plainCode(each.ticket.code), typed) }))
  const right = typed === "" ? undefined : compared.find(({ isRight }) => isRight)
  let used: VerificationToken | undefined
  for (const each of compared) used = (await tryCode(auth, each.link, each === right)) ?? used
  if (right === undefined || used === undefined)
    throw new Verification("The code is wrong or no longer valid. Request a new one")
  await refund()
  return { link: right.link, ticket: right.ticket, used }
}

interface OpenCode {
  readonly link: AskedLink
  readonly ticket: CodeTicket
}

/** A user may request links for different mailboxes in several tabs. More would only help an attacker to guess. */
const maxMailboxes = 3

/** The newest code of each mailbox that this browser requested a link for. */
async function openCodes(
  auth: AuthContext,
  provider: EmailProvider,
  request: AuthRequest,
): Promise<readonly OpenCode[]> {
  const newest = new Map<string, OpenCode>()
  for (const code of await requestedCodes(provider, request)) {
    const { identifier, ends } = code.ticket
    if (!newest.has(identifier) && ends > auth.runtime.now()) newest.set(identifier, code)
  }
  return [...newest.values()].slice(0, maxMailboxes)
}

/** Newest first. */
async function requestedCodes(provider: EmailProvider, request: AuthRequest): Promise<readonly OpenCode[]> {
  const links = await linksAskedFor(request)
  return links.flatMap(({ ticket, ...link }) =>
    ticket?.provider === provider.id ? [{ link: { ...link, ticket }, ticket }] : [],
  )
}

/** The form for the code. `undefined`: this browser requested none. `"ended"`: none works anymore. */
export async function codeForm(
  auth: AuthContext,
  request: AuthRequest,
): Promise<Omit<CodeForm, "csrfToken"> | "ended" | undefined> {
  const provider = auth.providers.get(request.query["provider"] ?? "")
  if (provider?.type !== "email") return undefined
  const open = await usableCodes(auth, provider, request)
  const [next] = open
  if (next === undefined) return (await requestedCodes(provider, request)).length === 0 ? undefined : "ended"
  const shapes = open.map(({ ticket }) => shapeOf(ticket.code))
  const lengths = new Set(shapes.map(({ length }) => length))
  return {
    action: toRoute(request, `callback/${provider.id}`),
    callbackUrl: next.ticket.callbackUrl ?? request.cookies.get(request.scheme.cookies.callbackUrl.name),
    digits: shapes.every(({ digits }) => digits),
    length: lengths.size === 1 ? [...lengths][0] : undefined,
    longest: Math.max(...lengths),
  }
}

/** Without those that were used or tried too often, as far as the adapter or this process can tell. */
async function usableCodes(
  auth: AuthContext,
  provider: EmailProvider,
  request: AuthRequest,
): Promise<readonly OpenCode[]> {
  const open = (await openCodes(auth, provider, request)).filter(({ link }) => triesOf(auth, link) < maxTries)
  const states = await Promise.all(open.map((code) => stateOfCode(auth, code)))
  return open.filter((_, index) => states[index] === "open" || states[index] === "unknown")
}

/** The page right after the request costs no query. Seconds. */
const fresh = 10

async function stateOfCode(auth: AuthContext, { link, ticket }: OpenCode): ReturnType<typeof linkState> {
  const row = { identifier: ticket.identifier, token: ticket.stored }
  const isFresh = auth.runtime.now() / 1000 < link.asked + fresh
  return isFresh && !hasEnded(auth, row) ? "unknown" : linkState(auth, row)
}

interface Sent {
  /** As the user typed it. How the database spells it would tell that there's an account. */
  readonly email: string
  readonly code: string | undefined
  /** Seconds. */
  readonly expiresIn: number
}

/** What a flow learns about an email that was sent: nothing about whether there's an account. */
export function sentStep(
  request: AuthRequest,
  { id }: EmailProvider,
  { email, code, expiresIn }: Sent,
): Omit<EmailSentStep, "url"> {
  const sent = { status: "email-sent", email, provider: id, expiresIn, resendIn: resendAfter } as const
  return code === undefined ? sent : { ...sent, code: { ...shapeOf(code), url: toRoute(request, `callback/${id}`) } }
}
