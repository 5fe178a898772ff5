import { createServer, type Visitor } from "@latchkey/core/server"
import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { strongSecret } from "../modes/setup.js"
import { logged, visitor } from "../server/setup.js"

const ada = { name: "ada", code: "open" }
const own = { origin: "https://app.test" }

const foreign: readonly Record<string, string>[] = [
  { origin: "https://evil.test" },
  { origin: "https://evil.test", "sec-fetch-site": "cross-site" },
  { origin: "https://app.test", "sec-fetch-site": "cross-site" },
  { origin: "https://sub.app.test", "sec-fetch-site": "same-site" },
  { origin: "null" },
]

attack("CSRF-04", "a forwarded form of another site signs no user in or out", async (mode) => {
  const settings = mode === "strict" ? { url: "https://app.test/auth", secret: strongSecret } : {}
  const server = createServer(logged({ security: mode, ...settings }).config, { forwardsForms: true })
  const { cookies } = await server.signIn(visitor([], own), "credentials", ada)
  for (const sender of mode === "strict" ? [...foreign, {}] : foreign) {
    const from: Visitor = visitor(cookies, sender)
    const attempts = [await server.signOut(from), await server.signIn(from, "credentials", { ...ada, name: "eve" })]
    for (const { to, cookies: set, error } of attempts) {
      expect(to).toBe("https://app.test/auth/signin?error=MissingCSRF")
      expect(error).toMatchObject({ type: "MissingCSRF" })
      expect(set.filter(({ name }) => name.includes("session"))).toEqual([])
    }
  }
  expect((await server.session(visitor(cookies))).session).toMatchObject({ user: { name: "ada" } })
})
