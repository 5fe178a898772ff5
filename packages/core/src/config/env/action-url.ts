import { AuthError, UntrustedHost } from "../../errors.js"
import { resolveOrigin } from "../../http/origin.js"
import type { AuthConfig } from "../../model/config.js"
import type { AuthAction } from "../../model/http.js"
import { isWebUrl } from "../../primitives/web-url.js"
import { normalPath } from "../defaults.js"
import { securityOf } from "../presets.js"
import { type Env, readerOf, trustFrom, urlFrom } from "./variables.js"

const actions: ReadonlySet<string> = new Set<AuthAction>([
  "account",
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

/** Whether `action` is the first path segment of a built-in route. */
export function isAuthAction(action: string): action is AuthAction {
  return actions.has(action)
}

type ActionConfig = Partial<Pick<AuthConfig, "basePath" | "logger" | "trustHost" | "url" | "security">>

/**
 * The URL of an action, for integrations that make their own requests. `AUTH_URL` decides the origin, else the forwarded
 * headers of a trusted host, else the `Host` header.
 *
 * @param protocol of the request, with or without a colon; `undefined` means https
 * @throws UntrustedHost if the request names no valid host, or one that isn't listed
 * @throws AuthError if `url` or AUTH_URL isn't an http(s) URL
 */
export function createActionURL(
  action: AuthAction,
  protocol: string | undefined,
  headers: Headers,
  env: Env,
  config: ActionConfig = {},
): URL {
  const configured = config.url || urlFrom(readerOf(env))
  const base = configured === undefined ? undefined : parse(configured)
  const origin = base?.origin ?? requestOrigin(protocol, headers, env, config)
  return new URL(`${origin}${basePathFor(base, config)}/${action}`)
}

function parse(url: string): URL {
  if (isWebUrl(url)) return new URL(url)
  throw new AuthError("`url` (AUTH_URL) isn't an http(s) URL. Set it to the URL of this site")
}

/** `basePath` wins over the path of `AUTH_URL`. */
function basePathFor(base: URL | undefined, { basePath, logger }: ActionConfig): string {
  const given = normalPath(basePath ?? "")
  const own = normalPath(base?.pathname ?? "")
  if (given !== "" && own !== "" && given !== own) logger?.warn?.("env-url-basepath-mismatch", basePathMismatch)
  return given || own
}

export const basePathMismatch: string =
  "The path of AUTH_URL differs from `basePath`, and `basePath` is used. Remove one of them"

function requestOrigin(protocol: string | undefined, headers: Headers, env: Env, config: ActionConfig): string {
  const own = ownOrigin(protocol, headers)
  const trustHost = config.trustHost ?? trustFrom(readerOf(env), undefined)
  // The route at this URL refuses the untrusted host, with an error that explains `trustHost`.
  if (trustHost === false) return own
  return resolveOrigin(
    { origin: undefined, trustHost, security: securityOf({ ...config, providers: [] }) },
    { own, headers },
  )
}

function ownOrigin(protocol: string | undefined, headers: Headers): string {
  const scheme = protocol?.replace(/:$/, "") || "https"
  const host = headers.get("host") ?? headers.get("x-forwarded-host")?.split(",", 1)[0]?.trim()
  const text = `${scheme}://${host}`
  if (host === undefined || !URL.canParse(text) || !isOrigin(new URL(text))) {
    throw new UntrustedHost("The request names no valid host. Set AUTH_URL to the URL of this site")
  }
  return new URL(text).origin
}

/** Refuses `app.test:1@evil.test` as a host, which would name another one. */
function isOrigin({ protocol, username, pathname }: URL): boolean {
  return /^https?:$/.test(protocol) && username === "" && pathname === "/"
}
