import { authenticate, equal, sha256, toHex } from "../crypto/digest.js"
import type { AuthContext } from "../model/auth.js"
import type { AuthRequest, Csrf, SessionRequest } from "../model/http.js"
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
      const cookie = `${value}|${await hashes(auth)[0]?.(value)}`
      return { value, cookies: [setCookie(scheme.cookies.csrfToken, cookie)] }
    },
  }
}

function memo<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}

async function knownToken(auth: AuthContext, cookie: string | undefined): Promise<string | undefined> {
  const [token, hash, ...rest] = cookie?.split("|") ?? []
  if (token === undefined || hash === undefined || rest.length > 0 || !/^[0-9a-f]{64}$/.test(token)) return undefined
  for (const expected of hashes(auth)) if (equal(hash, await expected(token))) return token
  return undefined
}

/** The hashes that may sign a token; new tokens use the first. Each configured secret works. */
function hashes({ secrets, security }: AuthContext): ((token: string) => string | PromiseLike<string>)[] {
  const plain = (secret: string) => (token: string) => sha256(token + secret)
  const keyed = (secret: string) => (token: string) => authenticate(secret, "csrf", token)
  const joined = secrets.length > 1 ? [plain(secrets.join(","))] : []
  const own = secrets.map(security.keyPerPurpose ? keyed : plain)
  return [...own, ...(security.keyPerPurpose ? secrets.map(plain) : []), ...joined]
}

/**
 * Checks `Sec-Fetch-Site` and `Origin`. With a token, the headers only refuse what certainly comes from another site. Without
 * one (`alone`), they must match the origin.
 */
function fromSameSite({ security }: AuthContext, { headers, origin }: SessionRequest, alone: boolean): boolean {
  const site = headers.get("sec-fetch-site")
  if (site !== null) return site === "same-origin" || site === "none" || (site === "same-site" && !alone)
  const sender = headers.get("origin")
  // Browsers always send `Origin` with a POST. An application that builds requests itself may not.
  if (sender === null) return !alone || !security.listedOriginsOnly
  if (sender === origin) return true
  // Behind a proxy that hides the public host, the `Host` header of the browser tells it.
  const hosts = [headers.get("x-forwarded-host"), headers.get("host")]
  return !alone && URL.canParse(sender) && hosts.includes(new URL(sender).host)
}
