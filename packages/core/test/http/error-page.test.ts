import { Auth } from "@latchkey/core"
import credentials from "@latchkey/core/providers/credentials"
import type { AuthConfig } from "@latchkey/core/types"
import { captureLog, createProvider } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { csrfPair, location, secret } from "./app.js"

const down = credentials({
  credentials: { name: {} },
  authorize: () => {
    throw new Error(`no such table: users (postgres://app:${secret}@db.test)`)
  },
})

function site(given: object) {
  const log = captureLog()
  const config = { secret, trustHost: true, providers: [down], ...given, logger: log.logger } as AuthConfig
  const send = async (path: string, init?: RequestInit) => Auth(new Request(`https://app.test${path}`, init), config)
  const ids = () => log.entries.flatMap(({ detail }) => (detail instanceof Error && "id" in detail ? [detail.id] : []))
  return { log, send, ids }
}

/** Signs in, and opens the error page with the same browser. */
async function failing({ send }: ReturnType<typeof site>, provider = "credentials") {
  const { token, cookie } = await csrfPair(send)
  const body = new URLSearchParams({ csrfToken: token })
  const path = provider === "credentials" ? "callback" : "signin"
  const response = await send(`/auth/${path}/${provider}`, { method: "POST", body, headers: { cookie } })
  const page = await send("/auth/error?error=Configuration", { headers: { cookie } })
  const other = await csrfPair(send)
  const elsewhere = await send("/auth/error?error=Configuration", { headers: { cookie: other.cookie } })
  return { location: location(response), page: await page.text(), elsewhere: await elsewhere.text() }
}

describe("the error page", () => {
  test("shows in production only an ID, which is also in the log", async () => {
    const app = site({ environment: "production" })
    const { page, elsewhere, location: to } = await failing(app)
    const [id = "none"] = app.ids()
    expect(to).toBe("https://app.test/auth/error?error=Configuration")
    expect(page).toContain(`Error ID: ${String(id)}`)
    expect(page).not.toContain("no such table")
    expect(elsewhere).not.toContain(String(id))
  })

  test("shows the cause in development, without secrets", async () => {
    const app = site({ environment: "development" })
    const { page } = await failing(app)
    expect(page).toContain("no such table: users")
    expect(page).toContain(`Error ID: ${String(app.ids()[0])}`)
    expect(page).not.toContain(secret)
  })

  test("shows no details if the environment isn't known", async () => {
    expect((await failing(site({}))).page).not.toContain("no such table")
  })

  test("names the variables of a provider that isn't configured", async () => {
    const op = createProvider({ id: "my-op" })
    const unset = { ...op.provider(), clientId: undefined, clientSecret: undefined }
    const app = site({ providers: [unset], environment: "development" })
    const { page } = await failing(app, "my-op")
    expect(page).toContain("AUTH_MY_OP_ID")
    expect(page).toContain("AUTH_MY_OP_SECRET")
    expect(app.log.entries.map(({ text }) => text).join()).toContain("AUTH_MY_OP_ID")
  })
})

describe("the page about a configuration that can't be used", () => {
  const broken = { providers: [{ id: "acme", name: "Acme", type: "oidc" }] }

  test("shows in production only an ID, which is also in the log", async () => {
    const app = site(broken)
    const response = await app.send("/auth/signin")
    const text = await response.text()
    expect([response.status, text.includes(`Error ID: ${String(app.ids()[0])}`)]).toEqual([500, true])
    expect(text).not.toContain("acme")
  })

  test("shows the setting and what to do in development", async () => {
    const text = await (await site({ ...broken, environment: "development" }).send("/auth/signin")).text()
    for (const part of ["providers[0]", "AUTH_ACME_ISSUER", "Error ID: "]) expect(text).toContain(part)
  })
})

describe("a custom page", () => {
  test("gets the application's own codes", async () => {
    const { send } = site({ pages: { error: "/oops", signIn: "/login", verifyRequest: "/sent" } })
    for (const [route, page] of [
      ["error", "/oops"],
      ["signin", "/login"],
      ["verify-request", "/sent"],
    ]) {
      const to = new URL(location(await send(`/auth/${route}?error=NotInvited`)) ?? "", "https://app.test")
      expect([to.pathname, to.searchParams.get("error")]).toEqual([page, "NotInvited"])
    }
  })

  test("gets only known codes under strict", async () => {
    const { send } = site({ pages: { error: "/oops" }, security: "strict", url: "https://app.test/auth" })
    expect(location(await send("/auth/error?error=NotInvited"))).toContain("error=Default")
  })
})
