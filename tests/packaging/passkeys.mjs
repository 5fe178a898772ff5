// Copied into a folder where packed packages are installed, and run there on another runtime. Signs up and in with a passkey.
import assert from "node:assert/strict"

/**
 * @typedef {{ registerPasskey: Passkey, signInWithPasskey: Passkey, fresh(): Browser, session(): Promise<{ user: { email: string } } | null> }} Browser
 * @typedef {(authenticator: object, options: object) => Promise<Response>} Passkey
 * @typedef {{ Auth: (request: Request, config: object) => Promise<Response> }} Core
 * @typedef {{ createAuthenticator: (options?: object) => object, openBrowser: (app: object) => Browser }} Testing
 */
const core = "@latchkey/core"
/** @type {Core} */
const { Auth } = await import(core)
/** @type {{ default: () => object }} */
const { default: Passkey } = await import(`${core}/providers/passkey`)
const testing = "@latchkey/testing"
/** @type {Testing} */
const { createAuthenticator, openBrowser } = await import(testing)
const kit = "@latchkey/adapter-kit/memory"
/** @type {{ memoryAdapter: () => object }} */
const { memoryAdapter } = await import(kit)

/** @type {string[]} */
const messages = []
/** @param {string} code */
const warn = (code) => void messages.push(code)
/** @param {Error} error */
const error = ({ message }) => void messages.push(message)
const config = {
  secret: "mZ4QvK1t8xY0cR7bN3sW9eH6jL2pD5gUa+fT1oXiVkE=",
  trustHost: true,
  adapter: memoryAdapter(),
  providers: [Passkey()],
  experimental: { enableWebAuthn: true },
  session: { strategy: "jwt" },
  logger: { warn, error, debug: () => undefined },
}
/** @param {Request} request */
const handle = (request) =>
  new URL(request.url).pathname.startsWith("/auth") ? Auth(request, config) : new Response("app")
const browser = openBrowser({ origin: "https://app.test", handle })

/** @type {string[]} */
const emails = []
// Version 9 of @simplewebauthn/server rejects one of 128 ES256 signatures.
for (const algorithm of ["EdDSA", "RS256"]) {
  const authenticator = createAuthenticator({ algorithm })
  const fields = { email: `${algorithm.toLowerCase()}@example.com` }
  const registered = await browser.fresh().registerPasskey(authenticator, { fields })
  if (registered.status >= 400) break
  const elsewhere = browser.fresh()
  await elsewhere.signInWithPasskey(authenticator, { fields })
  const session = await elsewhere.session()
  assert.ok(session)
  emails.push(session.user.email)
}
console.log(JSON.stringify({ emails, messages }))
