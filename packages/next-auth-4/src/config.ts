import { createHash } from "node:crypto"
import { createServer, type Server } from "@latchkey/core/server"
import type { AuthConfig } from "@latchkey/core/types"
import { adapterOf } from "./adapter.js"
import { callbacksOf, eventsOf } from "./callbacks.js"
import { secretFromEnv } from "./env.js"
import { loggerFor } from "./logger.js"
import { providersOf } from "./provider-config.js"
import type { Site } from "./request.js"
import type { AuthOptions, CookiesOptions } from "./types.js"
import { rememberFailure } from "./visit.js"

/** For one object of options. Few schemes and base paths are real. */
const maxServers = 100

const servers = new WeakMap<AuthOptions, Map<string, Server>>()

/** The engine, made once for each object of options, scheme and base path. */
export function serverFor(options: AuthOptions, { origin, basePath }: Site): Server {
  const secure = options.useSecureCookies ?? origin.startsWith("https:")
  const key = `${secure} ${basePath}`
  const known = servers.get(options) ?? new Map<string, Server>()
  servers.set(options, known)
  const server = known.get(key) ?? createServer(configOf(options, basePath, secure))
  if (known.size >= maxServers && !known.has(key)) known.clear()
  known.set(key, server)
  return server
}

function configOf(options: AuthOptions, basePath: string, secure: boolean): AuthConfig {
  const { adapter, session, jwt, pages, theme, debug, cookies } = options
  return defined({
    providers: providersOf(options),
    secret: secretOf(options),
    adapter: adapter && adapterOf(adapter),
    // Every session stays in the cookie and the format of version 4, so that a rollback signs no one out.
    session: { ...session, version4: { share: true } },
    jwt,
    callbacks: callbacksOf(options),
    events: eventsOf(options),
    modules: [{ id: "next-auth-4", around: rememberFailure }],
    pages,
    theme,
    debug,
    logger: loggerFor(options),
    useSecureCookies: secure,
    cookies: { ...cookieNames(secure), ...cookies },
    basePath,
    // `siteOf` decides which host the request names.
    trustHost: true,
    ...(process.env["NODE_ENV"] !== "production" && { environment: "development" }),
  }) as unknown as AuthConfig
}

function defined(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** As version 4: outside production, a hash of the options stands in for a missing secret. */
export function secretOf(options: AuthOptions): string | undefined {
  const secret = options.secret ?? options.jwt?.secret ?? secretFromEnv()
  if (secret || process.env["NODE_ENV"] === "production") return secret
  return createHash("sha256").update(JSON.stringify(options)).digest("hex")
}

function cookieNames(secure: boolean): Readonly<Record<keyof CookiesOptions, { readonly name: string }>> {
  const named = (name: string, prefix = "__Secure-") => ({ name: `${secure ? prefix : ""}next-auth.${name}` })
  return {
    sessionToken: named("session-token"),
    callbackUrl: named("callback-url"),
    csrfToken: named("csrf-token", "__Host-"),
    pkceCodeVerifier: named("pkce.code_verifier"),
    state: named("state"),
    nonce: named("nonce"),
  }
}
