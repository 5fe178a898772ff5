import { check, skipCSRFCheck } from "@latchkey/core"
import type { AuthConfig } from "@latchkey/core/types"
import { expect } from "vitest"
import { attack, strictAttack } from "../../../../tests/attack.js"
import { op, secret } from "../http/app.js"
import { address, bare } from "./surface-setup.js"

const production = { environment: "production" } as const

/** Each setting that weakens security, with its warning. */
const flags: readonly (readonly [what: string, given: Partial<AuthConfig>, code: string])[] = [
  ["debug messages", { debug: true }, "debug-enabled"],
  ["a provider without checks", { providers: [op.provider({ checks: [] })] }, "checks-disabled"],
  ["a provider whose checks are none", { providers: [op.provider({ checks: ["none"] })] }, "checks-disabled"],
  ["a weak secret", { secret: "short" }, "weak-secret"],
  ["a weak secret of tokens", { jwt: { secret: "short" } }, "weak-secret"],
]

/** The warnings that are errors under `security: "strict"`. */
const refusedByStrict: ReadonlySet<string> = new Set(["checks-disabled", "weak-secret"])

attack("CFG-04", "a setting that weakens production is refused, or logged once with what to do", async (mode) => {
  for (const [what, given, code] of flags) {
    const { get, log } = bare(mode, { ...production, ...given })
    const statuses = [(await get("/auth/providers")).status, (await get("/auth/session")).status]
    const refused = mode === "strict" && refusedByStrict.has(code)
    expect([what, ...statuses]).toEqual([what, ...(refused ? [500, 500] : [200, 200])])
    const told = log.entries.filter(
      ({ level, message }) => level === (refused ? "error" : "warn") && (refused || message === code),
    )
    expect([what, told.length]).toEqual([what, 1])
    expect(told[0]?.text.length).toBeGreaterThan(code.length + 20)
    expect(told[0]?.text).not.toContain(secret)
  }
})

attack("CFG-04", "a disabled CSRF check is logged when a token is first requested", async (mode) => {
  const { get, log } = bare(mode, { ...production, skipCSRFCheck })
  expect((await get("/auth/csrf")).status).toBe(404)
  expect(log.entries.map(({ message }) => message)).toContain("csrf-disabled")
})

attack("CFG-04", "a secure configuration logs nothing", async (mode) => {
  const { get, log } = bare(mode, production)
  for (const path of ["providers", "session", "csrf", "signin"]) await get(`/auth/${path}`)
  expect(log.entries).toEqual([])
})

attack("CFG-04", "`checkConfig` reports the same without a request", (mode) => {
  const sound: AuthConfig = { secret, security: mode, url: address, providers: [op.provider()], ...production }
  expect(check(sound)).toEqual({ errors: [], warnings: [] })
  for (const [what, given, code] of flags.filter(([, , each]) => each !== "debug-enabled")) {
    const { errors, warnings } = check({ ...sound, ...given })
    const found = mode === "strict" && refusedByStrict.has(code) ? errors.length : warnings.length
    expect([what, found]).toEqual([what, 1])
  }
})

strictAttack("CFG-04", "origin", "`trustHost: true` is refused in production, in every spelling", async () => {
  for (const trustHost of [true, [], undefined] as const) {
    const { get, log } = bare("strict", { ...production, url: undefined, trustHost })
    expect((await get("/auth/session")).status).toBe(500)
    expect(log.entries.filter(({ level }) => level === "error")).toHaveLength(1)
  }
})
