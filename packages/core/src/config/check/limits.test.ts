import { expect, test } from "vitest"
import type { AuthConfig } from "../../model/config.js"
import { limitProblems } from "./limits.js"

/** Takes any value, because JavaScript applications can pass what the types forbid. */
function paths(rateLimit: unknown): string[] {
  const config = { providers: [], rateLimit } as unknown as AuthConfig
  return [...limitProblems(config)].map(({ path }) => path)
}

test.each([
  undefined,
  false,
  {},
  { limits: {} },
  { limits: { credentials: false, email: { identifier: false, both: { points: 1, seconds: 1 } } } },
  { store: { take: () => ({ allowed: true, retryAfter: 0 }) }, trustedProxies: 0, address: () => undefined },
])("%j is accepted", (rateLimit) => {
  expect(paths(rateLimit)).toEqual([])
})

test.each([
  [true, "rateLimit"],
  [null, "rateLimit"],
  [{ store: {} }, "rateLimit.store"],
  [{ store: "redis" }, "rateLimit.store"],
  [{ trustedProxies: -1 }, "rateLimit.trustedProxies"],
  [{ trustedProxies: 1.5 }, "rateLimit.trustedProxies"],
  [{ trustedProxies: true }, "rateLimit.trustedProxies"],
  [{ address: "x-real-ip" }, "rateLimit.address"],
  [{ limits: 5 }, "rateLimit.limits"],
  [{ limits: { signin: {} } }, "rateLimit.limits.signin"],
  [{ limits: { email: 5 } }, "rateLimit.limits.email"],
  [{ limits: { email: { ip: false } } }, "rateLimit.limits.email.ip"],
  [{ limits: { email: { address: { points: 0, seconds: 1 } } } }, "rateLimit.limits.email.address"],
  [{ limits: { email: { address: { points: 5 } } } }, "rateLimit.limits.email.address"],
  [{ limits: { email: { address: { points: "5", seconds: 60 } } } }, "rateLimit.limits.email.address"],
  [{ limits: { email: { address: { points: 5, seconds: Number.NaN } } } }, "rateLimit.limits.email.address"],
])("%j is refused at %s", (rateLimit, path) => {
  expect(paths(rateLimit)).toEqual([path])
})
