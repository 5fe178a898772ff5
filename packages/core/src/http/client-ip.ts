import { maxForwardedFor } from "../limits/of-input.js"
import type { SessionContext } from "../model/auth.js"
import type { RateLimitOptions } from "../model/limits.js"
import { isPrivateIp } from "../primitives/ip-address.js"

/** What the IP address of a client is read from. */
export interface IpSource {
  readonly headers: Headers
  /** The address of the client, if the integration knows it. */
  readonly peer: string | undefined
  /** `peer` may be from a header. */
  readonly isPeerForgeable?: boolean | undefined
  readonly options: Pick<RateLimitOptions, "address" | "trustedProxies">
  /** Forwarded headers are trusted (`trustHost`). */
  readonly behindProxy: boolean
}

/**
 * The IP address that a client is counted under. `undefined`: not known, so no address is counted. What is configured counts
 * as it is. Otherwise only public addresses count, since a private one usually belongs to a proxy that isn't configured,
 * and all clients would share its limit.
 */
export function clientIp({ headers, peer, options, behindProxy }: IpSource): string | undefined {
  if (options.address !== undefined) return canonicalIp(options.address(headers))
  const forwarded = headers.get("x-forwarded-for")?.slice(-maxForwardedFor).split(",") ?? []
  if (options.trustedProxies) return canonicalIp(forwarded.at(-options.trustedProxies))
  const known = publicOnly(canonicalIp(peer))
  if (known !== undefined || !behindProxy) return known
  return forwarded.map(canonicalIp).findLast((address) => publicOnly(address) !== undefined)
}

/** Whether the client can't choose its own address: the connection or the configuration says it. */
export function isCertainIp({ peer, isPeerForgeable, options }: Omit<IpSource, "headers" | "behindProxy">): boolean {
  if (options.address !== undefined || options.trustedProxies) return true
  return !isPeerForgeable && publicOnly(canonicalIp(peer)) !== undefined
}

/** The address of a client, and whether the client may have written it itself. */
export function clientOf(
  { rateLimit, trustHost }: Pick<SessionContext, "rateLimit" | "trustHost">,
  { headers, peer, isPeerForgeable }: Pick<IpSource, "headers" | "isPeerForgeable"> & Partial<Pick<IpSource, "peer">>,
): { readonly address: string | undefined; readonly isForgeable: boolean } {
  const source = { headers, peer, isPeerForgeable, options: rateLimit || {}, behindProxy: trustHost !== false }
  return { address: clientIp(source), isForgeable: !isCertainIp(source) }
}

function publicOnly(address: string | undefined): string | undefined {
  return address === undefined || isPrivateIp(address) ? undefined : address
}

/**
 * One text per client: the dotted form of an IPv4 address, also of one inside IPv6 (RFC 4291 §2.5.5.2, RFC 6052 §2.1), or the
 * first 64 bits of an IPv6 address, since a client usually has all addresses of a /64.
 */
export function canonicalIp(given: string | undefined): string | undefined {
  const text = given
    ?.trim()
    .replace(/^\[([^\]]*)\](?::\d{1,5})?$|^([\d.]+):\d{1,5}$/, "$1$2")
    .replace(/%.*$/, "")
  if (text === undefined || !/^[\da-f:.]{2,45}$/i.test(text)) return undefined
  const isIPv6 = text.includes(":")
  // The URL standard reads `....` as a name.
  if (!isIPv6 && !/^\d{1,3}(?:\.\d{1,3}){3}$/.test(text)) return undefined
  const address = `http://${isIPv6 ? `[${text}]` : text}`
  if (!URL.canParse(address)) return undefined
  const { hostname } = new URL(address)
  if (isIPv6) return prefixOf(groupsOf(hostname.slice(1, -1)))
  // The URL standard also reads `0x7f.1` and `1`, but no proxy writes addresses that way.
  return hostname === text ? text : undefined
}

/** The eight groups of an IPv6 address in the spelling of the URL standard. */
function groupsOf(address: string): readonly string[] {
  const [left = [], right = []] = address.split("::").map((half) => (half === "" ? [] : half.split(":")))
  return [...left, ...Array<string>(8 - left.length - right.length).fill("0"), ...right]
}

function prefixOf(groups: readonly string[]): string {
  const embeds = /^(?:0:0:0:0:0:ffff|64:ff9b:0:0:0:0)$/.test(groups.slice(0, 6).join(":"))
  if (!embeds) return `${groups.slice(0, 4).join(":")}::/64`
  return groups
    .slice(6)
    .map((group) => Number.parseInt(group, 16))
    .flatMap((pair) => [pair >> 8, pair & 255])
    .join(".")
}
