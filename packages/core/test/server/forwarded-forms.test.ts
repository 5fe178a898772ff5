import { CredentialsSignin } from "@latchkey/core/errors"
import { createServer, type Server } from "@latchkey/core/server"
import type { AuthConfig } from "@latchkey/core/types"
import { createProvider } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { logged, visitor } from "./setup.js"

const ada = { name: "ada", code: "open" }
const own = { origin: "https://app.test" }

class Locked extends CredentialsSignin {
  override code = "locked"
}

function forwarding(rest: Partial<AuthConfig> = {}): { server: Server; messages: () => readonly string[] } {
  const { config, log } = logged(rest)
  return {
    server: createServer(config, { forwardsForms: true }),
    messages: () => log.entries.map(({ level, message }) => `${level} ${message}`),
  }
}

describe("a forwarded form", () => {
  test("signs in and out", async () => {
    const { server } = forwarding()
    const { to, cookies, error } = await server.signIn(visitor([], own), "credentials", { ...ada, redirectTo: "/home" })
    expect({ to, error }).toEqual({ to: "https://app.test/home", error: undefined })
    expect((await server.session(visitor(cookies))).session).toMatchObject({ user: { name: "ada" } })
    const left = await server.signOut(visitor(cookies, own), { redirectTo: "/bye" })
    expect(left.to).toBe("https://app.test/bye")
    expect(left.cookies).toContainEqual(expect.objectContaining({ value: "" }))
  })

  test("with wrong credentials leads to the sign-in page, and the error is logged", async () => {
    const { server, messages } = forwarding()
    const { to, error } = await server.signIn(visitor([], own), "credentials", { ...ada, code: "shut" })
    expect(to).toBe("https://app.test/auth/signin?error=CredentialsSignin&code=credentials")
    expect(error).toBeInstanceOf(CredentialsSignin)
    expect(messages()).toContain("error authorize() didn't accept the credentials")
  })

  test("passes on the code of an error of the application", async () => {
    const authorize = () => {
      throw new Locked()
    }
    const provider = { id: "credentials", name: "Password", type: "credentials", credentials: {}, authorize } as const
    const { server } = forwarding({ providers: [provider] })
    const { to } = await server.signIn(visitor([], own), "credentials", ada)
    expect(to).toBe("https://app.test/auth/signin?error=CredentialsSignin&code=locked")
  })

  test("for a provider that doesn't exist leads to the error page", async () => {
    const { server, messages } = forwarding()
    const { to, error } = await server.signIn(visitor([], own), "unknown")
    expect(to).toBe("https://app.test/auth/error?error=Configuration")
    expect(error).toMatchObject({ type: "InvalidProvider" })
    expect(messages()).toContain('error There is no provider with the id "unknown". Correct the form')
  })

  test("returns to the visitor's page by default", async () => {
    const { server } = forwarding()
    const page = { ...visitor([], { ...own, referer: "https://app.test/referrer" }), page: "/list?page=2" }
    expect((await server.signIn(page, "credentials", ada)).to).toBe("https://app.test/list?page=2")
    expect((await server.signOut(page)).to).toBe("https://app.test/list?page=2")
  })

  test("can't set the authorization parameters that bind the response to the attempt, or that are configured", async () => {
    const op = createProvider()
    const { server } = forwarding({ providers: [op.provider({ authorization: { params: { scope: "openid" } } })] })
    const params = { scope: "openid admin", client_id: "evil", request_uri: "https://evil.test", prompt: "login" }
    const { to } = await server.signIn(visitor([], own), "op", {}, params)
    const sent = new URL(to).searchParams
    expect(sent.get("prompt")).toBe("login")
    expect(sent.get("scope")).toBe("openid")
    expect(sent.getAll("client_id")).toEqual([op.clientId])
    expect(sent.has("request_uri")).toBe(false)
  })
})
