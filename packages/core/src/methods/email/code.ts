import { equal } from "../../crypto/digest.js"
import { MissingCSRF, Verification } from "../../errors.js"
import { textOf } from "../../http/auth-request.js"
import { normalIdentifier } from "../../limits/identifier.js"
import { consumeAttempt } from "../../limits/limiter.js"
import type { VerificationToken } from "../../model/adapter.js"
import type { AuthContext } from "../../model/auth.js"
import type { CodeForm, AuthRequest } from "../../model/http.js"
import type { EmailProvider } from "../../model/email-provider.js"
import { type AskedLink, type CodeTicket, countTry, linksAskedFor, maxTries, triesOf } from "./link-cookie.js"
import { useStored } from "./token.js"

/** Six digits, each as likely as any other: what is left over of 2⁴⁸ weighs nothing. */
export function sixDigits(random: (bytes: number) => Uint8Array): string {
  const number = random(6).reduce((sum, byte) => sum * 256 + byte, 0)
  return String(number % 1_000_000).padStart(6, "0")
}

/** What was typed or pasted, without the spaces and dashes that people read codes with, and in our digits. */
export function plainCode(typed: string): string {
  return typed
    .normalize("NFKC")
    .replace(/[\s\p{Pd}\p{Cf}]/gu, "")
    .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 0x0f))
}

/** Whether a code was posted instead of a link. */
export function isCodePosted({ method, body, query }: AuthRequest): boolean {
  return method === "POST" && "code" in body && body["token"] === undefined && query["token"] === undefined
}

export interface RightCode {
  readonly used: VerificationToken
  readonly link: AskedLink
  readonly ticket: CodeTicket
}

/**
 * Uses up the link whose code was typed in the browser that asked for it. Whether there is such a link, whether the
 * code is wrong, late or tried too often: the answer is the same.
 *
 * @throws MissingCSRF when the form was not sent from one of our pages
 * @throws RateLimited
 * @throws Verification
 */
export async function useCode(auth: AuthContext, provider: EmailProvider, request: AuthRequest): Promise<RightCode> {
  if (!(await request.csrf.verified()))
    throw new MissingCSRF("The code wasn't sent from this site, or its CSRF token is missing or expired")
  const typed = plainCode(textOf(request.body["code"]) ?? "")
  const open = await openCodes(auth, provider, request)
  const identifiers = open.map(({ ticket }) => normalIdentifier(ticket.identifier))
  const giveBack = await consumeAttempt(auth, request, { action: "link", identifiers })
  // Each is counted and compared, whichever is right: no answer is quicker than another.
  const right = open.filter(({ link, ticket }) => {
    const counts = countTry(auth, link)
    return equal(plainCode(ticket.code), typed) && counts
  })
  const [found] = right
  if (found === undefined || typed === "")
    throw new Verification("The code is wrong or no longer valid: ask for a new one")
  const used = await useStored(auth, found.ticket.identifier, found.ticket.stored)
  await giveBack()
  return { ...found, used }
}

interface OpenCode {
  readonly link: AskedLink
  readonly ticket: CodeTicket
}

/** In two or three tabs people do ask for different mailboxes; more would only help to guess. */
const maxMailboxes = 3

/** The newest code of each mailbox for which this browser may type one. */
async function openCodes(
  auth: AuthContext,
  provider: EmailProvider,
  request: AuthRequest,
): Promise<readonly OpenCode[]> {
  const newest = new Map<string, OpenCode>()
  for (const link of await linksAskedFor(request)) {
    const { ticket } = link
    if (ticket === undefined || ticket.provider !== provider.id || newest.has(ticket.identifier)) continue
    if (ticket.ends > auth.runtime.now()) newest.set(ticket.identifier, { link, ticket })
  }
  return [...newest.values()].slice(0, maxMailboxes)
}

/** The form for the code, where this browser has something to type it for. */
export async function codeForm(
  auth: AuthContext,
  request: AuthRequest,
): Promise<Omit<CodeForm, "csrfToken"> | undefined> {
  const provider = auth.providers.get(request.query["provider"] ?? "")
  if (provider?.type !== "email") return undefined
  const open = await openCodes(auth, provider, request)
  const [next] = open.filter(({ link }) => triesOf(auth, link) < maxTries)
  if (next === undefined) return undefined
  return {
    action: `${request.base}/callback/${provider.id}`,
    callbackUrl: next.ticket.callbackUrl ?? request.cookies.get(request.scheme.cookies.callbackUrl.name),
    digits: open.every(({ ticket }) => /^\d+$/.test(ticket.code)),
  }
}
