import { captureLog } from "@latchkey/testing"
import fc from "fast-check"
import { expect, test } from "vitest"
import { compile } from "../compile.js"
import { toSessionRequest } from "../../src/http/origin.js"
import type { AuthConfig } from "../../src/model/config.js"
import { holds, patience } from "../fuzz/holds.js"

const secret = "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw"
const hosts = ["app.test", "a.app.test", "APP.test", "xn--bcher-kva.example", "app.test:8080"]
const sites: readonly Partial<AuthConfig>[] = [
  { trustHost: hosts.map((host) => host.replace(/:.*/, "")) },
  { trustHost: ["*.app.test", ...hosts.map((host) => host.replace(/:.*/, ""))] },
]
const request = fc.record({
  scheme: fc.constantFrom("http", "https"),
  host: fc.constantFrom(...hosts),
  headers: fc.record(
    {
      "x-forwarded-proto": fc.constantFrom("http", "https", "http,https", "https, http", "HTTP", ""),
      "x-forwarded-host": fc.constantFrom(...hosts),
      host: fc.constantFrom(...hosts),
    },
    { requiredKeys: [] },
  ),
})

/** Headers that only a browser on https sends. */
const evidence = fc.constantFrom<Record<string, string>>({ "sec-fetch-site": "none" }, { cookie: "__Secure-a=1" })

test(
  "in production, no request to a public site leads to insecure cookies",
  async () => {
    await holds(
      fc.property(fc.constantFrom(...sites), request, (rest, { scheme, host, headers }) => {
        const logger = captureLog().logger
        const auth = compile({ secret, providers: [], environment: "production", logger, ...rest })
        const seen = toSessionRequest(auth, {
          origin: `${scheme}://${host.toLowerCase()}`,
          headers: new Headers(headers),
        })
        expect(seen.scheme.secure).toBe(true)
        for (const cookie of Object.values(seen.scheme.cookies)) expect(cookie.options.secure).toBe(true)
      }),
    )
  },
  patience,
)

test(
  "in production with `trustHost: true`, no request that a browser sends over https leads to insecure cookies",
  async () => {
    await holds(
      fc.property(request, evidence, ({ scheme, host, headers }, sent) => {
        const logger = captureLog().logger
        const auth = compile({ secret, providers: [], environment: "production", logger, trustHost: true })
        const origin = `${scheme}://${host.toLowerCase()}`
        const seen = toSessionRequest(auth, { origin, headers: new Headers({ ...headers, ...sent }) })
        expect(seen.scheme.secure).toBe(true)
      }),
    )
  },
  patience,
)
