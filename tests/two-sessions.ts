import { expect } from "vitest"
import { memoryAdapter } from "../packages/adapter-kit/src/memory.js"
import { openBrowser } from "../packages/testing/src/browser/browser.js"

/** A configuration whose database has a user with two sessions. The browser has one of them. */
export async function twoSessions() {
  const adapter = memoryAdapter()
  const user = await adapter.createUser({ id: "1", name: "ada", email: "ada@app.test", emailVerified: null })
  const expires = new Date("2100-01-01T00:00:00.000Z")
  for (const sessionToken of ["this", "other"]) await adapter.createSession({ sessionToken, userId: user.id, expires })
  return {
    secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw",
    trustHost: true,
    adapter,
    providers: [],
    session: { strategy: "database" as const },
  }
}

export function cookieOf(origin: string): string {
  return `${origin.startsWith("https:") ? "__Secure-" : ""}authjs.session-token=this`
}

/** Expects that `GET /sessions` sends the number of the user's sessions, and that `POST /others` ends all but one. */
export async function expectAccount(
  origin: string,
  handle: (request: Request) => Response | Promise<Response>,
): Promise<void> {
  const browser = openBrowser({ origin, handle, headers: { cookie: cookieOf(origin) } })
  await browser.get("/sessions")
  expect(browser.text).toBe("2")
  await browser.post("/others")
  expect(browser.text).toBe("1")
  await browser.get("/sessions")
  expect(browser.text).toBe("1")
}
