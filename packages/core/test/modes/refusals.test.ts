import { Auth } from "@latchkey/core"
import { createServer } from "@latchkey/core/server"
import type { AuthConfig } from "@latchkey/core/types"
import { captureLog } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { compatible, hardened, strongSecret } from "./setup.js"

const weak = "this is not a very random secret at all"

async function answer(config: Partial<AuthConfig>, url = "https://app.test/auth/csrf") {
  const log = captureLog()
  const whole = Object.freeze({ secret: strongSecret, providers: [], logger: log.logger, ...config })
  const response = await Auth(new Request(url), whole)
  return { status: response.status, log, whole, said: log.entries.map(({ message }) => message) }
}

describe("origins that are not listed", () => {
  test.each(compatible("listedOriginsOnly", false))(
    "under %s `trustHost: true` serves every host",
    async (_, security) => {
      expect((await answer({ security, trustHost: true })).status).toBe(200)
    },
  )

  const named = hardened("listedOriginsOnly", true)

  test.each(named)("under %s `trustHost: true` is refused in production", async (_, security) => {
    const { status, log } = await answer({ security, trustHost: true })
    expect(status).toBe(500)
    expect(log.entries[0]?.detail).toMatchObject({ type: "UntrustedHost" })
    expect(log.entries[0]?.message).toMatch(/AUTH_URL.*trustHost/)
  })

  test.each(named)("under %s a list of hosts is served and other hosts get 400", async (_, security) => {
    const trustHost = ["app.test", "*.preview.test"]
    expect((await answer({ security, trustHost })).status).toBe(200)
    expect((await answer({ security, trustHost }, "https://a.preview.test/auth/csrf")).status).toBe(200)
    expect((await answer({ security, trustHost }, "https://evil.test/auth/csrf")).status).toBe(400)
  })

  test.each(named)("under %s `url` is enough", async (_, security) => {
    expect((await answer({ security, url: "https://app.test/auth" })).status).toBe(200)
  })

  test.each(named)("under %s development serves localhost only", async (_, security) => {
    const config = { security, trustHost: true, environment: "development" } as const
    expect((await answer(config, "http://localhost:3000/auth/csrf")).status).toBe(200)
    expect((await answer(config, "http://127.0.0.1:3000/auth/csrf")).status).toBe(200)
    const { status, log } = await answer(config, "https://evil.test/auth/csrf")
    expect(status).toBeGreaterThanOrEqual(400)
    expect(log.entries[0]?.detail).toMatchObject({ type: "UntrustedHost" })
  })
})

describe("a weak secret", () => {
  const url = "https://app.test/auth"

  test.each(compatible("refuseWeakSecret", false))("is warned about under %s, and used", async (_, security) => {
    const { status, said } = await answer({ security, url, secret: weak })
    expect(status).toBe(200)
    expect(said).toEqual(["weak-secret"])
  })

  const named = hardened("refuseWeakSecret", true)

  test.each(named)("is refused in production under %s, and does not appear in the message", async (_, security) => {
    const { status, log } = await answer({ security, url, secret: weak })
    expect(status).toBe(500)
    expect(log.entries[0]?.detail).toMatchObject({ type: "InvalidConfig" })
    log.forbid(weak)
    log.assertClean()
  })

  test.each(named)("is refused next to strong ones too (%s)", async (_, security) => {
    expect((await answer({ security, url, secret: [strongSecret, weak] })).status).toBe(500)
    expect((await answer({ security, url, jwt: { secret: weak } })).status).toBe(500)
  })

  test.each(named)("only causes a warning in development (%s)", async (_, security) => {
    const { status, said } = await answer({ security, url, secret: weak, environment: "development" })
    expect(status).toBe(200)
    expect(said).toEqual(["weak-secret"])
  })

  test.each([
    ["compatible", 200],
    ["strict", 200],
  ] as const)("32 random bytes are strong under %s", async (security, status) => {
    const bytes = crypto.getRandomValues(new Uint8Array(32))
    for (const secret of [Buffer.from(bytes).toString("hex"), Buffer.from(bytes).toString("base64")]) {
      const { status: got, said } = await answer({ security, url, secret })
      expect([got, said]).toEqual([status, []])
    }
  })
})

test("a refused configuration makes the server functions fail too", async () => {
  const { whole } = await answer({ security: "strict", trustHost: true })
  const view = await createServer(whole).session({ headers: new Headers(), origin: "https://app.test" })
  expect(view).toMatchObject({ session: null, cookies: [], error: { type: "UntrustedHost" } })
})

test.each([
  ["compatible", 200],
  ["strict", 500],
] as const)('a provider with `checks: ["none"]`: %s answers %i', async (security, status) => {
  const provider = {
    id: "op",
    name: "OP",
    type: "oidc",
    issuer: "https://op.test",
    clientId: "a",
    checks: ["none"],
  } as const
  const result = await answer({ security, url: "https://app.test/auth", providers: [provider] })
  expect(result.status).toBe(status)
})
