import { check } from "@latchkey/core"
import { createProvider } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { begin, open, outcome } from "../flows/oauth/app.js"
import { appOf, strongSecret, world } from "../modes/setup.js"
import { forgeVersion4, putCookie, version4Name } from "./setup.js"

describe("with `compat: false`", () => {
  test("a sign-in writes no cookie for Auth.js, and ends here as before", async () => {
    const op = createProvider()
    const namesWith = async (compat: boolean) => {
      const { browser } = await open([op.provider({ checks: ["pkce", "state"] })], { compat })
      await begin(browser)
      const names = browser.cookies.map(({ name }) => name.replace(/state\..*/, "state.…"))
      await browser.consentAt(op, { as: "ada" })
      return { names, outcome: outcome(browser) }
    }
    const on = await namesWith(true)
    const off = await namesWith(false)
    const forAuthjs = ["__Secure-authjs.pkce.code_verifier", "__Secure-authjs.state"]
    expect(on.names).toEqual(expect.arrayContaining(forAuthjs))
    expect(off).toEqual({ names: on.names.filter((name) => !forAuthjs.includes(name)), outcome: "home" })
  })

  test("the `state` of a redirect proxy isn't sealed for Auth.js", async () => {
    const op = createProvider()
    const isSealedWith = async (compat: boolean) => {
      const provider = op.provider({ redirectProxyUrl: "https://app.test/auth" })
      const { browser } = await open([provider], { compat })
      const at = await begin(browser)
      const isSealed = at.searchParams.get("state")?.includes(".")
      await browser.consentAt(op, { as: "ada" })
      return { isSealed, outcome: outcome(browser) }
    }
    expect(await isSealedWith(true)).toEqual({ isSealed: true, outcome: "home" })
    expect(await isSealedWith(false)).toEqual({ isSealed: false, outcome: "home" })
  })

  test("a session of next-auth 4 isn't one, unless `session.version4` says so", async () => {
    const its = world()
    const iat = Math.floor(its.clock.now() / 1000)
    const token = forgeVersion4({ content: { sub: "1", email: "ada@example.test", iat, exp: iat + 1000 } })
    const sessionWith = async (compat: boolean, version4?: object) => {
      const browser = await appOf(its, { session: { strategy: "jwt", version4 }, compat })
      putCookie(browser, version4Name, token)
      return browser.session()
    }
    expect(await sessionWith(true)).not.toBeNull()
    expect(await sessionWith(false)).toBeNull()
    expect(await sessionWith(false, { acceptUntil: "2030-01-01" })).not.toBeNull()
  })

  test("a value that Auth.js v5 tolerates is an error", () => {
    const config = { secret: strongSecret, providers: [], redirectProxyUrl: "not a URL" }
    expect(check(config)).toMatchObject({ errors: [], warnings: [{ code: "invalid-option" }] })
    expect(check({ ...config, compat: false }).errors).toMatchObject([{ path: "redirectProxyUrl" }])
  })
})

test("a `compat` that isn't a boolean is an error", () => {
  const config = JSON.parse(JSON.stringify({ secret: strongSecret, providers: [], compat: "false" }))
  expect(check(config).errors).toMatchObject([{ path: "compat" }])
})
