import type { Adapter } from "@latchkey/core/adapters"
import { createServer } from "@latchkey/core/server"
import type { EventCallbacks, RateLimitStore, User } from "@latchkey/core/types"
import type { ExpressAuthConfig } from "@latchkey/express"
import type { OAuth2Config, OIDCConfig } from "@latchkey/express/providers"
import credentials from "@latchkey/express/providers/credentials"
import nodemailer from "@latchkey/express/providers/nodemailer"
import type { Client } from "./openid-provider.js"

/** One of the two ways to keep sessions, side by side in one application: each has its mount and its page. */
export interface Strategy {
  readonly name: "database" | "jwt"
  readonly title: string
  /** Where the engine answers. */
  readonly mount: string
  /** The page that uses it. */
  readonly page: string
}

export const strategies: readonly Strategy[] = [
  { name: "database", title: "Database sessions", mount: "/auth", page: "/" },
  { name: "jwt", title: "JWT sessions", mount: "/auth-jwt", page: "/jwt" },
]

/** What the configurations are made from. */
export interface Parts {
  /** Of the demo. */
  readonly origin: string
  /** Of the OpenID provider. */
  readonly issuer: string
  readonly clients: { readonly openid: Client; readonly oauth: Client }
  readonly smtpUrl: string
  readonly secret: string
  readonly adapter: Adapter
  /** Where attempts to sign in are counted. */
  readonly rateLimits: RateLimitStore
  readonly callbacks: (strategy: string) => EventCallbacks
  readonly checkPassword: (name: string, password: string) => Promise<User | null>
}

export function configFor(strategy: Strategy, parts: Parts): ExpressAuthConfig {
  return {
    url: parts.origin,
    basePath: strategy.mount,
    secret: parts.secret,
    adapter: parts.adapter,
    rateLimit: { store: parts.rateLimits },
    session: { strategy: strategy.name },
    // Two strategies on one host must not read each other's cookie.
    cookies: { sessionToken: { name: `demo.${strategy.name}-session` } },
    providers: [openid(parts), oauth(parts), mail(parts), password(parts)],
    events: parts.callbacks(strategy.name),
    theme: { brandColor: "#1f5f4f", buttonText: "#ffffff", logo: "/icon.svg" },
    environment: "development",
  }
}

/** The token that proves a form to be one of ours, and the cookie that goes with it. */
export async function formToken(
  config: ExpressAuthConfig,
  cookie: string,
): Promise<{ token: string; cookies: string[] }> {
  const request = new Request(`${config.url}${config.basePath}/csrf`, { headers: { cookie } })
  const answer = await createServer(config).handle(request)
  const told: unknown = await answer.json()
  const token = typeof told === "object" && told !== null && "csrfToken" in told ? String(told.csrfToken) : ""
  return { token, cookies: answer.headers.getSetCookie() }
}

/** OpenID Connect: the issuer is enough, the rest is discovered. */
function openid({ issuer, clients: { openid } }: Parts): OIDCConfig {
  return {
    id: "openid",
    name: "OpenID",
    type: "oidc",
    issuer,
    clientId: openid.id,
    clientSecret: openid.secret,
    checks: ["pkce", "state", "nonce"],
    // The provider would remember who signed in last; a demo is about choosing.
    authorization: { params: { prompt: "login" } },
    allowEmailAccountLinking: "verified",
  }
}

/** Plain OAuth 2: no ID token, the profile comes from an interface of the provider. */
function oauth({ issuer, clients: { oauth } }: Parts): OAuth2Config<{ id: string; name: string; email: string }> {
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

function mail({ smtpUrl }: Parts): ReturnType<typeof nodemailer> {
  return nodemailer({ name: "e-mail", server: smtpUrl, from: "Latchkey demo <no-reply@demo.example>" })
}

function password({ checkPassword }: Parts): ReturnType<typeof credentials> {
  return credentials({
    name: "password",
    credentials: {
      name: { label: "Name", autocomplete: "username", required: true },
      password: { label: "Password", type: "password", autocomplete: "current-password", required: true },
    },
    authorize: ({ name, password }) =>
      typeof name === "string" && typeof password === "string" ? checkPassword(name, password) : null,
  })
}
