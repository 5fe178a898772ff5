import { afterEach, expect, test, vi } from "vitest"
import { parseServerUrl } from "./config.js"

test.each([
  [undefined, "http://localhost:3000", "/api/auth"],
  ["", "http://localhost:3000", "/api/auth"],
  ["https://app.test", "https://app.test", "/api/auth"],
  ["https://app.test/", "https://app.test", "/api/auth"],
  ["https://app.test/auth", "https://app.test", "/auth"],
  ["https://app.test/auth/", "https://app.test", "/auth"],
  ["http://localhost:4000/deep/api/auth", "http://localhost:4000", "/deep/api/auth"],
  ["app-1.vercel.test", "https://app-1.vercel.test", "/api/auth"],
  ["not a host", "http://localhost:3000", "/api/auth"],
])("%j has the origin %s and the path %s", (text, origin, path) => {
  expect(parseServerUrl(text)).toEqual({ origin, path })
})

afterEach(() => vi.resetModules())

const names = ["AUTH_URL", "NEXTAUTH_URL", "NEXTAUTH_URL_INTERNAL", "VERCEL_URL"] as const

test.each([
  [{}, "http://localhost:3000", "/api/auth", "http://localhost:3000", "/api/auth"],
  [{ NEXTAUTH_URL: "https://a.test/x" }, "https://a.test", "/x", "https://a.test", "/x"],
  [{ AUTH_URL: "https://b.test/y", NEXTAUTH_URL: "https://a.test/x" }, "https://b.test", "/y", "https://b.test", "/y"],
  [{ VERCEL_URL: "v.test" }, "https://v.test", "/api/auth", "https://v.test", "/api/auth"],
  [
    { NEXTAUTH_URL: "https://a.test/x", NEXTAUTH_URL_INTERNAL: "http://10.0.0.1:3000/z" },
    "https://a.test",
    "/x",
    "http://10.0.0.1:3000",
    "/z",
  ],
])("with %j in the environment", async (environment: Partial<Record<string, string>>, ...expected) => {
  for (const name of names) vi.stubEnv(name, environment[name] ?? "")
  vi.resetModules()
  const { __NEXTAUTH } = await import("./config.js")
  const { baseUrl, basePath, baseUrlServer, basePathServer } = __NEXTAUTH
  expect([baseUrl, basePath, baseUrlServer, basePathServer]).toEqual(expected)
})
