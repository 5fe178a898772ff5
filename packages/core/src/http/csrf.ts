import { authenticate, equal, sha256, toHex } from "../crypto/digest.js"
import { maxOrigin } from "../limits/of-input.js"
import type { AuthContext } from "../model/auth.js"
import type { AuthRequest, Csrf, SessionRequest } from "../model/http.js"
import type { Security } from "../model/security.js"
import { setCookie } from "./cookie.js"

/**
 * Two layers against forged requests: the headers that browsers set, and a token that only pages of this site know (signed
 * double submit). The headers alone are enough under `skipCSRFCheck`, where the application checks a token of its own.
 */
export function csrfOf(auth: AuthContext, request: SessionRequest, body: AuthRequest["body"]): Csrf {
  const { scheme, cookies } = request
  const skipped = auth.skipsCsrfCheck
  const known = memo(() => knownToken(auth, cookies.get(scheme.cookies.csrfToken.name)))
  return {
    async verified() {
      if (!fromSameSite(auth, request, skipped)) return false
      if (skipped) return true
      const token = await known()
      return token !== undefined && typeof body["csrfToken"] === "string" && equal(body["csrfToken"], token)
    },
    async token() {
      if (skipped) return { value: undefined, cookies: [] }
      const token = await known()
      if (token !== undefined) return { value: token, cookies: [] }
      const value = toHex(auth.runtime.random(32))
      return { value, cookies: [setCookie(scheme.cookies.csrfToken, await signed(auth, value))] }
    },
  }
}

function memo<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}

async function knownToken(auth: AuthContext, cookie: string | undefined): Promise<string | undefined> {
  const [token, ...given] = cookie?.split("|") ?? []
  if (token === undefined || given.length > 2 || !/^[0-9a-f]{64}$/.test(token)) return undefined
  for (const hashOf of hashes(auth)) {
    const expected = await hashOf(token)
    if (given.some((hash) => equal(hash, expected))) return token
  }
  return undefined
}

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
 * The value of a new cookie: token and hash. If there are several secrets, the hash that Auth.js accepts comes first, and the
 * hash with the newest secret follows, which stays valid when the others are removed.
 */
async function signed(auth: AuthContext, token: string): Promise<string> {
  const shared = auth.security.keyPerPurpose ? [] : joined(auth)
  const parts = [...shared, ...hashes(auth).slice(0, 1)].map(async (hashOf) => hashOf(token))
  return [token, ...(await Promise.all(parts))].join("|")
}

/**
 * Checks `Sec-Fetch-Site` and `Origin`. With a token, the headers only refuse what certainly comes from another site. Without
 * one (`alone`), they must match the origin.
 */
function fromSameSite({ security }: AuthContext, { headers, origin }: SessionRequest, alone: boolean): boolean {
  const site = headers.get("sec-fetch-site")
  if (site !== null) return site === "same-origin" || site === "none" || (site === "same-site" && !alone)
  return isTrustedSender(security, headers, { origin, alone })
}

function isTrustedSender(
  { listedOriginsOnly }: Security,
  headers: Headers,
  { origin, alone }: { readonly origin: string; readonly alone: boolean },
): boolean {
  const sender = headers.get("origin")
  // Browsers always send `Origin` with a POST. An application that builds requests itself may not.
  if (sender === null) return !alone || !listedOriginsOnly
  if (sender === origin) return true
  if (alone) return false
  // Pages with `Referrer-Policy: no-referrer` send `Origin: null`. Over https, browsers add `Sec-Fetch-Site`, checked above.
  // Over plain http they don't, and Auth.js v5 only checks the token.
  if (sender === "null") return !listedOriginsOnly && new URL(origin).protocol === "http:"
  // Behind a proxy that hides the public host, the `Host` header of the browser tells it.
  const hosts = [headers.get("x-forwarded-host"), headers.get("host")]
  return sender.length <= maxOrigin && URL.canParse(sender) && hosts.includes(new URL(sender).host)
}
