import type { AuthClientOptions } from "@latchkey/client"

/** Settings that you can change at runtime. The names are those of `next-auth/react`. */
export interface AuthClientConfig {
  /** Origin of the server. Until you set it here or on the provider, a page sends relative requests. */
  baseUrl: string
  /** Path of the auth routes. */
  basePath: string
  /** Origin at which a server reaches itself. */
  baseUrlServer: string
  /** Path at which a server reaches its own auth routes. */
  basePathServer: string
  /** The session of the mounted provider. */
  _session?: object | null | undefined
  /** When the mounted provider last got the session, in seconds since 1970. */
  _lastSync: number
  /** Makes the mounted provider read the session again. */
  _getSession: (...args: readonly unknown[]) => unknown
}

interface ServerUrl {
  readonly origin: string
  readonly path: string
}

const defaultUrl: ServerUrl = { origin: "http://localhost:3000", path: "/api/auth" }

/** Parses the value of `AUTH_URL` or a similar variable. A URL without a scheme is `https:`, as in `VERCEL_URL`. */
export function parseServerUrl(text: string | undefined): ServerUrl {
  try {
    if (!text) return defaultUrl
    const { origin, pathname } = new URL(text.startsWith("http") ? text : `https://${text}`)
    return { origin, path: pathname.replace(/\/+$/, "") || defaultUrl.path }
  } catch {
    return defaultUrl
  }
}

type Variable = "AUTH_URL" | "NEXTAUTH_URL" | "NEXTAUTH_URL_INTERNAL" | "VERCEL_URL"

declare const process: { readonly env: Readonly<Record<Variable, string | undefined>> } | undefined

// Bundlers replace `process.env.NAME` only if it's written out. Without a bundler, `process` may not exist.
const hasProcess = typeof process !== "undefined"
const publicUrl = hasProcess ? process.env.AUTH_URL || process.env.NEXTAUTH_URL : undefined
const internalUrl = hasProcess ? process.env.NEXTAUTH_URL_INTERNAL || publicUrl : undefined
const vercelHost = hasProcess ? process.env.VERCEL_URL : undefined

let baseUrl: string | undefined

/**
 * The settings that this package uses to reach the server. The props of `SessionProvider` overwrite them.
 *
 * @example
 * ```ts
 * import { __NEXTAUTH } from "@latchkey/react"
 *
 * __NEXTAUTH.basePath = "/auth"
 * ```
 */
const config: AuthClientConfig = {
  get baseUrl() {
    return baseUrl ?? parseServerUrl(publicUrl || vercelHost).origin
  },
  set baseUrl(url) {
    baseUrl = url
  },
  basePath: parseServerUrl(publicUrl).path,
  baseUrlServer: parseServerUrl(internalUrl || vercelHost).origin,
  basePathServer: parseServerUrl(internalUrl).path,
  _session: undefined,
  _lastSync: 0,
  _getSession() {},
}

export { config as __NEXTAUTH }

/** Options for a client that follows later changes of `__NEXTAUTH`. */
export function clientOptions<S>(session?: S | null): AuthClientOptions<S> {
  const isBrowser = typeof document !== "undefined"
  return {
    session,
    get basePath() {
      return isBrowser ? config.basePath : config.basePathServer
    },
    get baseUrl() {
      return isBrowser ? baseUrl && parseServerUrl(baseUrl).origin : config.baseUrlServer
    },
  }
}
