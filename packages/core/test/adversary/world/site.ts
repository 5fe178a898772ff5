import { Auth, customFetch } from "@latchkey/core"
import passkey from "@latchkey/core/providers/passkey"
import { createServer } from "@latchkey/core/server"
import { createSessionReader, type SessionReader } from "@latchkey/core/session-reader"
import type { AuthConfig, Provider, ReceivedUpdate } from "@latchkey/core/types"
import type { FrozenClock } from "@latchkey/testing"
import type { Ledger } from "./ledger.js"
import type { Log } from "./log.js"
import type { Mail } from "./mail.js"
import { origins } from "./names.js"
import { passwords } from "./passwords.js"
import { demands, type Providers, watched } from "./providers.js"
import type { Secrets } from "./secrets.js"
import { hasPasswords, type Settings } from "./settings.js"
import type { Store } from "./store.js"

export interface Parts {
  readonly settings: Settings
  readonly clock: FrozenClock
  readonly providers: Providers
  readonly mail: Mail
  readonly store: Store | undefined
  readonly ledger: Ledger
  readonly log: Log
  readonly secrets: Secrets
  readonly notBefore: Date | undefined
  /** Called with the name for which `authorize` got a wrong password. */
  guessed(name: string): void
}

export interface Site {
  handle(request: Request, address: string): Promise<Response>
  /** Another server, which only reads sessions. */
  reader(hasAdapter: boolean): SessionReader
  /** A preview deployment with the same secret, behind a redirect proxy, on whatever host a request names. */
  preview(request: Request): Promise<Response>
}

/** Seconds for which a server without the adapter accepts a session that ended. The default under strict. */
export const maxStaleness = 300

const secret = "c29tZS1zZWNyZXQtb2YtdGhlLXNpdGUtOGE0ZjYyZDFlMw"

/** An application: the configuration, and how requests reach it. */
export function openSite(parts: Parts): Site {
  parts.secrets.know("secret of the site", secret)
  return { handle: handleOf(parts), reader: (hasAdapter) => readerOf(parts, hasAdapter), preview: previewOf(parts) }
}

function handleOf(parts: Parts): Site["handle"] {
  const { door } = parts.settings
  const config = configOf(parts)
  if (door === "auth") return (request) => Auth(request, config)
  if (door === "fresh") return (request) => Auth(request, configOf(parts))
  const server = createServer(config)
  return (request, address) => server.handle(request, { address })
}

function previewOf(parts: Parts): Site["preview"] {
  const { mode } = parts.settings
  return async (request) => {
    const { url: _, ...config } = configOf(parts)
    const security = { mode, listedOriginsOnly: false }
    return Auth(request, { ...config, security, trustHost: true, redirectProxyUrl: "https://proxy.test/auth" })
  }
}

function readerOf(parts: Parts, hasAdapter: boolean): SessionReader {
  const { providers: _, adapter, ...config } = configOf(parts)
  return createSessionReader({ ...config, ...(hasAdapter && { adapter }) })
}

export function configOf(parts: Parts): AuthConfig {
  const { settings, clock, store, log, notBefore } = parts
  return {
    secret,
    ...originOf(settings),
    security: securityOf(settings),
    session: {
      strategy: settings.strategy,
      notBefore,
      ...(settings.hardened && { revocation: { maxStaleness } }),
    },
    providers: providersOf(parts),
    callbacks: callbacksOf(parts),
    ...(settings.plainCsrf && { cookies: { csrfToken: { name: "csrf" } } }),
    experimental: { enableWebAuthn: true },
    environment: "production",
    rateLimit: { trustedProxies: 1 },
    debug: settings.debug,
    logger: log.logger,
    runtime: clock.runtime,
    ...(store === undefined ? {} : { adapter: store.adapter() }),
  }
}

function originOf({ origin }: Settings): Partial<AuthConfig> {
  if (origin === "url") return { url: `${origins.app}/auth` }
  if (origin === "proxy") return { trustHost: true }
  return { trustHost: [origin === "bare" ? new URL(origins.app).host : origins.app] }
}

function securityOf({ mode, hardened, former }: Settings): NonNullable<AuthConfig["security"]> {
  const isClosed = mode === "strict" && former === "closed"
  if (!hardened && !isClosed) return mode
  return { mode, ...(hardened && hardening), ...(isClosed && { formerSessionsUntil: "2020-01-01" }) }
}

const hardening = {
  sessionCookiePrefix: "__Host-",
  revocableSessions: true,
  newestEmailLinkOnly: true,
  reclaimMailbox: true,
  providerTokens: "sealed",
} as const

function providersOf(parts: Parts): readonly Provider[] {
  const { settings, providers, secrets, store } = parts
  const { op, hub, rogue } = providers
  const params = settings.demanding ? { authorization: { params: demands } } : {}
  return [
    op.provider({ ...params, [customFetch]: watched(op, secrets) }),
    hub.oauthProvider({
      profile: ({ id, name, email }) => ({ id: String(id), name: String(name), email: String(email) }),
      [customFetch]: watched(hub, secrets),
    }),
    rogue.provider({ [customFetch]: watched(rogue, secrets) }),
    ...(hasPasswords(settings) ? [passwords(parts)] : []),
    ...(store === undefined ? [] : [parts.mail.provider, passkey()]),
  ]
}

function callbacksOf({ settings, ledger }: Parts): NonNullable<AuthConfig["callbacks"]> {
  return {
    jwt({ token, trigger, account, session }) {
      if (account !== undefined && account !== null && token.sub !== undefined)
        ledger.signedIn(token.sub, { provider: account.provider, id: account.providerAccountId })
      return trigger === "update" ? { ...token, ...merged[settings.merging](session) } : token
    },
    session({ session, token, user }) {
      const id = settings.strategy === "jwt" ? token.sub : user.id
      return { ...session, user: { ...session.user, id: id ?? "" } }
    },
  }
}

const merged = {
  nothing: () => ({}),
  all: (session: ReceivedUpdate) => session,
  // A browser may send no data.
  user: (session?: ReceivedUpdate) => session?.user,
} as const
