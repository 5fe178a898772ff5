import type { Platform } from "../../src/crypto/platform.js"
import { platform as node } from "../../src/crypto/node.js"
import { platform as web } from "../../src/crypto/web.js"
import { captureLog } from "@latchkey/testing"
import { expect, onTestFinished, test, vi } from "vitest"
import { code, cookieHeader, secret } from "./setup.js"

/** A server of another copy of the package, as a bundler makes one, for the platform that its import conditions say. */
async function serverFor(platform: Platform) {
  vi.resetModules()
  onTestFinished(() => void vi.resetModules())
  // Replaces the `imports` condition of the package. Both are the real modules.
  vi.doMock("#crypto", () => ({ platform }))
  const { createServer } = await import("../../src/server.js")
  vi.doUnmock("#crypto")
  const { logger } = captureLog()
  return createServer({ secret, url: "https://app.test", providers: [code], logger })
}

test.each([
  { first: "Node", copies: [node, web] },
  { first: "Web Crypto", copies: [web, node] },
] as const)(
  "two copies for different platforms in one process read each other's sessions: $first first",
  async (its) => {
    const [first, second] = [await serverFor(its.copies[0]), await serverFor(its.copies[1])]
    const visitor = { headers: new Headers() }
    const { cookies } = await first.signIn(visitor, "credentials", { name: "ada", code: "open", redirectTo: "/" })
    const user = { headers: new Headers({ cookie: cookieHeader(cookies) }) }
    for (const server of [first, second])
      expect(await server.session(user)).toMatchObject({ session: { user: { name: "ada" } }, cookies: [] })
  },
)
