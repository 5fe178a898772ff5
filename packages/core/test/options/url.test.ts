import { Auth, check, withEnv } from "@latchkey/core"
import { createIntegration } from "@latchkey/core/integration"
import { createSessionReader } from "@latchkey/core/session-reader"
import type { AuthConfig } from "@latchkey/core/types"
import { captureLog } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { secret, typed } from "../http/app.js"

const production = { NODE_ENV: "production", AUTH_SECRET: secret }

function configOf(env: Readonly<Record<string, string>>, rest: Partial<AuthConfig> = {}): AuthConfig {
  return withEnv({ providers: [typed], ...rest }, { ...production, ...env }, { basePath: "/auth" })
}

/** What is said about the URL, as errors and as warnings. */
function said(env: Readonly<Record<string, string>>, rest: Partial<AuthConfig> = {}) {
  const { errors, warnings } = check(configOf(env, rest))
  return {
    errors: errors.filter(({ path }) => path === "url").map(({ problem, fix }) => `${problem}. ${fix}`),
    warnings: warnings.map(({ code, detail }) => `${code}: ${detail}`).filter((text) => /url/i.test(text)),
  }
}

test("under strict, a trusted host isn't enough, and the error names what is", () => {
  const problems = (AUTH_TRUST_HOST: string) =>
    check(configOf({ AUTH_TRUST_HOST }, { security: "strict" })).errors.map(({ path, fix }) => `${path}: ${fix}`)
  expect(problems("true")).toEqual([
    "trustHost: Set AUTH_URL to the URL of this site, or AUTH_TRUST_HOST (`trustHost`) to its hosts, such as app.example,*.app.example",
  ])
  expect(problems("app.example,*.app.example")).toEqual([])
})

const refused: readonly (readonly [env: Readonly<Record<string, string>>, text: string])[] = [
  [{ AUTH_URL: "example.com" }, "The URL has no scheme. Set AUTH_URL=https://example.com"],
  [{ AUTH_URL: "example.com:8443/api/auth" }, "The URL has no scheme. Set AUTH_URL=https://example.com:8443/api/auth"],
  [{ AUTH_URL: "localhost:3000" }, "The URL has no scheme. Set AUTH_URL=http://localhost:3000"],
  [{ AUTH_URL: "/api/auth" }, "The value isn't an http(s) URL"],
  [{ AUTH_URL: "ftp://example.com" }, "The value isn't an http(s) URL"],
  [{ AUTH_URL: '"https://example.com"' }, "The value isn't an http(s) URL"],
  [{ AUTH_URL: "https://example.com," }, "The URL has characters that no host has"],
  [{ AUTH_URL: 'https://example.com"' }, "The URL has characters that no host has"],
  [{ AUTH_URL: "https://a.example,https://b.example" }, "The URL has characters that no host has"],
  [{ NEXTAUTH_URL: "ftp://example.com" }, "The value isn't an http(s) URL"],
]

describe("AUTH_URL", () => {
  test.each(refused)("%j is an error that says what to set", (env, text) => {
    expect(said(env).errors).toEqual([expect.stringContaining(text)])
  })

  test.each(refused)("%j is an error in a framework, at the path where its routes are", async (env, text) => {
    const { logger, entries } = captureLog()
    const auth = createIntegration<Request>(
      { providers: [typed], logger },
      {
        basePath: "/auth",
        env: () => ({ ...production, ...env }),
        read: (request) => ({ method: request.method, url: new URL(request.url), headers: request.headers }),
        toRequest: (request) => request,
      },
    )
    const response = await auth.handle(new Request("https://example.com/auth/session"))
    expect(response?.status).toBe(500)
    expect(entries.map(({ message }) => message).join()).toContain(text)
    await expect(auth.session(new Request("https://example.com/"))).rejects.toThrow()
  })

  test.each(refused)("%j is an error in middleware, where only sessions are read", async (env) => {
    const { providers: _, ...config } = configOf(env, { logger: captureLog().logger })
    const reader = createSessionReader(config)
    const { session, error } = await reader.session({ headers: new Headers(), origin: "https://example.com" })
    expect([session, error?.message]).toEqual([null, expect.stringMatching(/^url: .*Set AUTH_URL/)])
  })

  test.each([
    "https://example.com",
    "https://example.com/",
    "https://my_app.example:8443/api/auth/",
    "https://bücher.example",
    "http://localhost:3000",
    "http://[::1]:3000",
    "http://192.168.1.5/auth",
    "http://intranet",
  ])("%s is fine in production", (url) => {
    expect(said({ AUTH_URL: url })).toEqual({ errors: [], warnings: [] })
  })

  test("without a scheme in NEXTAUTH_URL is https, as in next-auth 4", () => {
    expect(said({ NEXTAUTH_URL: "example.com" })).toEqual({ errors: [], warnings: [] })
  })

  test("with http for a public site is a warning in production", () => {
    const url = "http://erp.company.example/auth"
    expect(said({ AUTH_URL: url })).toEqual({ errors: [], warnings: [expect.stringContaining("insecure-url: ")] })
    expect(said({ NEXTAUTH_URL: url }).warnings).toHaveLength(1)
    expect(said({ AUTH_URL: url, NODE_ENV: "development" }).warnings).toEqual([])
    expect(said({ AUTH_URL: url, NODE_ENV: "" }, { security: "strict" }).warnings).toHaveLength(1)
  })

  test.each(["https://example.com/auth?x=1", "https://example.com/#top", "https://user:hunter2@example.com"])(
    "%s has parts that aren't used, which is a warning, and an error under strict",
    (AUTH_URL) => {
      expect(said({ AUTH_URL })).toEqual({ errors: [], warnings: [expect.stringContaining("isn't used")] })
      expect(said({ AUTH_URL }, { security: "strict" }).errors).toHaveLength(1)
      expect(JSON.stringify(said({ AUTH_URL }))).not.toContain("hunter2")
    },
  )

  test("without a scheme is the only thing that the log says about each request", async () => {
    const { logger, entries } = captureLog()
    const config = configOf({ AUTH_URL: "example.com" }, { logger })
    for (let round = 0; round < 3; round++) await Auth(new Request("https://example.com/auth/session"), config)
    expect(entries.filter(({ level }) => level === "error")).toHaveLength(1)
  })
})
