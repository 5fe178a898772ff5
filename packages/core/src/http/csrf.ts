import { authenticate, equal, sha256, toHex } from "../crypto/digest.js"
import { MissingCSRF } from "../errors.js"
import { maxOrigin } from "../limits/of-input.js"
import type { AuthContext } from "../model/auth.js"
import type { Cookie } from "../model/cookie.js"
import type { AuthRequest, Csrf, SessionRequest, Visitor } from "../model/http.js"
import { isHostOnly, setCookie } from "./cookie.js"

/**
 * Two layers against forged requests: the headers that browsers set, and a token that only pages of this site know (signed
 * double submit). A token counts only in the browser that got it: no other host can set a `__Host-` cookie, and under another
 * name the cookie is bound to the user who was signed in. Without either, the headers have to show that this site sent the
 * form. They're enough alone under `skipCSRFCheck`, where the application checks a token of its own.
 */
export function csrfOf(auth: AuthContext, request: SessionRequest, body: AuthRequest["body"]): Csrf {
  return new DoubleSubmit(auth, request, body)
}

/** A class, because each request has one, and few ask it. */
class DoubleSubmit implements Csrf {
  readonly #auth: AuthContext
  readonly #request: SessionRequest
  readonly #body: AuthRequest["body"]
  #known: Promise<KnownToken | undefined> | undefined
  #binding: Promise<string | undefined> | undefined

  constructor(auth: AuthContext, request: SessionRequest, body: AuthRequest["body"]) {
    this.#auth = auth
    this.#request = request
    this.#body = body
  }

  async verified(): Promise<boolean> {
    const { skipsCsrfCheck } = this.#auth
    const sender = senderOf(this.#auth, this.#request)
    if (sender === "foreign") return false
    if (skipsCsrfCheck) return sender === "own" || (sender === "silent" && this.#isLenient())
    const token = await this.#knownToken()
    if (token === undefined || !isEqual(this.#body["csrfToken"], token.token)) return false
    return sender === "own" || (await this.#isBound(token)) || this.#needsNoBinding(sender)
  }

  async token(): Promise<Awaited<ReturnType<Csrf["token"]>>> {
    if (this.#auth.skipsCsrfCheck) return { value: undefined, cookies: [] }
    const token = await this.#knownToken()
    const user = await this.#user()
    if (token !== undefined && (!isUser(user) || (await this.#isBound(token))))
      return { value: token.token, cookies: [] }
    const value = await newToken(this.#auth, this.#request)
    return { value, cookies: [setCookie(this.#cookie(), await signed(this.#auth, value, user))] }
  }

  #cookie(): Cookie {
    return this.#request.scheme.cookies.csrfToken
  }

  #isLenient(): boolean {
    return !this.#auth.security.listedOriginsOnly
  }

  #knownToken(): Promise<KnownToken | undefined> {
    return (this.#known ??= knownToken(this.#auth, this.#request.cookies.get(this.#cookie().name)))
  }

  /** The user whom the token is bound to. */
  async #user(): Promise<string | undefined> {
    if (isHostOnly(this.#cookie())) return undefined
    return (this.#binding ??= this.#auth.csrfBinding(this.#auth, this.#request))
  }

  async #isBound({ token, marks }: KnownToken): Promise<boolean> {
    return isHostOnly(this.#cookie()) || isMarked(this.#auth, `${(await this.#user()) ?? ""} ${token}`, marks)
  }

  /** Every browser names the sender of a POST. Without a session, a form of another client gains an attacker nothing. */
  async #needsNoBinding(sender: Sender): Promise<boolean> {
    return (sender === "silent" || this.#isLenient()) && (await this.#user()) === undefined
  }
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
