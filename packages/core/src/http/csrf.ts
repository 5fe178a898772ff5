import { authenticate, equal, sha256, toHex } from "../crypto/digest.js"
import { MissingCSRF } from "../errors.js"
import { maxOrigin } from "../limits/of-input.js"
import type { AuthContext } from "../model/auth.js"
import type { AuthRequest, Csrf, SessionRequest, Visitor } from "../model/http.js"
import { isHostOnly, setCookie } from "./cookie.js"

/**
 * Two layers against forged requests: the headers that browsers set, and a token that only pages of this site know (signed
 * double submit). A token counts only in the browser that got it: no other host can set a `__Host-` cookie, and under another
 * name the cookie is bound to the user who was signed in. Without either, the headers have to show that this site sent the
 * form. They're enough alone under `skipCSRFCheck`, where the application checks a token of its own.
 */
export function csrfOf(auth: AuthContext, request: SessionRequest, body: AuthRequest["body"]): Csrf {
  const { csrfToken: cookie } = request.scheme.cookies
  const isSkipped = auth.skipsCsrfCheck
  const known = memo(() => knownToken(auth, request.cookies.get(cookie.name)))
  const binding = memo(() => (isHostOnly(cookie) ? undefined : auth.csrfBinding(auth, request)))
  const isBound = async ({ token, marks }: KnownToken) =>
    isHostOnly(cookie) || isMarked(auth, `${(await binding()) ?? ""} ${token}`, marks)
  const isLenient = !auth.security.listedOriginsOnly
  // Every browser names the sender of a POST. Without a session, a form of another client gains an attacker nothing.
  const needsNoBinding = async (sender: Sender) => (sender === "silent" || isLenient) && (await binding()) === undefined

  return {
    async verified() {
      const sender = senderOf(auth, request)
      if (sender === "foreign") return false
      if (isSkipped) return sender === "own" || (sender === "silent" && isLenient)
      const token = await known()
      if (token === undefined || !isEqual(body["csrfToken"], token.token)) return false
      return sender === "own" || (await isBound(token)) || needsNoBinding(sender)
    },
    async token() {
      if (isSkipped) return { value: undefined, cookies: [] }
      const token = await known()
      const user = await binding()
      if (token !== undefined && (!isUser(user) || (await isBound(token)))) return { value: token.token, cookies: [] }
      const value = await newToken(auth, request)
      return { value, cookies: [setCookie(cookie, await signed(auth, value, user))] }
    },
  }
}

/**
 * @param sent what the request has sent, for the log
 * @throws MissingCSRF if this site didn't send it
 */
export async function requireOwn({ csrf }: Pick<AuthRequest, "csrf">, sent = "form"): Promise<void> {
  if (!(await csrf.verified()))
    throw new MissingCSRF(`The ${sent} wasn't sent from this site, or its CSRF token is missing or expired`)
}

/** The forms of a framework have no token of ours. */
export function csrfBySender(auth: AuthContext, request: SessionRequest): Csrf {
  return csrfOf({ ...auth, skipsCsrfCheck: true }, request, {})
}

/** For calls of the application's own code. */
export const trustedCsrf: Csrf = {
  verified: () => true,
  token: () => ({ value: undefined, cookies: [] }),
}

/**
 * After a sign-in, a page may send several requests at once. With a random token for each, only the last would be that of the
 * cookie. So a browser with a session gets one that follows from its session cookie.
 */
async function newToken({ runtime, secrets }: AuthContext, { scheme, cookies }: SessionRequest): Promise<string> {
  const { name } = scheme.cookies.sessionToken
  const session = [...cookies].filter(([each]) => each === name || each.startsWith(`${name}.`))
  if (session.length === 0) return toHex(runtime.random(32))
  return authenticate(secrets[0] ?? "", "csrf token of a session", JSON.stringify(session))
}

function isEqual(sent: unknown, token: string): boolean {
  return typeof sent === "string" && equal(sent, token)
}

/** Whether a token can be bound to this. */
function isUser(binding: string | undefined): binding is string {
  return binding !== undefined && binding !== ""
}

function memo<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}

interface KnownToken {
  readonly token: string
  /** Everything that follows the token in its cookie. */
  readonly marks: readonly string[]
}

async function knownToken(auth: AuthContext, cookie: string | undefined): Promise<KnownToken | undefined> {
  const [token, ...marks] = cookie?.split("|") ?? []
  if (token === undefined || !isHash(token) || marks.length > 3) return undefined
  if (marks[2] !== undefined && !isHash(marks[2])) return undefined
  for (const hashOf of hashes(auth)) {
    const expected = await hashOf(token)
    if (marks.some((hash) => equal(hash, expected))) return { token, marks }
  }
  return undefined
}

function isHash(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text)
}

/** Whether one of the secrets made one of the marks for this text. */
async function isMarked({ secrets }: AuthContext, text: string, marks: readonly string[]): Promise<boolean> {
  for (const secret of secrets) {
    const expected = await authenticate(secret, bound, text)
    if (marks.some((mark) => equal(mark, expected))) return true
  }
  return false
}

const bound = "csrf of a user"

type Hash = (token: string) => string | PromiseLike<string>

const plain =
  (secret: string): Hash =>
  (token) =>
    sha256(token + secret)

/** Auth.js v5 joins several secrets, and accepts no other hash. It ignores a third part. */
function joined({ secrets }: AuthContext): readonly Hash[] {
  return secrets.length > 1 ? [plain(secrets.join(","))] : []
}

/** The hashes that may sign a token. Each configured secret works. */
function hashes(auth: AuthContext): readonly Hash[] {
  const { secrets, security } = auth
  const keyed = secrets.map(
    (secret): Hash =>
      (token) =>
        authenticate(secret, "csrf", token),
  )
  return [...(security.keyPerPurpose ? keyed : []), ...secrets.map(plain), ...joined(auth)]
}

/**
 * The value of a new cookie: token, hash, and the mark that binds them to a user. If there are several secrets, the hash that
 * Auth.js accepts comes first, and the hash with the newest secret follows, which stays valid when the others are removed.
 */
async function signed(auth: AuthContext, token: string, binding: string | undefined): Promise<string> {
  const shared = auth.security.keyPerPurpose ? [] : joined(auth)
  const parts = [...shared, ...hashes(auth).slice(0, 1)].map(async (hashOf) => hashOf(token))
  const marks = !isUser(binding) ? [] : [authenticate(auth.secrets[0] ?? "", bound, `${binding} ${token}`)]
  return [token, ...(await Promise.all([...parts, ...marks]))].join("|")
}

/**
 * Who sent a form, according to `Sec-Fetch-Site` and `Origin`. `"silent"`: it has neither, so no browser sent it. `"hidden"`:
 * they don't tell, so the token has to.
 */
type Sender = "own" | "foreign" | "silent" | "hidden"

function senderOf(auth: AuthContext, request: SessionRequest): Sender {
  const { headers, origin } = request
  const sender = headers.get("origin")
  switch (headers.get("sec-fetch-site")) {
    case "same-origin":
    case "none":
      return "own"
    case "same-site":
      if (sender === null) return "hidden"
      return sender === origin && !auth.skipsCsrfCheck ? "own" : "foreign"
    case null:
      return sender === null ? "silent" : senderByOrigin(auth, request, sender)
    default:
      return "foreign"
  }
}

/**
 * For a call that an integration makes for a request. A page that was opened from another site may change the session.
 *
 * @throws MissingCSRF if another site sent a form
 */
export function assertOwnForm(auth: AuthContext, { method = "GET" }: Visitor, request: SessionRequest): void {
  const isForm = method !== "GET" && method !== "HEAD"
  if (isForm && senderOf(auth, request) === "foreign")
    throw new MissingCSRF("Another site sent the request, so it can't change the session or the account")
}

/** For browsers that don't send `Sec-Fetch-Site`, and over plain http. */
function senderByOrigin({ security, skipsCsrfCheck }: AuthContext, request: SessionRequest, sender: string): Sender {
  const { origin } = request
  if (sender === origin) return "own"
  if (skipsCsrfCheck) return "foreign"
  // Pages with `Referrer-Policy: no-referrer` send `Origin: null`. Over https, browsers add `Sec-Fetch-Site`. Over plain http
  // they don't, and Auth.js v5 only checks the token.
  if (sender === "null") return !security.listedOriginsOnly && isPlain(origin) ? "hidden" : "foreign"
  return namesHost(sender, request) ? "own" : "foreign"
}

/** Behind a proxy that hides the public host, the `Host` header of the browser tells it. */
function namesHost(sender: string, { headers, origin }: SessionRequest): boolean {
  if (sender.length > maxOrigin || !URL.canParse(sender)) return false
  const { host } = new URL(sender)
  const isDowngrade = isPlain(sender) && !isPlain(origin)
  return !isDowngrade && [headers.get("x-forwarded-host"), headers.get("host")].includes(host)
}

function isPlain(url: string): boolean {
  return new URL(url).protocol === "http:"
}
