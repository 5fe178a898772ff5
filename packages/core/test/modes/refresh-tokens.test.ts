import type { Account, AuthConfig, JWT } from "@latchkey/core/types"
import { captureLog } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createServer } from "@latchkey/core/server"
import { appOf, configOf, whoIs, world } from "./setup.js"

const modes = ["compatible", "strict"] as const

interface Params {
  readonly token: JWT
  readonly account?: Account | null
  readonly user?: object
}

/** Renews the tokens of the provider at every read after an hour. The second form is that of next-auth 4. */
const recipes: Readonly<Record<string, (params: Params, now: number) => JWT>> = {
  "keeps the token": ({ token, account }, now) => {
    if (account) return { ...token, access_token: "first", refresh_token: "r0", expires_at: now + 3600 }
    if (now < Number(token["expires_at"])) return token
    const { refresh_token: used } = token
    return { ...token, access_token: `of ${String(used)}`, refresh_token: `${String(used)}+`, expires_at: now + 3600 }
  },
  "makes a new token at the sign-in": ({ token, account, user }, now) => {
    if (account && user) return { accessToken: "first", accessTokenExpires: now + 3600, refreshToken: "r0", user }
    if (now < Number(token["accessTokenExpires"])) return token
    const { refreshToken: used } = token
    return {
      ...token,
      accessToken: `of ${String(used)}`,
      refreshToken: `${String(used)}+`,
      accessTokenExpires: now + 3600,
    }
  },
  "marks a failure": ({ token, account }, now) => {
    if (account) return { ...token, access_token: "first", expires_at: now + 3600 }
    return now < Number(token["expires_at"]) ? token : { ...token, error: "RefreshTokenError" }
  },
}

describe.each(modes)("the rotation of refresh tokens under %s", (security) => {
  test.each(Object.keys(recipes))("works with a callback that %s", async (name) => {
    const its = world()
    const log = captureLog()
    const seen: unknown[] = []
    const jwt = (params: Params) => recipes[name]?.(params, Math.floor(its.clock.now() / 1000)) ?? params.token
    const callbacks: AuthConfig["callbacks"] = {
      jwt,
      session: ({ session, token }) => {
        seen.push(token["error"] ?? token["access_token"] ?? token["accessToken"])
        return session
      },
    }
    const browser = await appOf(its, { security, session: { strategy: "jwt" }, callbacks, logger: log.logger })
    await browser.signInWith(its.op, { as: "ada" })
    for (let hours = 0; hours < 3; hours++) {
      expect(await browser.session()).not.toBeNull()
      its.clock.advance({ hours: 1, seconds: 1 })
    }
    const failed = "RefreshTokenError"
    expect(seen).toEqual(name === "marks a failure" ? ["first", failed, failed] : ["first", "of r0", "of r0+"])
    if (name === "keeps the token") {
      expect(await whoIs(browser)).toBe("ada@example.test")
      expect(log.entries.filter(({ message }) => message === "jwt-claims-restored")).toEqual([])
    }
  })
})

test("under strict, an update of the application can change the email, and one of a browser can't", async () => {
  const its = world()
  const callbacks: AuthConfig["callbacks"] = {
    jwt: ({ token, trigger }) => (trigger === "update" ? { ...token, email: "new@example.test" } : token),
  }
  const rest: Partial<AuthConfig> = { security: "strict", session: { strategy: "jwt" }, callbacks }
  const browser = await appOf(its, rest)
  await browser.signInWith(its.op, { as: "ada" })
  const body = JSON.stringify({ csrfToken: (await browser.csrf()) ?? "", data: {} })
  await browser.fetch("/auth/session", { method: "POST", body, headers: { "content-type": "application/json" } })
  expect(await whoIs(browser)).toBe("ada@example.test")
  const server = createServer(configOf(its, { ...rest, runtime: its.clock.runtime }))
  const cookie = browser.cookies.map(({ name, value }) => `${name}=${value}`).join("; ")
  const { session } = await server.update({ headers: new Headers({ cookie }) }, {})
  expect(session).toMatchObject({ user: { email: "new@example.test" } })
})

test.each([
  ["compatible", "unverified@example.test"],
  ["strict", null],
] as const)("a callback that spreads the profile into the token adds the email: %s, %j", async (security, email) => {
  const its = world()
  its.op.people["ada"] = { sub: "ada", name: "Ada", email: "unverified@example.test", email_verified: false }
  // The provider leaves out an email that isn't verified.
  const provider = its.op.provider({ profile: ({ sub, name }) => ({ id: String(sub), name: String(name) }) })
  const callbacks: AuthConfig["callbacks"] = { jwt: ({ token, profile }) => Object.assign(token, profile) }
  const rest: Partial<AuthConfig> = { security, session: { strategy: "jwt" }, callbacks, providers: [provider] }
  const browser = await appOf(its, { ...rest, adapter: undefined })
  await browser.signInWith(its.op, { as: "ada" })
  expect(await browser.session()).toMatchObject({ user: { name: "Ada" } })
  expect((await whoIs(browser)) ?? null).toBe(email)
})
