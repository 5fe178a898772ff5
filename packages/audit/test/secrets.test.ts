import { audit, type AuditEntry } from "@latchkey/audit"
import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import type { SecurityEvent } from "@latchkey/core/types"
import { createProvider, frozenClock, visit } from "@latchkey/testing"
import fc from "fast-check"
import { expect, test } from "vitest"
import { memorySink } from "./site.js"

// What is planted in requests, at providers and in the configuration never reaches an entry.

const planted = {
  secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGqR8eJ2aV5pLw",
  email: "ada.lovelace@secret-users.test",
  name: "Augusta Ada King-Noel",
  password: "correct horse battery staple 7",
  token: "gho_16C7e42F292c6912E7710c838347Ae178B4a0000",
  code: "SplxlOBeZQQYbYS6WxSbIASplxlOBeZQ",
}

const actions = {
  signIn: async ({ browser, op }: Playing) => browser.signInWith(op, { as: "ada" }),
  forgedCallback: async ({ browser }: Playing) =>
    browser.get(`/auth/callback/op?code=${planted.code}&state=${planted.token}`),
  email: async ({ browser }: Playing) => browser.signIn("email", { email: planted.email }),
  wrongEmail: async ({ browser }: Playing) =>
    browser.signIn("email", { email: `${planted.password} ${planted.email}` }),
  badCsrf: async ({ browser }: Playing) =>
    browser.post("/auth/signout", { csrfToken: planted.token, password: planted.password }),
  unknownProvider: async ({ browser }: Playing) => browser.get(`/auth/callback/${encodeURIComponent(planted.email)}`),
  unknownPath: async ({ browser }: Playing) =>
    browser.get(`/auth/${planted.token}/${planted.code}?token=${planted.token}`),
  signOut: async ({ browser }: Playing) => browser.signOut(),
}

interface Playing {
  readonly browser: Awaited<ReturnType<typeof visit>>
  readonly op: ReturnType<typeof createProvider>
}

async function play(names: readonly (keyof typeof actions)[]): Promise<readonly AuditEntry[]> {
  const [sink, clock] = [memorySink(), frozenClock()]
  const people = { ada: { sub: "ada", email: planted.email, name: planted.name, email_verified: true } }
  const op = createProvider({ clock, people })
  const email = { id: "email", name: "Email", type: "email", sendVerificationRequest: () => undefined } as const
  const browser = await visit(
    {
      secret: planted.secret,
      trustHost: true,
      adapter: memoryAdapter(),
      providers: [op.provider(), email],
      runtime: clock.runtime,
      logger: { error: () => undefined, warn: () => undefined, debug: () => undefined },
      modules: [audit({ sinks: [sink] })],
    },
    { clock, headers: { "user-agent": `Mozilla/5.0 (${planted.email}) Bearer ${planted.token}` } },
  )
  const seen = new Set<string>(Object.values(planted))
  for (const name of names) {
    await actions[name]({ browser, op })
    for (const { value } of browser.cookies) if (value.length > 8) seen.add(value)
  }
  const text = JSON.stringify(sink.entries).toLowerCase()
  for (const each of seen)
    for (const form of [each, encodeURIComponent(each), each.slice(0, 24)])
      expect(text).not.toContain(form.toLowerCase())
  return sink.entries
}

test("of random requests, no entry has a cookie, token, code, password, email or name", async () => {
  const names = fc.constantFrom(...(Object.keys(actions) as (keyof typeof actions)[]))
  let entries = 0
  await fc.assert(
    fc.asyncProperty(fc.array(names, { minLength: 2, maxLength: 8 }), async (sequence) => {
      entries += (await play(sequence)).length
    }),
    { numRuns: 60, seed: 7 },
  )
  expect(entries).toBeGreaterThan(100)
})

test("texts that a visitor or the application made up are cleaned and bounded", async () => {
  const sink = memorySink()
  const { on } = audit({ sinks: [sink] })
  const event: SecurityEvent = {
    name: "credentials.revoked",
    outcome: "success",
    at: new Date(0),
    actor: { kind: "application" },
    subject: { kind: "attempt", provider: `x/${planted.email}` },
    session: undefined,
    request: {
      method: "GET",
      path: `/auth/reset/${planted.token}`,
      ip: "203.0.113.7",
      isIpForgeable: false,
      userAgent: `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (${planted.email})`,
    },
    reason: `${planted.email} asked, token ${planted.token}, ${"x".repeat(40)}${" y".repeat(4000)}`,
    data: { about: planted.email, list: [planted.email, "fine"], long: "z ".repeat(9000), none: undefined },
  }
  await on?.security?.(event)
  const [entry] = sink.entries
  expect(entry?.request).toEqual({
    method: "GET",
    path: "/auth/reset/[redacted]",
    ip: "203.0.113.7",
    ipForgeable: false,
    userAgent: "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 ([redacted])",
  })
  expect(entry?.reason).toMatch(/^\[redacted\] asked, token \[redacted\], \[redacted\] y/)
  expect(entry?.data).toMatchObject({ about: "[redacted]", list: ["[redacted]", "fine"] })
  expect(JSON.stringify(entry).length).toBeLessThan(4000)
})

test("an entry has the documented keys, in this order, and an id that has its time", async () => {
  const sink = memorySink()
  const { on } = audit({ sinks: [sink] })
  const event: SecurityEvent = {
    name: "sign-in",
    outcome: "success",
    at: new Date("2030-01-02T03:04:05.678Z"),
    actor: { kind: "user", id: "1" },
    subject: { kind: "user", id: "1" },
    session: "s",
    request: { method: "POST", path: "/auth/callback/op", ip: undefined, isIpForgeable: true, userAgent: undefined },
    reason: "r",
    data: { provider: "op", isNewUser: true },
  }
  for (let count = 0; count < 5000; count++) await on?.security?.(event)
  await on?.security?.({ ...event, at: new Date("2029-01-01T00:00:00.000Z") })
  const [entry] = sink.entries
  const { id, ...rest } = entry ?? { id: "" }
  expect(JSON.stringify(rest)).toBe(
    '{"v":1,"at":"2030-01-02T03:04:05.678Z","name":"sign-in","outcome":"success","actor":{"kind":"user","id":"1"},"subject":{"kind":"user","id":"1"},"session":"s","request":{"method":"POST","path":"/auth/callback/op","ipForgeable":true},"reason":"r","data":{"provider":"op","isNewUser":true}}',
  )
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16)).toBe(Date.parse("2030-01-02T03:04:05.678Z"))
  const ids = sink.entries.map((each) => each.id)
  expect(ids).toEqual(ids.toSorted())
  expect(new Set(ids).size).toBe(5001)
})
