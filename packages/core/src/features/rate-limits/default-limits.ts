import type { RateLimitAction, RateLimitOptions, RateLimits } from "../../model/limits.js"

/** Length of a window in seconds. */
const window = 900

const defaults: Readonly<Record<RateLimitAction, RateLimits>> = {
  credentials: {
    both: { points: 10, seconds: window },
    identifier: { points: 30, seconds: window, thenEvery: 2 },
    address: { points: 50, seconds: window },
    device: { points: 10, seconds: window },
  },
  email: {
    both: { points: 5, seconds: window },
    identifier: { points: 10, seconds: window, thenEvery: 60 },
    address: { points: 30, seconds: window },
    device: { points: 5, seconds: window },
  },
  link: {
    both: { points: 8, seconds: window },
    identifier: { points: 10, seconds: window, thenEvery: 120 },
    address: { points: 50, seconds: window },
    device: { points: 8, seconds: window },
  },
  factor: {
    both: { points: 8, seconds: window },
    identifier: { points: 10, seconds: window, thenEvery: 120 },
    address: { points: 50, seconds: window },
  },
  callback: { address: { points: 50, seconds: window } },
  webauthn: { address: { points: 50, seconds: window } },
}

/** The limits for an action. `undefined`: it has none. */
export function limitsFor(options: RateLimitOptions | false, action: RateLimitAction): RateLimits | undefined {
  const own = options === false ? false : options.limits?.[action]
  if (own === false) return undefined
  return own === undefined ? defaults[action] : { ...defaults[action], ...own }
}
