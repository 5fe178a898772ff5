import type { RateLimitOptions } from "../model/limits.js"

/** What can tell where a request came from. */
export interface IpSource {
  readonly headers: Headers
  /** What the integration knows, such as the other end of the socket. */
  readonly peer: string | undefined
  readonly options: Pick<RateLimitOptions, "address" | "trustedProxies">
  /** Whether forwarded headers are believed at all (`trustHost`). */
  readonly behindProxy: boolean
}

/**
 * The client's address, as the key that it is counted under. `undefined`: not known, and then nobody must share a
 * bucket. What is configured is believed as it is; what is only likely is believed if it is a public address, since
 * another one is mostly that of a proxy nobody mentioned, and behind it is everybody.
 */
export function clientIp({ headers, peer, options, behindProxy }: IpSource): string | undefined {
  if (options.address !== undefined) return canonicalIp(options.address(headers))
  const forwarded = headers.get("x-forwarded-for")?.split(",") ?? []
  if (options.trustedProxies) return canonicalIp(forwarded.at(-options.trustedProxies))
  const known = publicOnly(canonicalIp(peer))
  if (known !== undefined || !behindProxy) return known
  return forwarded.map(canonicalIp).findLast((address) => publicOnly(address) !== undefined)
}

/** RFC 1918, 4193, 4291 §2.5, 6598: this machine, or a network of one's own. */
const notPublic =
  /^(?:0|10|127)\.|^169\.254\.|^172\.(?:1[6-9]|2\d|3[01])\.|^192\.168\.|^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|^(?:f[cd]..|fe[89ab].|0:0:0:0):/

function publicOnly(address: string | undefined): string | undefined {
  return address === undefined || notPublic.test(address) ? undefined : address
}

/**
 * One text for one client: IPv4 dotted, also where IPv6 carries it (RFC 4291 §2.5.5.2, RFC 6052 §2.1); of IPv6 the first
 * 64 bits, as whoever has one address of them has all.
 */
export function canonicalIp(given: string | undefined): string | undefined {
  const text = given
    ?.trim()
    .replace(/^\[([^\]]*)\](?::\d{1,5})?$|^([\d.]+):\d{1,5}$/, "$1$2")
    .replace(/%.*$/, "")
  if (text === undefined || !/^[\da-f:.]{2,45}$/i.test(text)) return undefined
  const isIPv6 = text.includes(":")
  // The URL standard takes `....` for a name.
  if (!isIPv6 && !/^\d{1,3}(?:\.\d{1,3}){3}$/.test(text)) return undefined
  const address = `http://${isIPv6 ? `[${text}]` : text}`
  if (!URL.canParse(address)) return undefined
  const { hostname } = new URL(address)
  if (isIPv6) return prefixOf(groupsOf(hostname.slice(1, -1)))
  // The URL standard also reads `0x7f.1` and `1`: those are nobody's spelling of a client.
  return hostname === text ? text : undefined
}

/** The eight groups of an address that the URL standard wrote: lower case, with at most one `::`. */
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
