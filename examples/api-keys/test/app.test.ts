import { openBrowser } from "@latchkey/testing"
import { expect, test, vi } from "vitest"

test("a user creates a key, and a program reads with it, but may not write", async () => {
  vi.stubEnv("AUTH_URL", "http://localhost:3000/auth")
  vi.stubEnv("AUTH_SECRET", "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGqR8eJ2aV5pLw")
  vi.stubEnv("DATABASE_FILE", ":memory:")
  const lines: string[] = []
  // The terminal is the user's mailbox.
  vi.stubGlobal("console", { ...console, log: (line: string) => void lines.push(line) })
  const { app } = await import("../src/app.ts")
  const { disabled } = await import("../src/auth.ts")
  const browser = openBrowser({ origin: "http://localhost:3000", handle: async (request) => app.fetch(request) })
  await browser.signIn("email", { email: "ada@users.test", callbackUrl: "/auth/account" })
  await browser.get(/http\S+/.exec(lines[0] ?? "")?.[0] ?? "")
  await browser.submitForm("api-keys/create", { keyName: "CI", days: "30", "scope:ships:read": "yes" })
  const [key = ""] = /harbor_\w{16}_\w{38}/.exec(browser.text) ?? []
  const headers = { authorization: `Bearer ${key}` }
  const read = async () => app.request("/api/ships", { headers })
  expect(await (await read()).json()).toMatchObject({ ships: ["Argo", "Beagle"] })
  expect((await app.request("/api/ships", { method: "POST", headers, body: "{}" })).status).toBe(403)
  const activity = await (await app.request("/api/activity", { headers })).json()
  expect(activity).toMatchObject({
    activity: expect.arrayContaining([expect.objectContaining({ name: "api-keys.created" })]),
  })
  const none = await app.request("/api/ships")
  expect([none.status, none.headers.get("www-authenticate")]).toEqual([401, 'Bearer realm="harbor"'])
  const [{ userId }] = [(await (await read()).json()) as { userId: string }]
  disabled.add(userId)
  expect((await read()).status).toBe(401)
  expect(lines.at(-1)).toContain("An API key was added to your account: CI")
})
