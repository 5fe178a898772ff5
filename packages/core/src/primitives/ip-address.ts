// IP addresses in the spelling of the URL standard, which has one text for each address: IPv6 in lowercase and compressed.

const privateIPv4 =
  /^(?:0|10|127)\.|^169\.254\.|^172\.(?:1[6-9]|2\d|3[01])\.|^192\.168\.|^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./
const privateIPv6 = /^(?:::|0:0:0:0:|f[cd][\da-f]{2}:|fe[89ab][\da-f]:)/

/** This machine, private networks and carrier-grade NAT (RFC 1918, 3927, 4193, 4291 §2.5, 6598). */
export function isPrivateIp(ip: string): boolean {
  return privateIPv4.test(ip) || privateIPv6.test(ip)
}

const specialIPv4 = /^192\.0\.0\.|^198\.1[89]\.|^(?:22[4-9]|2[345]\d)\./
const specialIPv6 = /^(?:ff|fe[c-f]|f[cd]|64:ff9b:|2002:|2001:(?:0|):)/

/**
 * Addresses that no public server has: private ones, multicast and benchmark networks (RFC 6890), and IPv6 addresses with
 * an IPv4 address inside, which may be a private one (RFC 6052, 3056, 4380).
 */
export function isSpecialPurposeIp(ip: string): boolean {
  return isPrivateIp(ip) || specialIPv4.test(ip) || specialIPv6.test(ip)
}

/**
 * Whether a URL points to this machine, by name or by IP address, also of IPv4 inside IPv6. No other machine can listen in on
 * such requests. The URL standard has read `127.1` and `0x7f.1`, but leaves the dot at the end of a name.
 */
export function isLoopback({ hostname }: Pick<URL, "hostname">): boolean {
  return /^(?:(?:.+\.)?localhost\.?|127\.[\d.]+|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/.test(hostname)
}

const privateSuffix = /\.(?:localhost|local|internal|intranet|lan|home|corp|private|home\.arpa)$/

/** Whether a host has a name that the public DNS may have. IP addresses and names of a local network have none. */
export function isPublicName(hostname: string): boolean {
  const name = hostname.replace(/\.$/, "")
  const isIp = name.startsWith("[") || /^[\d.]+$/.test(name)
  return name.includes(".") && !isIp && !privateSuffix.test(name)
}
