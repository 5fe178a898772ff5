import { frozenClock } from "@latchkey/testing"
import { attack } from "../../../../tests/attack.js"
import { type Claims, claiming, expectAccepted, expectRefused } from "./openid-setup.js"

/** Claims relative to the time at which the token is created, in seconds. */
function timed(change: (now: number) => Claims) {
  return claiming(({ iat }) => change(Number(iat)))
}

const setting = () => ({ app: { clock: frozenClock() } })
const hour = 3600
const day = 24 * hour
const year = 365 * day

attack("OIDX-01", "an ID token issued in the future or long ago is refused, whatever its expiry", async (mode) => {
  const refused: readonly ((now: number) => Claims)[] = [
    (now) => ({ iat: now + day, exp: now + 2 * day }),
    (now) => ({ iat: now + 61, exp: now + hour }),
    (now) => ({ iat: now - year, exp: now + hour }),
    (now) => ({ iat: now - 601, exp: now + hour }),
    () => ({ iat: 0 }),
    () => ({ iat: -1 }),
    (now) => ({ iat: now * 1000 }),
    (now) => ({ nbf: now + 61 }),
    (now) => ({ nbf: now + 60 }),
    (now) => ({ nbf: String(now) }),
    () => ({ nbf: null }),
  ]
  for (const change of refused) await expectRefused(mode, timed(change), setting())
})

attack("OIDX-01", "ten seconds of clock skew and ten minutes of age are allowed", async (mode) => {
  const accepted: readonly ((now: number) => Claims)[] = [
    (now) => ({ iat: now + 10 }),
    (now) => ({ iat: now + 10, nbf: now + 10 }),
    (now) => ({ iat: now - 10 }),
    (now) => ({ iat: now - 600 }),
    (now) => ({ nbf: now - year }),
  ]
  for (const change of accepted) await expectAccepted(mode, timed(change), setting())
})

attack("OIDX-01", "the allowed age can be configured", async (mode) => {
  const short = { ...setting(), provider: { client: { id_token_max_age: 30 } } }
  await expectRefused(
    mode,
    timed((now) => ({ iat: now - 31 })),
    short,
  )
  await expectAccepted(
    mode,
    timed((now) => ({ iat: now - 30 })),
    short,
  )
  const long = { ...setting(), provider: { client: { id_token_max_age: day } } }
  await expectAccepted(
    mode,
    timed((now) => ({ iat: now - hour })),
    long,
  )
  await expectRefused(
    mode,
    timed((now) => ({ iat: now + 61 })),
    long,
  )
})

attack("OIDX-05", "an ID token that has expired, or has no expiry, is refused", async (mode) => {
  const refused: readonly ((now: number) => Claims)[] = [
    (now) => ({ exp: now - 301 }),
    (now) => ({ exp: now - 61 }),
    (now) => ({ iat: now - 60, exp: now - 61 }),
    () => ({ exp: 0 }),
    () => ({ exp: -1 }),
    () => ({ exp: undefined }),
    () => ({ exp: null }),
    () => ({ exp: "" }),
    () => ({ exp: "never" }),
    () => ({ exp: true }),
    (now) => ({ exp: String(now + hour) }),
    (now) => ({ exp: [now + hour] }),
    (now) => ({ exp: { seconds: now + hour } }),
  ]
  for (const change of refused) await expectRefused(mode, timed(change), setting())
})

attack("OIDX-05", "an ID token that expired five seconds ago is accepted", async (mode) => {
  await expectAccepted(
    mode,
    timed((now) => ({ exp: now - 5 })),
    setting(),
  )
  await expectAccepted(
    mode,
    timed((now) => ({ exp: now + 1 })),
    setting(),
  )
})

attack("OIDX-05", "the time comes from the configured clock", async (mode) => {
  const past = () => ({ app: { clock: frozenClock(Date.UTC(2001, 0, 1)) } })
  await expectAccepted(mode, {}, past())
  await expectRefused(
    mode,
    timed((now) => ({ exp: now - 61 })),
    past(),
  )
  await expectRefused(mode, claiming({ iat: Date.UTC(2026, 0, 1) / 1000 }), past())
})
