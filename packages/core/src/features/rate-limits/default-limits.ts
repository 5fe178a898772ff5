import type { RateLimit, RateLimitAction, RateLimitOptions, RateLimits } from "../../model/limits.js"

/** For each action, in the order in which an attempt takes its points. */
const defaults: Readonly<Record<RateLimitAction, RateLimits>> = {
  credentials: { device: per15(10), address: per15(50), both: per15(10), identifier: per15(30, { thenEvery: 2 }) },
  email: { device: per15(5), address: per15(30), both: per15(5), identifier: per15(10, { thenEvery: 60 }) },
  link: { device: per15(8), address: per15(50), both: per15(8), identifier: per15(10, { thenEvery: 120 }) },
  factor: { address: per15(50), both: per15(8), identifier: per15(10, { thenEvery: 120 }) },
  callback: { address: per15(50) },
  webauthn: { address: per15(50) },
}

/** In 15 minutes. */
function per15(points: number, slow: Pick<RateLimit, "thenEvery"> = {}): RateLimit {
  return { points, seconds: 900, ...slow }
}

/** The limit of one kind for an action. `false` or `undefined`: it has none. */
export function limitFor(
  options: RateLimitOptions | false,
  action: RateLimitAction,
  kind: keyof RateLimits,
): RateLimit | false | undefined {
  const own = options && options.limits?.[action]
  return own === false ? false : (own?.[kind] ?? defaults[action][kind])
}
