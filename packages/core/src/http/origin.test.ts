import { describe, expect, test } from "vitest"
import { UntrustedHost } from "../errors.js"
import { isLoopback } from "../primitives/ip-address.js"
import { resolveOrigin } from "./origin.js"

interface Asked {
  readonly trustHost?: boolean | readonly string[]
  readonly own?: string
  readonly proto?: string
  readonly host?: string
  readonly listedOnly?: boolean
  readonly fixed?: string
}

function originOf({
  trustHost = true,
  own = "https://own.test",
  proto,
  host,
  listedOnly = false,
  fixed,
}: Asked): string {
  const headers = new Headers()
  if (proto !== undefined) headers.set("x-forwarded-proto", proto)
  if (host !== undefined) headers.set("x-forwarded-host", host)
  return resolveOrigin({ origin: fixed, trustHost, security: { listedOriginsOnly: listedOnly } }, { own, headers })
}

describe("the origin", () => {
  test.each<[Asked, string]>([
    [{}, "https://own.test"],
    [{ own: "http://own.test:81", host: "front.test" }, "http://front.test"],
    [{ own: "http://own.test:81", proto: "https" }, "https://own.test:81"],
    [{ proto: " HTTP , https", host: " Front.TEST:8080 , inner" }, "http://front.test:8080"],
    [{ proto: "", host: "" }, "https://own.test"],
    [{ proto: "https", host: "front.test:443" }, "https://front.test"],
    [{ host: "a" }, "https://a"],
    [{ host: "front.test." }, "https://front.test."],
    [{ host: "127.0.0.1:3000" }, "https://127.0.0.1:3000"],
    [{ host: "[2001:db8::1]" }, "https://[2001:db8::1]"],
    [{ host: "[::ffff:127.0.0.1]:80", proto: "http" }, "http://[::ffff:7f00:1]"],
    [{ fixed: "https://real.test", host: "[", trustHost: false }, "https://real.test"],
    [{ listedOnly: true, own: "http://localhost:3000" }, "http://localhost:3000"],
  ])("of %j is %s", (asked, origin) => {
    expect(originOf(asked)).toBe(origin)
  })

  test.each<Asked>([
    { host: "-front.test" },
    { host: "front.test-" },
    { host: "x front.test" },
    { host: "front.test:" },
    { host: "front.test:123456" },
    { host: "front.test:65536" },
    { host: "front.test:80x" },
    { host: "x[::1]" },
    { host: "[::1]x" },
    { host: "[::g]" },
    { host: "[]" },
    { host: "front.test/" },
    { host: "user@front.test" },
    { host: "@" },
    { proto: "xhttps" },
    { proto: "httpss" },
    { proto: "ws" },
    { proto: "https://x/?" },
  ])("is never made from %j", (asked) => {
    expect(() => originOf(asked)).toThrow(UntrustedHost)
    expect(() => originOf(asked)).toThrow("Check the headers that the proxy sends")
  })

  test.each([
    [false, "isn't trusted. Set AUTH_URL"],
    [[], "isn't configured. Add it to `trustHost`"],
    [["other.test"], "isn't configured. Add it to `trustHost`"],
  ])("is not taken from the request with trustHost %j, and says what to do", (trustHost, advice) => {
    const ask = () => originOf({ trustHost })
    expect(ask).toThrow(UntrustedHost)
    expect(ask).toThrow(advice)
  })

  test("is not taken from the request when only listed hosts are served", () => {
    expect(() => originOf({ listedOnly: true })).toThrow("isn't configured")
    expect(originOf({ listedOnly: true, trustHost: ["own.test"] })).toBe("https://own.test")
  })
})

test.each<[string, string, boolean]>([
  ["app.test", "https://app.test", true],
  ["app.test", "https://app.test:8443", true],
  ["app.test", "http://app.test", true],
  ["APP.test", "https://app.test", true],
  ["app.test", "https://x.app.test", false],
  ["app.test", "https://app.test.evil.test", false],
  ["app.test:8443", "https://app.test:8443", true],
  ["app.test:8443", "https://app.test", false],
  ["app.test:443", "https://app.test", true],
  ["app.test:443", "http://app.test", false],
  ["app.test:80", "http://app.test", true],
  ["app.test:80", "https://app.test", false],
  ["app.test:1", "https://app.test:11", false],
  ["app.test:11", "https://app.test:11", true],
  ["https://app.test", "https://app.test", true],
  ["https://app.test", "https://app.test:8443", false],
  ["https://app.test", "http://app.test", false],
  ["http://app.test", "http://app.test", true],
  ["https://app.test:8443", "https://app.test:8443", true],
  ["ftp://app.test", "https://app.test", false],
  ["xhttps://app.test", "https://app.test", false],
  ["*.app.test", "https://a.app.test", true],
  ["*.app.test", "https://a.app.test:8443", true],
  ["*.app.test:8443", "https://a.app.test", false],
  ["https://*.app.test", "https://a.app.test", true],
  ["https://*.app.test", "http://a.app.test", false],
  ["*.app.test", "https://app.test", false],
  ["*.app.test", "https://a.b.app.test", false],
  ["*.app.test", "https://aapp.test", false],
  ["*app.test", "https://a.app.test", false],
  ["x*.app.test", "https://a.app.test", false],
  ["*.localhost", "http://a.localhost:3000", true],
  ["", "https://app.test", false],
  ["[::1]:3000", "http://[::1]:3000", true],
])("the entry %j stands for %s: %s", (entry, own, listed) => {
  const ask = () => originOf({ trustHost: ["other.test", entry], own })
  if (listed) expect(ask()).toBe(own)
  else expect(ask).toThrow(UntrustedHost)
})

test.each([
  ["localhost", true],
  ["a.localhost", true],
  ["long.name.localhost", true],
  ["localhost.", true],
  ["a.localhost.", true],
  ["[::ffff:7f00:1]", true],
  ["[::ffff:7fff:ffff]", true],
  ["[::ffff:8000:1]", false],
  ["[::ffff:7f0:1]", false],
  ["localhost..", false],
  ["127.0.0.1", true],
  ["127.12.34.56", true],
  ["[::1]", true],
  [".localhost", false],
  ["localhost.test", false],
  ["xlocalhost", false],
  ["a.localhost.test", false],
  ["127.a.test", false],
  ["127.0.0.1.test", false],
  ["128.0.0.1", false],
  ["1127.0.0.1", false],
  ["127x0.0.1", false],
  ["[::1]x", false],
  ["x[::1]", false],
  ["[::2]", false],
])("the host %s is this machine: %s", (hostname, expected) => {
  expect(isLoopback({ hostname })).toBe(expected)
})
