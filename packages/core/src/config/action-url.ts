import { UntrustedHost } from "../errors.js"
import { resolveOrigin } from "../http/origin.js"
import type { AuthConfig } from "../model/config.js"
import type { AuthAction } from "../model/http.js"
import { normalPath, security } from "./defaults.js"
import { type Env, trustFrom, urlFrom } from "./env.js"

const actions: ReadonlySet<string> = new Set<AuthAction>([
  "callback",
  "csrf",
  "error",
  "providers",
  "session",
  "signin",
  "signout",
  "verify-request",
  "webauthn-options",
])

/** Whether this is one of the actions of spec/http.md §2. */
export function isAuthAction(action: string): action is AuthAction {
  return actions.has(action)
}

type ActionConfig = Partial<Pick<AuthConfig, "basePath" | "logger" | "trustHost" | "url" | "security">>

/**
 * The address of an action of this deployment, for integrations that make their own requests (spec/http.md §3).
 * `AUTH_URL` wins; forwarded headers count only from a trusted host; `protocol`, with or without `:`, is that of the
 * request and defaults to https.
 *
 * @throws UntrustedHost when the request names no host, or one that cannot be one or is not listed
 */
export function createActionURL(
  action: AuthAction,
  protocol: string | undefined,
  headers: Headers,
  env: Env,
  config: ActionConfig,
): URL {
  const fixed = config.url || urlFrom((name) => env[name] || undefined)
  const base = fixed === undefined ? undefined : new URL(fixed)
  const given = normalPath(config.basePath ?? "")
  const own = normalPath(base?.pathname ?? "")
  if (given !== "" && own !== "" && given !== own) {
    config.logger?.warn?.("env-url-basepath-mismatch", "The path of AUTH_URL is not the `basePath`, which is used")
  }
  const origin = base?.origin ?? requestOrigin(protocol, headers, env, config)
  return new URL(`${origin}${given || own}/${action}`)
}

function requestOrigin(protocol: string | undefined, headers: Headers, env: Env, config: ActionConfig): string {
  const scheme = protocol?.replace(/:$/, "") || "https"
  const own = `${scheme}://${headers.get("host") ?? ""}`
  const trustHost = config.trustHost ?? trustFrom((name) => env[name] || undefined, undefined)
  // Without trust the request itself says where it went; handling it then fails with a word on `trustHost`.
  const believed = trustHost === false ? new Headers() : headers
  if (!URL.canParse(own) && believed.get("x-forwarded-host") === null) throw noHost()
  const source = { own: URL.canParse(own) ? plainOrigin(own) : `${scheme}://localhost`, headers: believed }
  return resolveOrigin({ providers: [], trustHost: trustHost === false ? true : trustHost }, undefined, listedOnly(config), source)
}

function listedOnly(config: ActionConfig): boolean {
  return security({ ...config, providers: [] }).listedOriginsOnly
}

/** `https://app.test:1@evil.test` is a URL, but no origin. */
function plainOrigin(text: string): string {
  const { origin, host, username, pathname } = new URL(text)
  if (host === "" || username !== "" || pathname !== "/" || !/^https?:/.test(origin)) throw noHost()
  return origin
}

function noHost(): UntrustedHost {
  return new UntrustedHost("The request names no usable host: set AUTH_URL to the address of this site")
}
