import { frozenClock } from "@latchkey/testing"
import { expect } from "vitest"
import { attack, type Mode } from "../../../../tests/attack.js"
import { perRequest, type PerRequest, type Turn } from "../limits/per-request.js"

let sites = 0
const newSecret = () => `k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGpR5aJ0${String(++sites).padStart(6, "0")}`

const plain: Turn = {
  host: "app.test",
  basePath: "/auth",
  freshAdapter: false,
  reads: 0,
  through: "Auth",
  listOfSecrets: false,
}

async function twoHundred(its: PerRequest, turn: (at: number) => Partial<Turn>): Promise<number> {
  for (let at = 0; at < 200; at++) await its.guess({ ...plain, ...turn(at) })
  return its.checked()
}

const turns: readonly (readonly [string, (at: number) => Partial<Turn>])[] = [
  ["a configuration that is made for each request", () => ({})],
  ["an adapter that is made for each request", () => ({ freshAdapter: true })],
  ["a configuration that is replaced after four requests", () => ({ reads: 2 })],
  ["an adapter that is replaced after four requests", () => ({ reads: 2, freshAdapter: true })],
  ["a server that is made for each request", () => ({ reads: 2, through: "server", freshAdapter: true })],
  [
    "each spelling of a mount path",
    (at) => ({ reads: 2, basePath: ["/auth", "/AUTH", "/Auth", "/auth/"][at % 4] ?? "" }),
  ],
  ["a mount path with a parameter", (at) => ({ reads: 2, basePath: `/tenant-${at}/auth` })],
  ["the host of the request", (at) => ({ reads: 2, host: `tenant-${at}.app.test` })],
  ["a list with the same secret", (at) => ({ reads: 2, listOfSecrets: at % 2 === 0 })],
]

for (const [what, turn] of turns) {
  attack("RATE-01", `${what} begins no new counters`, async (mode: Mode) => {
    const security = mode === "strict" ? { mode, revocableSessions: false } : mode
    const its = perRequest(newSecret(), { security, runtime: frozenClock().runtime })
    expect(await twoHundred(its, turn)).toBe(30)
  })
}
