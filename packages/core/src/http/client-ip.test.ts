import { describe, expect, test } from "vitest"
import { type IpSource, canonicalIp, clientIp } from "./client-ip.js"

describe("the canonical form of an IP address", () => {
  test.each([
    ["203.0.113.7", "203.0.113.7"],
    [" 203.0.113.7 ", "203.0.113.7"],
    ["203.0.113.7:4711", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["::FFFF:CB00:7107", "203.0.113.7"],
    ["0:0:0:0:0:ffff:203.0.113.7", "203.0.113.7"],
    ["64:ff9b::203.0.113.7", "203.0.113.7"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["2001:DB8:0:0:ffff:ffff:ffff:ffff", "2001:db8:0:0::/64"],
    ["2001:0db8:0000:0000:0000:0000:0000:0002", "2001:db8:0:0::/64"],
    ["[2001:db8::1]:443", "2001:db8:0:0::/64"],
    ["[2001:db8::1]", "2001:db8:0:0::/64"],
    ["2001:db8:0:1::1", "2001:db8:0:1::/64"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["10::ffff:cb00:7107", "10:0:0:0::/64"],
    ["164:ff9b::cb00:7107", "164:ff9b:0:0::/64"],
    ["2001:db8::1%eth0", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
  ])("of %s is %s", (text, canonical) => {
    expect(canonicalIp(text)).toBe(canonical)
  })

  test.each([
    undefined,
    "",
    "unknown",
    "_hidden",
    "1.2.3",
    "0x7f.0.0.1",
    "010.0.0.1",
    "1.2.3.4.5",
    "256.1.1.1",
    "1.2.3.4/8",
    "12345",
    "fe80",
    ":",
    "1::2::3",
    "2001:db8::1]",
    "2001:db8::1]/x",
    "::2]@[2001:db8::1",
    "20[01:db8::1]",
    "[2001:db8::1]00",
    "2001:db8::\n1",
    "1.2.3.4a",
    "203.0.113.7, 203.0.113.8",
    "example.com",
    `${"1".repeat(50)}:`,
  ])("doesn't exist for %j", (text) => {
    expect(canonicalIp(text)).toBeUndefined()
  })
})

function client(source: Partial<Omit<IpSource, "headers">> & { readonly forwarded?: string }): string | undefined {
  const { forwarded, ...rest } = source
  const headers = new Headers(forwarded === undefined ? {} : { "x-forwarded-for": forwarded })
  return clientIp({ headers, peer: undefined, options: {}, behindProxy: false, ...rest })
}

describe("with `trustedProxies`", () => {
  test.each([
    [1, "198.51.100.9, 203.0.113.7", "203.0.113.7"],
    [2, "198.51.100.9, 203.0.113.7, 192.0.2.1", "203.0.113.7"],
    [1, "10.1.2.3", "10.1.2.3"],
    [2, "203.0.113.7", undefined],
    [1, "203.0.113.7, unknown", undefined],
    [1, undefined, undefined],
  ])(
    "set to %s, the X-Forwarded-For header %j gives the client %s, whatever the peer address",
    (trustedProxies, forwarded, expected) => {
      const given = forwarded === undefined ? {} : { forwarded }
      expect(client({ ...given, peer: "192.0.2.200", options: { trustedProxies } })).toBe(expected)
    },
  )
})

describe("without `trustedProxies`", () => {
  test("X-Forwarded-For is ignored unless the proxy headers are trusted for the host, too", () => {
    expect(client({ forwarded: "203.0.113.7" })).toBeUndefined()
    expect(client({ forwarded: "203.0.113.7", options: { trustedProxies: 0 } })).toBeUndefined()
    expect(client({ forwarded: "203.0.113.7", behindProxy: true })).toBe("203.0.113.7")
  })

  test("the right-most public entry is the client, because entries to its left can be forged", () => {
    const forwarded = "198.51.100.9, 203.0.113.7, 10.0.0.5, fd00::1"
    expect(client({ forwarded, behindProxy: true })).toBe("203.0.113.7")
  })

  test("the peer address takes precedence over X-Forwarded-For", () => {
    expect(client({ peer: "192.0.2.1", forwarded: "203.0.113.7", behindProxy: true })).toBe("192.0.2.1")
  })

  test.each([
    "127.0.0.1",
    "::1",
    "10.0.0.5",
    "172.16.3.4",
    "172.20.0.1",
    "172.31.0.1",
    "192.168.1.1",
    "169.254.1.1",
    "100.64.0.1",
    "100.70.0.1",
    "100.100.0.1",
    "100.119.0.1",
    "100.127.0.1",
    "fc00::1",
    "fd12::1",
    "fe80::1",
    "febf::1",
  ])("the private address %s is never the client, because it is likely a proxy", (peer) => {
    expect(client({ peer })).toBeUndefined()
    expect(client({ peer, forwarded: "203.0.113.7", behindProxy: true })).toBe("203.0.113.7")
    expect(client({ forwarded: peer, behindProxy: true })).toBeUndefined()
  })

  test.each([
    "172.15.0.1",
    "172.32.0.1",
    "100.63.0.1",
    "100.128.0.1",
    "192.169.0.1",
    "11.0.0.1",
    "8.10.0.1",
    "8.169.254.1",
    "8.172.16.1",
    "8.192.168.1",
    "8.100.64.1",
  ])("the public address %s is the client", (peer) => {
    expect(client({ peer })).toBe(peer)
  })

  test.each(["2001:fd00:1:2::1", "2001:fe80:1:2::1", "2a00:0:0:0:1::1"])(
    "the public address %s is the client",
    (peer) => {
      expect(client({ peer })).toBe(canonicalIp(peer))
    },
  )
})

test("`address` overrides every other source, even when it returns undefined", () => {
  const options = { address: (headers: Headers) => headers.get("x-real-ip") ?? undefined, trustedProxies: 1 }
  const headers = new Headers({ "x-real-ip": "10.9.8.7", "x-forwarded-for": "203.0.113.7" })
  const source = { headers, peer: "192.0.2.1", options, behindProxy: true }
  expect(clientIp(source)).toBe("10.9.8.7")
  headers.delete("x-real-ip")
  expect(clientIp(source)).toBeUndefined()
})
