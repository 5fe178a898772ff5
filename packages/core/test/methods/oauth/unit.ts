import type { OIDCConfig, SecurityMode } from "@latchkey/core/types"
import { captureLog, type FrozenClock, frozenClock } from "@latchkey/testing"
import { compile } from "../../compile.js"
import { toAuthRequest } from "../../../src/http/auth-request.js"
import type { AuthContext } from "../../../src/model/auth.js"
import type { SetCookie } from "../../../src/model/cookie.js"
import type { AuthRequest } from "../../../src/model/http.js"
import type { OAuthProvider } from "../../../src/model/oauth-provider.js"
import credentials from "../../../src/providers/credentials.js"
import { secret } from "../../flows/oauth/app.js"

export const clientSecret = "client-secret"

export interface Unit {
  readonly auth: AuthContext
  readonly provider: OAuthProvider
  readonly clock: FrozenClock
  /** The same site with another provider configuration. */
  but(given: Partial<OIDCConfig>): OAuthProvider
  /** The request: cookies, and parameters in the query of a GET or the body of a POST. */
  incoming(arriving?: Arriving): AuthRequest
}

export interface Arriving {
  readonly method?: AuthRequest["method"]
  readonly cookies?: readonly Pick<SetCookie, "name" | "value">[]
  readonly params?: Record<string, unknown>
  /** The query of a POST. */
  readonly query?: Record<string, string>
}

/** A compiled configuration with one provider, `op`, for unit tests. */
export function unit(
  given: Partial<OIDCConfig> = {},
  clock: FrozenClock = frozenClock(),
  security: SecurityMode = "compatible",
): Unit {
  const { auth, provider } = compiled(given, clock, security)
  return { auth, provider, clock, but: (other) => compiled({ ...given, ...other }, clock, security).provider, incoming }

  function incoming({ method = "GET", cookies = [], params = {}, query = {} }: Arriving = {}): AuthRequest {
    const url = new URL("https://app.test/auth/callback/op")
    for (const [name, value] of Object.entries(method === "GET" ? params : query)) {
      url.searchParams.set(name, String(value))
    }
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ")
    const headers = new Headers(cookie === "" ? {} : { cookie })
    const route = { action: "callback", providerId: "op" }
    return toAuthRequest(
      auth,
      { headers, origin: url.origin },
      { url, method, route, body: method === "POST" ? params : {} },
    )
  }
}

function compiled(given: Partial<OIDCConfig>, { runtime }: FrozenClock, security: SecurityMode) {
  const op = { id: "op", name: "Op", type: "oidc", issuer: "https://op.test", clientId: "app", clientSecret } as const
  const password = credentials({ credentials: { name: {} }, authorize: () => null })
  const { logger } = captureLog()
  const providers = [{ ...op, ...given }, password]
  const auth = compile({ secret, url: "https://app.test", logger, runtime, providers, security })
  const provider = auth.providers.get(given.id ?? "op")
  if (provider?.type !== "oidc") throw new Error("there is no such provider")
  return { auth, provider }
}
