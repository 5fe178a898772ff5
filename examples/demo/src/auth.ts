import type { Adapter } from "@latchkey/core/adapters"
import { createServer } from "@latchkey/core/server"
import type { EventCallbacks, RateLimitStore } from "@latchkey/core/types"
import { createAuth, type ExpressAuthConfig } from "@latchkey/express"
import type { OAuth2Config, OIDCConfig } from "@latchkey/express/providers"
import nodemailer from "@latchkey/express/providers/nodemailer"
import Passkey from "@latchkey/express/providers/passkey"
import { mfa } from "@latchkey/mfa"
import { password } from "@latchkey/password"
import { phone } from "@latchkey/phone"
import type { Client } from "./openid-provider.js"
import { hashPassword } from "./passwords.js"
import type { DemoUser } from "./users.js"

/** A session strategy. The app has a page and sign-in routes for each of the two. */
export interface Strategy {
  readonly name: "database" | "jwt"
  readonly title: string
  /** Path of the sign-in routes. */
  readonly mount: string
  /** Path of the page. */
  readonly page: string
}

export const strategies: readonly Strategy[] = [
  { name: "database", title: "Database sessions", mount: "/auth", page: "/" },
  { name: "jwt", title: "JWT sessions", mount: "/auth-jwt", page: "/jwt" },
]

/** Seconds. */
const day = 86_400

/** A service on the internet knows breached passwords, and the demo has no internet. */
const passwords = password({ breached: false })

/** The demo sends no text messages. */
const phones = phone({ send: ({ to, text }) => console.log(`Text message to ${to}: ${text}`) })

/** What a configuration needs. */
export interface ConfigInput {
  /** Origin of the demo. */
  readonly origin: string
  /** Issuer of the OpenID provider. */
  readonly issuer: string
  readonly clients: { readonly openid: Client; readonly oauth: Client }
  readonly smtpUrl: string
  readonly secret: string
  readonly adapter: Adapter
  readonly rateLimits: RateLimitStore
  readonly callbacks: (strategy: string) => EventCallbacks
}

export function configFor(strategy: Strategy, input: ConfigInput): ExpressAuthConfig {
  return {
    url: input.origin,
    basePath: strategy.mount,
    secret: input.secret,
    adapter: input.adapter,
    rateLimit: { store: input.rateLimits },
    // With `absoluteMaxAge`, a JWT says when the user signed in, so the account page needn't ask again.
    session: { strategy: strategy.name, absoluteMaxAge: 30 * day },
    // A passkey that someone created with the email of another user ends when the owner first proves the email.
    security: { reclaimMailbox: true },
    // The two configurations share a host, so each needs its own session cookie.
    cookies: { sessionToken: { name: `demo.${strategy.name}-session` } },
    providers: [openid(input), oauth(input), email(input), Passkey],
    modules: [passwords, phones, mfa()],
    experimental: { enableWebAuthn: true },
    events: input.callbacks(strategy.name),
    theme: { name: "Latchkey demo", brandColor: "#1f5f4f", buttonText: "#ffffff", logo: "/icon.svg" },
    environment: "development",
    // The demo needn't say at each start that passkeys are experimental.
    logger: {
      warn: (code) => {
        if (code !== "experimental-webauthn") console.warn(`[auth][warn] ${code}`)
      },
    },
  }
}

/** Stores the passwords of the users, as if they came from another system. */
export async function importPasswords(config: ExpressAuthConfig, users: readonly DemoUser[]): Promise<void> {
  const auth = createAuth({ ...config, modules: [passwords] })
  for (const { id, password } of users) await auth.password.importHash(id, await hashPassword(password))
}

/** The CSRF token for a form, and the cookies to set with it. */
export async function formToken(
  config: ExpressAuthConfig,
  cookie: string,
): Promise<{ token: string; cookies: string[] }> {
  const request = new Request(`${config.url}${config.basePath}/csrf`, { headers: { cookie } })
  const response = await createServer(config).handle(request)
  const body: unknown = await response.json()
  const token = typeof body === "object" && body !== null && "csrfToken" in body ? String(body.csrfToken) : ""
  return { token, cookies: response.headers.getSetCookie() }
}

/** OpenID Connect needs only the issuer; the endpoints are discovered. */
function openid({ issuer, clients: { openid } }: ConfigInput): OIDCConfig {
  return {
    id: "openid",
    name: "OpenID",
    type: "oidc",
    issuer,
    clientId: openid.id,
    clientSecret: openid.secret,
    checks: ["pkce", "state", "nonce"],
    // Without this, the provider signs in the last user again.
    authorization: { params: { prompt: "login" } },
    allowEmailAccountLinking: "verified",
  }
}

/** OAuth 2 has no ID token, so the profile comes from an API of the provider. */
function oauth({ issuer, clients: { oauth } }: ConfigInput): OAuth2Config<{ id: string; name: string; email: string }> {
  return {
    id: "oauth",
    name: "OAuth",
    type: "oauth",
    issuer,
    clientId: oauth.id,
    clientSecret: oauth.secret,
    authorization: { url: `${issuer}/auth`, params: { scope: "profile email", prompt: "login" } },
    token: `${issuer}/token`,
    userinfo: `${issuer}/api/me`,
    profile: ({ id, name, email }) => ({ id, name, email }),
    allowEmailAccountLinking: "verified",
  }
}

function email({ smtpUrl }: ConfigInput): ReturnType<typeof nodemailer> {
  return nodemailer({ name: "email", server: smtpUrl, from: "Latchkey demo <no-reply@demo.example>" })
}
