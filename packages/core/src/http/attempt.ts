import { sha256 } from "../crypto/digest.js"
import { maxAttemptBytes, maxAttemptField } from "../limits/of-input.js"
import type { AuthContext } from "../model/auth.js"
import type { SetCookie } from "../model/cookie.js"
import type { CredentialInput } from "../model/credentials-provider.js"
import type { Attempt, AuthRequest, AuthResult } from "../model/http.js"
import type { OpenedToken, TokenPayload } from "../model/session-strategy.js"
import type { ResolvedProvider } from "../model/signin.js"
import { isObject } from "../primitives/defined.js"
import { isNavigation } from "./auth-request.js"
import { clearCookie, setCookie } from "./cookie.js"

const purpose = "sign-in attempt"

/**
 * The cookie that lets the next built-in page open the form that was sent, with what the user typed. The redirect to that
 * page stays as in Auth.js v5, so nothing of this can be in its URL. The cookie grants nothing.
 */
export async function rememberAttempt(
  auth: AuthContext,
  request: AuthRequest,
  result: AuthResult,
): Promise<readonly SetCookie[]> {
  const sentAt = isEmailSent(result) ? auth.runtime.now() : undefined
  const ownPage = sentAt === undefined ? auth.pages.signIn : auth.pages.verifyRequest
  // A script of a custom page knows what the user typed, but after a reload not where the email went.
  if (request.wantsFlow === true ? sentAt === undefined : ownPage !== undefined) return []
  if (sentAt === undefined && result.kind !== "failure") return []
  const attempt = await attemptIn(auth, request)
  if (attempt === undefined) return []
  const { scheme } = request
  const again = sentAt !== undefined && isSame(attempt, await latestAttempt(auth, request))
  const content = { ...attempt, sentAt, again, browser: await browserOf(request) }
  return [setCookie(scheme.cookies.attempt, await scheme.sealer.seal(purpose, content, maxAge), { maxAge })]
}

function isSame({ provider, fields }: Attempt, latest: Attempt | undefined): boolean {
  return latest?.sentAt !== undefined && latest.provider === provider && latest.fields["email"] === fields["email"]
}

/** Seconds. */
const maxAge = 600

/** The attempt that a request makes with a form. `undefined`: another site may have sent it, or a script did. */
export async function attemptIn(auth: AuthContext, request: AuthRequest): Promise<Attempt | undefined> {
  const provider = auth.providers.get(request.providerId ?? "")
  const isForm = request.wantsFlow === true || isNavigation(request.headers)
  if (provider === undefined || request.method !== "POST" || !isForm) return undefined
  const inputs = inputsOf(provider)
  // Another site must not choose what the form contains.
  if (inputs === undefined || !(await request.csrf.verified())) return undefined
  return { provider: provider.id, fields: harmless(inputs, request.body), sentAt: undefined }
}

/** The latest attempt of this browser. `undefined`: none, or the cookie is forged, expired or of another browser. */
export async function latestAttempt(auth: AuthContext, request: AuthRequest): Promise<Attempt | undefined> {
  const sealed = request.cookies.get(request.scheme.cookies.attempt.name)
  if (sealed === undefined) return undefined
  try {
    const { payload } = await unseal(request, purpose, sealed)
    return payload["browser"] === (await browserOf(request)) ? attemptOf(auth, payload) : undefined
  } catch {
    return undefined
  }
}

/** The configuration may have changed since the cookie was sealed. */
function attemptOf(
  { providers }: AuthContext,
  { provider: id, fields, sentAt, again }: TokenPayload,
): Attempt | undefined {
  const provider = typeof id === "string" ? providers.get(id) : undefined
  const inputs = provider && inputsOf(provider)
  if (provider === undefined || inputs === undefined || !isObject(fields)) return undefined
  const sent = typeof sentAt === "number" ? sentAt : undefined
  return { provider: provider.id, fields: harmless(inputs, fields), sentAt: sent, again: again === true }
}

/** After a sign-in, the next user of the browser doesn't see what this one typed. */
export function forgetAttempt({ scheme, cookies }: AuthRequest): readonly SetCookie[] {
  const cookie = scheme.cookies.attempt
  return cookies.has(cookie.name) ? [clearCookie(cookie)] : []
}

function isEmailSent(result: AuthResult): boolean {
  return result.kind === "redirect" && result.meaning?.status === "email-sent"
}

/** The cookie is worth nothing in a browser with another CSRF cookie, so it can't be planted there. */
async function browserOf({ scheme, cookies }: AuthRequest): Promise<string> {
  const [token = ""] = cookies.get(scheme.cookies.csrfToken.name)?.split("|") ?? []
  return (await sha256(`${purpose} ${token}`)).slice(0, 32)
}

type Inputs = Readonly<Record<string, CredentialInput>>

/** The inputs of a provider's form. `undefined`: it has none. */
function inputsOf(provider: ResolvedProvider): Inputs | undefined {
  switch (provider.type) {
    case "email":
      return { email: { type: "email" } }
    case "credentials":
      return provider.credentials
    case "webauthn":
      return provider.formFields || {}
    default:
      return undefined
  }
}

/** What a form may show again: short texts of visible inputs that aren't for secrets. */
function harmless(inputs: Inputs, typed: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const kept: Record<string, string> = Object.create(null)
  let left = maxAttemptBytes
  for (const [name, input] of Object.entries(inputs)) {
    const value = Object.hasOwn(typed, name) ? typed[name] : undefined
    if (typeof value !== "string" || value === "" || value.length > maxAttemptField || isSecret(name, input)) continue
    left -= new TextEncoder().encode(name + value).length
    if (left >= 0) kept[name] = value
  }
  return kept
}

const visibleTypes: ReadonlySet<unknown> = new Set(["email", "tel", "text", "url"])
const usualNames =
  /^(?:account|domain|e-?mail|identifier|login|mobile|name|organization|phone|tel|tenant|user|user-?name)$/i
const secretWords = /pass|pwd|secret|token|code|captcha|csrf|answer|\b(?:pin|otp|totp|mfa|2fa|cvc|cvv|ssn|key)\b/i

/** An input without a type shows what's typed, and applications forget it for passwords too. */
function isSecret(name: string, { type, label, placeholder, autocomplete }: CredentialInput): boolean {
  if (type === undefined ? !usualNames.test(name) : !visibleTypes.has(type)) return true
  return [name, label, placeholder, autocomplete].some((text) => typeof text === "string" && secretWords.test(text))
}

type Opened = OpenedToken | Error | PromiseLike<OpenedToken>

const openings = new WeakMap<object, Map<string, Opened>>()

/**
 * Opens a sealed value of a request. Several steps of a flow look at the same cookie, which is opened once.
 *
 * @throws Error if none of the secrets sealed it for this purpose, or if it has expired
 */
export async function unseal(
  request: Pick<AuthRequest, "scheme">,
  purpose: string,
  token: string,
): Promise<OpenedToken> {
  const known = openings.get(request) ?? new Map<string, Opened>()
  openings.set(request, known)
  const key = `${purpose} ${token}`
  const opened = known.get(key) ?? attempt(() => request.scheme.sealer.open(purpose, token))
  known.set(key, opened)
  if (opened instanceof Error) throw opened
  return opened
}

function attempt(open: () => OpenedToken | PromiseLike<OpenedToken>): Opened {
  try {
    return open()
  } catch (cause) {
    return cause instanceof Error ? cause : new Error(String(cause))
  }
}

/** The cookie by which the built-in sign-in page marks the provider that this browser signed in with last. */
export function rememberMethod(
  { pages, providers }: AuthContext,
  request: AuthRequest,
  { id }: Pick<ResolvedProvider, "id">,
): readonly SetCookie[] {
  const cookie = request.scheme.cookies.lastUsed
  const isNews = providers.size > 1 && request.cookies.get(cookie.name) !== id
  const isShown = request.wantsFlow === true || (pages.signIn === undefined && isNavigation(request.headers))
  return isNews && isShown ? [setCookie(cookie, id)] : []
}

/** ID of the provider that this browser signed in with last, if it's still configured. */
export function lastUsedMethod({ providers }: AuthContext, { scheme, cookies }: AuthRequest): string | undefined {
  const id = cookies.get(scheme.cookies.lastUsed.name)
  return id !== undefined && providers.has(id) ? id : undefined
}
