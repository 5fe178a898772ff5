// A tab that was open when the application moved to version 5: the browser code of next-auth 4.24.15 talks to the engine.
import { createRequire } from "node:module"
import { Auth } from "@latchkey/core"
import credentials from "@latchkey/core/providers/credentials"
import type { AuthConfig } from "@latchkey/core/types"
import { createProvider } from "@latchkey/testing"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"

type Anything = ReturnType<typeof JSON.parse>

const client: Anything = createRequire(import.meta.url)("next-auth-4/react")
const origin = "https://app.test"
const op = createProvider({ id: "op" })

const config: AuthConfig = {
  secret: "mD5rNw0Zc2Xq8Lk1Bv7Hs4Tj9Yg6Fp3Qe+Ua/OiRxEbKz",
  trustHost: true,
  basePath: "/api/auth",
  logger: { error: () => undefined, warn: () => undefined },
  providers: [
    op.provider(),
    credentials({ authorize: ({ password }) => (password === "open" ? { id: "1", name: "Ada" } : null) }),
  ],
}

const jar = new Map<string, string>()

/** What the browser does with a request of the tab. */
async function send(path: string, init: RequestInit = {}): Promise<Response> {
  const request = new Request(new URL(path, origin), init)
  request.headers.set("cookie", [...jar].map(([name, value]) => `${name}=${value}`).join("; "))
  if (request.method === "POST") request.headers.set("origin", origin)
  const response = await Auth(request, config)
  for (const line of response.headers.getSetCookie()) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (value === "") jar.delete(name)
    else jar.set(name, value)
  }
  return response
}

const location = { href: `${origin}/page`, reload: () => undefined }

beforeEach(() => {
  jar.clear()
  location.href = `${origin}/page`
  vi.stubGlobal("window", { location })
  vi.stubGlobal("localStorage", { setItem: () => undefined })
  vi.stubGlobal("navigator", {})
  vi.stubGlobal("fetch", send)
})
afterEach(() => vi.unstubAllGlobals())

describe("a tab with the browser code of version 4", () => {
  test("signs in with a password, and out", async () => {
    const options = { password: "open", redirect: false, callbackUrl: "/next" }
    expect(await client.signIn("credentials", options)).toEqual({
      error: null,
      status: 200,
      ok: true,
      url: `${origin}/next`,
    })
    expect(await client.getSession()).toMatchObject({ user: { name: "Ada" } })
    expect(await client.signOut({ redirect: false, callbackUrl: "/bye" })).toEqual({ url: `${origin}/bye` })
    expect([...jar.keys()].filter((name) => name.includes("session"))).toEqual([])
  })

  test("gets the error of a wrong password", async () => {
    const result = await client.signIn("credentials", { password: "wrong", redirect: false })
    expect(result).toMatchObject({ error: "CredentialsSignin", url: null })
    expect(await client.getProviders()).toMatchObject({ op: { id: "op" } })
  })

  test("goes to a provider", async () => {
    await client.signIn("op", { callbackUrl: "/next" })
    expect(new URL(location.href).origin).toBe(new URL(op.issuer).origin)
  })

  test("without a session has none, and logs that it expected an object", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined)
    expect(await client.getSession()).toBeNull()
    expect(String(log.mock.calls[0])).toContain("CLIENT_FETCH_ERROR")
  })
})
