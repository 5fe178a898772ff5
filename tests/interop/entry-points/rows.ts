import { createCipheriv, hkdfSync, randomBytes } from "node:crypto"
import { skipCSRFCheck } from "@latchkey/core"
import { encode } from "@latchkey/core/jwt"
import Passkey from "@latchkey/core/providers/passkey"
import credentials from "@latchkey/core/providers/credentials"
import type { JWT } from "@latchkey/core/types"
import { createAuthenticator, faults } from "@latchkey/testing"
import * as library9 from "@simplewebauthn/server"
import { emailAt, type Open, secret, sessionCookieAt, type Site } from "./site.js"

/** What a row of docs/security-modes.md says, as an effect that a visitor can see. */
export interface Row {
  readonly compatible: unknown
  readonly strict: unknown
  observe(open: Open): Promise<unknown>
}

const ada = "ada@example.test"
const form = { "content-type": "application/x-www-form-urlencoded" }
const database = { session: { strategy: "database" } } as const

/** By the first cell of the row. */
export const rows: Readonly<Record<string, Row>> = {
  "`linking`": {
    compatible: "one user",
    strict: "two users",
    async observe(open) {
      const { browser, adapter, op, other } = await open()
      await browser.signInWith(op, { as: "ada" })
      await browser.signInWith(other, { as: "grace" })
      return adapter.rows().users.length === 1 ? "one user" : "two users"
    },
  },
  "`sessionCookiePrefix`": {
    compatible: "__Secure-authjs.session-token",
    strict: "__Host-authjs.session-token",
    async observe(open) {
      const { browser, op } = await open()
      await browser.signInWith(op, { as: "ada" })
      return sessionCookieAt(browser).name
    },
  },
  "`revocableSessions`": {
    compatible: ada,
    strict: null,
    async observe(open) {
      const { browser, op } = await open()
      await browser.signInWith(op, { as: "ada" })
      const copy = browser.fresh()
      for (const cookie of browser.cookies) copy.jar.put(cookie)
      await browser.signOut()
      return emailAt(copy)
    },
  },
  "`keyPerPurpose`": {
    compatible: "the key of Auth.js",
    strict: "a key of its own",
    async observe(open) {
      const { browser, op } = await open()
      await browser.signInWith(op, { as: "ada" })
      const { name: salt, value } = sessionCookieAt(browser)
      // The protected header has a digest of the key.
      const [header] = (await encode({ token: {}, secret, salt })).split(".")
      return value.startsWith(`${header}.`) ? "the key of Auth.js" : "a key of its own"
    },
  },
  "`hashSessionTokens`": {
    compatible: "the token",
    strict: "a hash",
    async observe(open) {
      const { browser, adapter, op } = await open({ config: database })
      await browser.signInWith(op, { as: "ada" })
      const [stored] = adapter.rows().sessions
      return stored?.sessionToken === sessionCookieAt(browser).value ? "the token" : "a hash"
    },
  },
  "`providerTokens`": {
    compatible: "string",
    strict: "undefined",
    async observe(open) {
      const { browser, adapter, op } = await open()
      await browser.signInWith(op, { as: "ada" })
      return typeof adapter.rows().accounts[0]?.access_token
    },
  },
  "`newestEmailLinkOnly`": {
    compatible: ada,
    strict: null,
    async observe(open) {
      const { browser, links } = await open()
      await browser.signIn("mail", { email: ada })
      await browser.signIn("mail", { email: ada })
      await browser.get(links[0] ?? "")
      return emailAt(browser)
    },
  },
  "`recentSignIn`": {
    compatible: [true, false],
    strict: [true, false],
    async observe(open) {
      const { browser, op, clock } = await open()
      await browser.signInWith(op, { as: "ada", fields: { callbackUrl: "/auth/account" } })
      const isRecent = async () => {
        const account = await browser.fetch("/auth/account", { headers: { accept: "application/json" } })
        return (await account.json()).overview?.isRecent
      }
      clock.advance({ seconds: 599 })
      const atTheEnd = await isRecent()
      clock.advance({ seconds: 2 })
      return [atTheEnd, await isRecent()]
    },
  },
  "`emailLinkMaxAge`": {
    compatible: ada,
    strict: null,
    async observe(open) {
      const { browser, links, clock } = await open()
      await browser.signIn("mail", { email: ada })
      clock.advance({ minutes: 16 })
      await browser.get(links[0] ?? "")
      return emailAt(browser)
    },
  },
  "`reclaimMailbox`": {
    compatible: "linked",
    strict: "unlinked",
    async observe(open) {
      const { browser, adapter, op, links } = await open()
      op.people["mallory"] = { sub: "mallory", email: ada, email_verified: false }
      await browser.fresh().signInWith(op, { as: "mallory" })
      await browser.signIn("mail", { email: ada })
      await browser.get(links[0] ?? "")
      return adapter.rows().accounts.length === 0 ? "unlinked" : "linked"
    },
  },
  "`passkeySignUp`": {
    compatible: ada,
    strict: null,
    async observe(open) {
      const { browser } = await open()
      await browser.registerPasskey(createAuthenticator(), { fields: { email: ada } }).catch(() => {})
      return emailAt(browser)
    },
  },
  "`listedOriginsOnly`": {
    compatible: 200,
    strict: 500,
    observe: async (open) => (await open({ url: undefined, config: { trustHost: true } })).status("/auth/providers"),
  },
  "`refuseWeakSecret`": {
    compatible: 200,
    strict: 500,
    observe: async (open) =>
      (await open({ secret: "this is not a very random secret at all" })).status("/auth/providers"),
  },
  "`enforceIssuerChecks`": {
    compatible: ada,
    strict: null,
    async observe(open) {
      const { browser, op } = await open()
      op.inject(faults.issMissing)
      await browser.signInWith(op, { as: "ada" })
      return emailAt(browser)
    },
  },
  "`formerSessionsUntil`": {
    compatible: [ada, ada],
    strict: [ada, null],
    async observe(open) {
      const salt = "__Secure-authjs.session-token"
      const seen: unknown[] = []
      for (const formerSessionsUntil of [undefined, "2020-01-01"]) {
        const site = await open({ config: ({ mode }) => ({ security: { mode, formerSessionsUntil } }) })
        await site.adapter.createUser({ id: "1", email: ada, emailVerified: null })
        putToken(site, salt, { info: `Auth.js Generated Encryption Key (${salt})`, salt })
        seen.push(await emailAt(site.browser))
      }
      return seen
    },
  },
  "[`session.revocation.maxStaleness`](ending-sessions.md#servers-without-the-adapter)": {
    compatible: [ada, ada],
    strict: [ada, null],
    async observe(open) {
      const { browser, op } = await open({ config: ({ mode }) => ({ security: { mode, revocableSessions: true } }) })
      await browser.signInWith(op, { as: "ada" })
      const other = await open({
        config: (site) => ({
          adapter: undefined,
          providers: [site.op.provider()],
          security: { mode: site.mode, revocableSessions: true },
        }),
      })
      for (const cookie of browser.cookies) other.browser.jar.put(cookie)
      const atFirst = await emailAt(other.browser)
      other.clock.advance({ minutes: 6 })
      return [atFirst, await emailAt(other.browser)]
    },
  },
  "`session.absoluteMaxAge`": {
    compatible: ada,
    strict: null,
    async observe(open) {
      const { browser, op, clock } = await open()
      await browser.signInWith(op, { as: "ada" })
      for (let days = 0; days < 31; days += 4) {
        clock.advance({ days: 4 })
        await browser.session()
      }
      return emailAt(browser)
    },
  },
  "[`session.version4`](sessions.md#sessions-of-next-auth-4)": {
    compatible: ada,
    strict: null,
    async observe(open) {
      const site = await open()
      await site.adapter.createUser({ id: "1", email: ada, emailVerified: null })
      const key = { info: "NextAuth.js Generated Encryption Key", salt: "" }
      putToken(site, "__Secure-next-auth.session-token", key)
      return emailAt(site.browser)
    },
  },
  "an [unknown option](configuration.md#unknown-options), such as `sesion`": {
    compatible: 200,
    strict: 500,
    observe: async (open) => (await open({ config: { sesion: {} } as object })).status("/auth/providers"),
  },
  "[`skipCSRFCheck`](configuration.md#advanced)": {
    compatible: [false, true],
    strict: [false, false],
    async observe(open) {
      const { adapter, send } = await open({ config: { skipCSRFCheck } })
      await adapter.createUser({ id: "1", email: ada, emailVerified: null })
      const seen: boolean[] = []
      for (const from of [{ origin: "https://other.example" }, undefined]) {
        const response = await send("/auth/callback/credentials", {
          method: "POST",
          headers: { ...form, ...from },
          body: new URLSearchParams({ name: ada }).toString(),
        })
        seen.push(response.headers.getSetCookie().some((cookie) => cookie.includes("session-token")))
      }
      return seen
    },
  },
  "a field of credentials that a form or JSON has more than once": {
    compatible: ada,
    strict: null,
    async observe(open) {
      const { browser, adapter } = await open()
      await adapter.createUser({ id: "1", email: ada, emailVerified: null })
      const fields = new URLSearchParams({ csrfToken: (await browser.csrf()) ?? "", name: "mallory" })
      fields.append("name", ada)
      await browser.fetch("/auth/callback/credentials", { method: "POST", headers: form, body: fields.toString() })
      return emailAt(browser)
    },
  },
  "the user's `id`, `email` and other [fields](sessions.md#update-a-session) in data that a browser sends with an update":
    {
      compatible: { user: {}, team: { email: "x" } },
      strict: { user: {}, team: {} },
      async observe(open) {
        const seen: unknown[] = []
        const { browser, op } = await open({
          config: {
            callbacks: {
              jwt({ token, trigger, session }) {
                if (trigger === "update") seen.push(session)
                return token
              },
            },
          },
        })
        await browser.signInWith(op, { as: "ada" })
        const data = { email: "x", user: { id: "x", email: "x" }, team: { email: "x" } }
        const body = JSON.stringify({ csrfToken: (await browser.csrf()) ?? "", data })
        await browser.fetch("/auth/session", { method: "POST", headers: { "content-type": "application/json" }, body })
        return seen[0]
      },
    },
  'a provider with `checks: ["none"]`': {
    compatible: 200,
    strict: 500,
    observe: async (open) =>
      (await open({ config: ({ op }) => ({ providers: [op.provider({ checks: ["none"] })] }) })).status(
        "/auth/providers",
      ),
  },
  "an option that Auth.js v5 works with although it's wrong": {
    compatible: 200,
    strict: 500,
    observe: async (open) =>
      (await open({ config: ({ op }) => ({ providers: [op.provider(), op.provider()] }) })).status("/auth/providers"),
  },
  "a URL of another site that the `signIn` callback returns": {
    compatible: "https://other.example/",
    strict: "https://app.test/",
    async observe(open) {
      const { browser, op } = await open({ config: { callbacks: { signIn: () => "https://other.example/" } } })
      await browser.signInWith(op, { as: "ada" })
      return browser.location
    },
  },
  "an email that Auth.js v5 accepts, such as `admin@localhost` or `jörg@example.de`": {
    compatible: ["admin@localhost", "jörg@example.de"],
    strict: [null],
    async observe(open) {
      const { browser, adapter, op, links } = await open()
      op.people["admin"] = { sub: "admin", email: "admin@localhost" }
      await browser.fresh().signInWith(op, { as: "admin" })
      await browser.signIn("mail", { email: "jörg@example.de" })
      if (links[0] !== undefined) await browser.get(links[0])
      return adapter.rows().users.map(({ email }) => email ?? null)
    },
  },
  "a user without an `id` from `authorize`": {
    compatible: ada,
    strict: null,
    async observe(open) {
      const authorize = () => ({ email: ada })
      const providers = [credentials({ credentials: { name: {} }, authorize })]
      const { browser } = await open({ config: { adapter: undefined, providers } })
      await browser.signIn("credentials", { name: "ada" })
      return emailAt(browser)
    },
  },
  "the fields that `authorize` and `signIn` get": {
    compatible: true,
    strict: false,
    async observe(open) {
      const { browser, typed } = await open()
      await browser.signIn("credentials", { name: ada, callbackUrl: "/cart" })
      return "callbackUrl" in (typed[0] ?? {})
    },
  },
  "parameters of the authorization request that a browser adds": {
    compatible: "theme",
    strict: null,
    async observe(open) {
      const { browser } = await open()
      const csrfToken = (await browser.csrf()) ?? ""
      await browser.post("/auth/signin/op?ui_theme=theme", { csrfToken })
      return new URL(browser.location).searchParams.get("ui_theme")
    },
  },
  "`allowDangerousEmailAccountLinking` with an OpenID provider that doesn't say whether the email is verified": {
    compatible: "linked",
    strict: "not linked",
    async observe(open) {
      const { browser, adapter, op } = await open({
        config: (site) => ({ providers: [site.op.provider({ allowDangerousEmailAccountLinking: true })] }),
      })
      op.people["ada"] = { sub: "ada", email: ada }
      await adapter.createUser({ id: "1", email: ada, emailVerified: new Date(0) })
      await browser.signInWith(op, { as: "ada" })
      return adapter.rows().accounts.length === 0 ? "not linked" : "linked"
    },
  },
  "the callback URL of a form that names none": {
    compatible: "https://app.test/cart?item=1",
    strict: "https://app.test/cart",
    async observe(open) {
      const { browser, adapter } = await open()
      await adapter.createUser({ id: "1", email: ada, emailVerified: null })
      const csrfToken = (await browser.csrf()) ?? ""
      const fields = { csrfToken, name: ada }
      const from = "https://app.test/cart?item=1"
      await browser.post("/auth/callback/credentials", fields, { from, headers: { referer: from } })
      return browser.location
    },
  },
  "a passkey without a user handle, if the options listed none": {
    compatible: ada,
    strict: null,
    async observe(open) {
      const { browser, op } = await open()
      const authenticator = createAuthenticator()
      await browser.signInWith(op, { as: "ada" })
      await browser.registerPasskey(authenticator)
      authenticator.inject({
        authentication: (signed) => {
          const { userHandle: _, ...response } = signed.response
          return { ...signed, response }
        },
      })
      const other = browser.fresh()
      await other.signInWithPasskey(authenticator)
      return emailAt(other)
    },
  },
  "`@simplewebauthn/server` before version 14": {
    compatible: ada,
    strict: null,
    async observe(open) {
      const simpleWebAuthn = {
        generateAuthenticationOptions: library9.generateAuthenticationOptions,
        generateRegistrationOptions: library9.generateRegistrationOptions,
        verifyAuthenticationResponse: library9.verifyAuthenticationResponse,
        verifyRegistrationResponse: library9.verifyRegistrationResponse,
      }
      const { browser, op } = await open({
        config: (site) => ({ providers: [site.op.provider(), Passkey({ simpleWebAuthn })] }),
      })
      // Version 9 rejects one of 128 ES256 signatures.
      const authenticator = createAuthenticator({ algorithm: "EdDSA" })
      await browser.signInWith(op, { as: "ada" })
      await browser.registerPasskey(authenticator).catch(() => {})
      const other = browser.fresh()
      await other.signInWithPasskey(authenticator).catch(() => {})
      return emailAt(other)
    },
  },
  "claims that the `jwt` callback returns": {
    compatible: "another user",
    strict: "the user who signed in",
    async observe(open) {
      const jwt = ({ token }: { token: JWT }) => ({ ...token, sub: "another user" })
      const seen: unknown[] = []
      const { browser, adapter, op } = await open({
        config: {
          callbacks: {
            jwt,
            session: ({ session, token }) => {
              seen.push(token.sub)
              return session
            },
          },
        },
      })
      await browser.signInWith(op, { as: "ada" })
      await browser.session()
      return seen[0] === adapter.rows().users[0]?.id ? "the user who signed in" : seen[0]
    },
  },
  "the callback URL cookie": {
    compatible: true,
    strict: false,
    async observe(open) {
      const { browser, op } = await open()
      await browser.signInWith(op, { as: "ada", fields: { callbackUrl: "/cart" } })
      return browser.cookies.some(({ name }) => name.includes("callback-url"))
    },
  },
}

/** Puts a token into the browser as another version or configuration would have set it. */
function putToken({ browser, clock }: Site, name: string, key: { readonly info: string; readonly salt: string }): void {
  const iat = Math.floor(clock.now() / 1000)
  const claims = JSON.stringify({ sub: "1", email: ada, iat, exp: iat + 3600, jti: "1" })
  const header = Buffer.from(JSON.stringify({ alg: "dir", enc: "A256GCM" })).toString("base64url")
  const iv = randomBytes(12)
  const bytes = new Uint8Array(hkdfSync("sha256", secret, key.salt, key.info, 32))
  const cipher = createCipheriv("aes-256-gcm", bytes, iv).setAAD(Buffer.from(header))
  const sealed = Buffer.concat([cipher.update(claims), cipher.final()])
  const value = [header, "", ...[iv, sealed, cipher.getAuthTag()].map((part) => part.toString("base64url"))].join(".")
  const where = { domain: "app.test", hostOnly: true, path: "/", expires: undefined } as const
  browser.jar.put({ name, value, ...where, secure: true, httpOnly: true, sameSite: "lax" })
}
