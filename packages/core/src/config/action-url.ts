import { AuthError, UntrustedHost } from "../errors.js"
import { resolveOrigin } from "../http/origin.js"
import type { AuthConfig } from "../model/config.js"
import type { AuthAction } from "../model/http.js"
import { normalPath, security } from "./defaults.js"
import { isWebUrl } from "./check/problem.js"
import { type Env, readerOf, trustFrom, urlFrom } from "./env/variables.js"

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
 * @throws UntrustedHost when the request names no host, or one that cannot be one or is not listed; AuthError when
 *   `url` or AUTH_URL is not an http(s) URL
 */
export function createActionURL(
  action: AuthAction,
  protocol: string | undefined,
  headers: Headers,
  env: Env,
  config: ActionConfig,
): URL {
  const fixed = config.url || urlFrom(readerOf(env))
  const base = fixed === undefined ? undefined : configured(fixed)
  const origin = base?.origin ?? requestOrigin(protocol, headers, env, config)
  return new URL(`${origin}${basePathFor(base, config)}/${action}`)
}

function configured(address: string): URL {
  if (isWebUrl(address)) return new URL(address)
  throw new AuthError("`url` (AUTH_URL) is not an http(s) URL: set it to the address of this site")
}

/** The configured path wins over the one of `AUTH_URL`, segment by segment, whatever slashes they have (complaint 157). */
function basePathFor(base: URL | undefined, { basePath, logger }: ActionConfig): string {
  const given = normalPath(basePath ?? "")
  const own = normalPath(base?.pathname ?? "")
  if (given !== "" && own !== "" && given !== own) {
    logger?.warn?.("env-url-basepath-mismatch", "The path of AUTH_URL is not the `basePath`, which is used")
  }
  return given || own
}

function requestOrigin(protocol: string | undefined, headers: Headers, env: Env, config: ActionConfig): string {
  const own = ownOrigin(protocol, headers)
  const trustHost = config.trustHost ?? trustFrom(readerOf(env), undefined)
  // Without trust the request itself says where it went; handling it then fails with a word on `trustHost`.
  if (trustHost === false) return own
  return resolveOrigin(
    { origin: undefined, trustHost, security: security({ ...config, providers: [] }) },
    { own, headers },
  )
}

function ownOrigin(protocol: string | undefined, headers: Headers): string {
  const scheme = protocol?.replace(/:$/, "") || "https"
  const host = headers.get("host") ?? headers.get("x-forwarded-host")?.split(",", 1)[0]?.trim()
  const text = `${scheme}://${host}`
  if (host === undefined || !URL.canParse(text) || !isOrigin(new URL(text))) {
    throw new UntrustedHost("The request names no usable host: set AUTH_URL to the address of this site")
  }
  return new URL(text).origin
}

/** `https://app.test:1@evil.test` is a URL, but no origin. */
function isOrigin({ protocol, username, pathname }: URL): boolean {
  return /^https?:$/.test(protocol) && username === "" && pathname === "/"
}
