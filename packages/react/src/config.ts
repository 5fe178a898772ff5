import type { AuthClientOptions } from "@latchkey/client"

/** What can be set while the application runs; the names are those of `next-auth/react`. */
export interface AuthClientConfig {
  /** Origin of the server. Requests of a page are relative until it is set, here or by the provider's `baseUrl`. */
  baseUrl: string
  basePath: string
  /** Where a server reaches itself. */
  baseUrlServer: string
  basePathServer: string
  /** The session that the mounted provider knows. */
  _session?: object | null | undefined
  /** When it last learned of it; seconds since 1970. */
  _lastSync: number
  /** Makes the mounted provider ask again. */
  _getSession: (...args: readonly unknown[]) => unknown
}

interface Address {
  readonly origin: string
  readonly path: string
}

const usual: Address = { origin: "http://localhost:3000", path: "/api/auth" }

/** Where the server answers, as an environment variable tells it (spec/react-client.md §1). */
export function addressIn(text: string | undefined): Address {
  try {
    if (!text) return usual
    const { origin, pathname } = new URL(text.startsWith("http") ? text : `https://${text}`)
    return { origin, path: pathname.replace(/\/+$/, "") || usual.path }
  } catch {
    return usual
  }
}

type Variable = "AUTH_URL" | "NEXTAUTH_URL" | "NEXTAUTH_URL_INTERNAL" | "VERCEL_URL"

declare const process: { readonly env: Readonly<Record<Variable, string | undefined>> } | undefined

// Bundlers replace these expressions as they stand; where they do not, there may be no `process`.
const isKnown = typeof process !== "undefined"
const site = isKnown ? process.env.AUTH_URL || process.env.NEXTAUTH_URL : undefined
const internal = isKnown ? process.env.NEXTAUTH_URL_INTERNAL || site : undefined
const host = isKnown ? process.env.VERCEL_URL : undefined

let origin: string | undefined

/**
 * How the functions of this package reach the server; `SessionProvider` writes its props here.
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
    return origin ?? addressIn(site || host).origin
  },
  set baseUrl(url) {
    origin = url
  },
  basePath: addressIn(site).path,
  baseUrlServer: addressIn(internal || host).origin,
  basePathServer: addressIn(internal).path,
  _session: undefined,
  _lastSync: 0,
  _getSession() {},
}

export { config as __NEXTAUTH }

/** For a client that is as `__NEXTAUTH` says at any moment. */
export function clientOptions<S>(session?: S | null): AuthClientOptions<S> {
  const isPage = typeof document !== "undefined"
  return {
    session,
    get basePath() {
      return isPage ? config.basePath : config.basePathServer
    },
    get baseUrl() {
      return isPage ? origin && addressIn(origin).origin : config.baseUrlServer
    },
  }
}
