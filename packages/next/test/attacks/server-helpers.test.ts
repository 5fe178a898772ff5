import { createServer } from "@latchkey/core/server"
import credentials from "@latchkey/next/providers/credentials"
import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { defaultCallbackUrl } from "../../src/urls.js"

const instance = { basePath: "/api/auth", signInPage: "/login", origin: undefined }

attack("CLI-02", "the default callback URL never leads to another site, and has no query under strict", (mode) => {
  const own = { ...instance, isStrict: mode === "strict" }
  const target = (referer: string) => defaultCallbackUrl(own, new Headers({ host: "signin.example.com", referer }))
  const page = target("https://user:password@signin.example.com/reset?token=s3cret#x")
  expect(page).toBe(mode === "strict" ? "/reset" : "/reset?token=s3cret")
  for (const foreign of ["https://evil.test/login?callbackUrl=/x", "https://signin.example.com.evil.test/a", "data:,x"])
    expect(target(foreign)).toBe("/")
})

attack("CLI-02", "a host name that contains the name of an action stays unchanged", async (mode) => {
  const provider = credentials({
    credentials: { name: {} },
    authorize: ({ name }) => ({ id: "1", name: String(name) }),
  })
  const server = createServer({
    secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw",
    url: "https://signin.example.com/api/auth",
    providers: [provider],
    security: mode,
  })
  const visitor = { headers: new Headers({ host: "signin.example.com" }) }
  const { to } = await server.signIn(visitor, "credentials", { name: "ada", redirectTo: "/home" })
  expect(to).toBe("https://signin.example.com/home")
  expect((await server.signIn(visitor)).to).toBe("https://signin.example.com/api/auth/signin")
})
