import { isLoopback } from "../primitives/ip-address.js"
import { UntrustedHost } from "../errors.js"
import { maxForwardedHost, maxForwardedProto, maxHost } from "../limits/of-input.js"
import type { SessionContext } from "../model/auth.js"
import type { Security } from "../model/security.js"

/** What the origin of this deployment is derived from. */
export interface OriginSource {
  /** The origin that the request itself names. */
  readonly own: string
  readonly headers: Headers
}

type OriginPolicy = Pick<SessionContext, "origin" | "trustHost"> & {
  readonly security: Pick<Security, "listedOriginsOnly">
}

/** A name, an IPv4 address or an IPv6 address in brackets, with an optional port, and nothing that starts another URL part. */
const validHost = /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9.])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

/**
 * Scheme and host of this deployment as the browser sees them: `config.url`, otherwise the forwarded headers of a trusted
 * proxy, otherwise the request itself. Nothing else decides them.
 *
 * @throws UntrustedHost
 */
export function resolveOrigin({ origin: fixed, trustHost, security }: OriginPolicy, source: OriginSource): string {
  if (fixed !== undefined) return fixed
  if (trustHost === false) {
    throw new UntrustedHost(
      "The host of the request isn't trusted. Set AUTH_URL to the URL of this site, or set `trustHost` if a proxy in front of it checks the host",
    )
  }
  const origin = claimedOrigin(source)
  if (
    trustHost === true
      ? security.listedOriginsOnly && !isLoopback(new URL(origin))
      : !trustHost.some((entry) => matches(entry, origin))
  ) {
    throw new UntrustedHost("The host of the request isn't configured. Add it to `trustHost`, or set AUTH_URL")
  }
  return origin
}

function claimedOrigin({ own, headers }: OriginSource): string {
  const proto = firstOf(headers.get("x-forwarded-proto"), maxForwardedProto)
  const host = firstOf(headers.get("x-forwarded-host"), maxForwardedHost)
  if (proto === undefined && host === undefined) return own
  const { protocol, host: ownHost } = new URL(own)
  const scheme = proto ?? protocol.slice(0, -1)
  const claimed = `${scheme}://${host ?? ownHost}`
  // The whole header must be a scheme. `https://evil.test/?` would name another host.
  if (!/^https?$/.test(scheme) || !isHost(host ?? ownHost) || !URL.canParse(claimed)) {
    throw new UntrustedHost("The request names an invalid host or protocol. Check the headers that the proxy sends")
  }
  return new URL(claimed).origin
}

function isHost(text: string): boolean {
  return text.length <= maxHost && validHost.test(text)
}

/** Each proxy appends a value, so the first is what the browser sent. */
function firstOf(header: string | null, maxLength: number): string | undefined {
  if (header !== null && header.length > maxLength)
    throw new UntrustedHost("A forwarded header of the request is too long. Check the headers that the proxy sends")
  const first = header?.split(",", 1)[0]?.trim().toLowerCase()
  return first === "" ? undefined : first
}

/**
 * `app.example.com`, or `*.example.com` with exactly one label in place of `*`. A scheme and a port must match if they're
 * given. Without a port, an entry with a scheme means its default port, and one without a scheme means any port.
 */
function matches(entry: string, origin: string): boolean {
  const { hostname, protocol, port } = new URL(origin)
  const [, scheme, star, name = "", wantedPort] = listedHost.exec(entry.toLowerCase()) ?? []
  if (scheme !== undefined && scheme !== protocol) return false
  const anyPort = scheme === undefined && wantedPort === undefined
  if (!anyPort && portOf(protocol, port) !== portOf(protocol, wantedPort ?? "")) return false
  return star === undefined ? name === hostname : isLabelOf(hostname, name)
}

const listedHost = /^(?:(https?:)\/\/)?(\*\.)?(.+?)(?::(\d+))?$/

/** Whether {@link resolveOrigin} can match hosts with this entry of `trustHost`. */
export function isHostPattern(entry: string): boolean {
  return validHost.test(entry.replace(/^(?:https?:\/\/)?(?:\*\.)?/i, ""))
}

function portOf(protocol: string, port: string): string {
  return port || (protocol === "https:" ? "443" : "80")
}

function isLabelOf(hostname: string, parent: string): boolean {
  const dot = hostname.indexOf(".")
  return dot > 0 && hostname.slice(dot + 1) === parent
}
