import { createHash } from "node:crypto"
import { captureLog } from "@latchkey/testing"
import fc from "fast-check"
import { expect, test } from "vitest"
import { compile } from "../compile.js"
import { authenticate } from "../../src/crypto/digest.js"
import { csrfOf } from "../../src/http/csrf.js"
import { encode } from "../../src/jwt.js"
import type { AuthContext } from "../../src/model/auth.js"
import type { AuthConfig } from "../../src/model/config.js"
import type { Csrf } from "../../src/model/http.js"
import { holds, patience } from "../fuzz/holds.js"

const secret = "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw"
const origin = "https://app.test"
const names = ["__Host-authjs.csrf-token", "own.csrf", "__Secure-own.csrf", "__host-own.csrf"]
const senders = fc.record(
  {
    origin: fc.constantFrom(origin, "https://evil.test", "https://sub.app.test", "http://app.test", "null", ""),
    "sec-fetch-site": fc.constantFrom("same-origin", "same-site", "cross-site", "none", ""),
    host: fc.constantFrom("app.test", "evil.test"),
  },
  { requiredKeys: [] },
)
const token = "0123456789abcdef".repeat(4)
const plain = createHash("sha256")
  .update(token + secret)
  .digest("hex")

test(
  "a token counts only in the browser and for the user that it was made for, unless this site sent the form",
  async () => {
    const user = fc.constantFrom("", "ada", "eve")
    const input = {
      name: fc.constantFrom(...names),
      keyed: fc.boolean(),
      user,
      isForeign: fc.boolean(),
      sender: senders,
    }
    await holds(
      fc.asyncProperty(fc.record(input), user, async ({ name, keyed, user, isForeign, sender }, holder) => {
        const auth = siteWith(name, keyed)
        const { value, cookie } = isForeign ? await authjsPair(keyed) : await pairOf(auth, holder)
        const csrf = await csrfIn(auth, { user, cookie, headers: new Headers(sender), csrfToken: value })
        const isBound = !isForeign && holder !== "" && holder === user
        const isKnown = name.startsWith("__Host-") || isBound || user === ""
        const isAccepted = sentBy(sender) === "this site" || (sentBy(sender) === "unknown" && isKnown)
        expect(await csrf.verified()).toBe(isAccepted)
      }),
    )
  },
  patience,
)

interface Sent {
  readonly origin?: string
  readonly "sec-fetch-site"?: string
  readonly host?: string
}

/** What a browser says about the sender of a form. */
function sentBy({ origin: sender, "sec-fetch-site": site, host }: Sent): "this site" | "another origin" | "unknown" {
  if (site === "same-origin" || site === "none") return "this site"
  if (site !== undefined && site !== "same-site") return "another origin"
  if (sender === undefined) return "unknown"
  const isNamed = sender === origin || (site === undefined && sender === `https://${host}`)
  return isNamed ? "this site" : "another origin"
}

function siteWith(name: string, keyed: boolean): AuthContext {
  const security: AuthConfig["security"] = keyed ? { keyPerPurpose: true } : "compatible"
  const cookies = { csrfToken: { name } }
  return compile({ secret, url: origin, providers: [], security, cookies, logger: captureLog().logger })
}

interface Form {
  /** Who is signed in. */
  readonly user: string
  readonly cookie?: string | undefined
  readonly headers?: Headers
  readonly csrfToken?: string | undefined
}

const sessions = new Map<string, string>()

async function csrfIn(auth: AuthContext, { user, cookie, headers = new Headers(), csrfToken }: Form): Promise<Csrf> {
  const { csrfToken: csrf, sessionToken } = auth.https.cookies
  const session = sessions.get(user) ?? (await encode({ token: { sub: user }, secret, salt: sessionToken.name }))
  sessions.set(user, session)
  const cookies = new Map<string, string>()
  if (user !== "") cookies.set(sessionToken.name, session)
  if (cookie !== undefined) cookies.set(csrf.name, cookie)
  return csrfOf(auth, { scheme: auth.https, origin, cookies, headers }, { csrfToken })
}

/** The token that a page of this user gets. */
async function pairOf(auth: AuthContext, user: string) {
  const { value, cookies } = await (await csrfIn(auth, { user })).token()
  return { value, cookie: cookies[0]?.value }
}

/** A token of Auth.js, or of an earlier version. */
async function authjsPair(keyed: boolean) {
  return { value: token, cookie: `${token}|${keyed ? await authenticate(secret, "csrf", token) : plain}` }
}
