import { Auth, check } from "@latchkey/core"
import { createServer } from "@latchkey/core/server"
import type { AuthConfig } from "@latchkey/core/types"
import { captureLog } from "@latchkey/testing"
import { expect } from "vitest"
import { attack, type Mode } from "../../../../tests/attack.js"
import { configOf, world } from "../modes/setup.js"

const loose = (config: object) => config as Partial<AuthConfig>
const lifetimes = [0, -5, Number.NaN, Number.POSITIVE_INFINITY, "abc", null]

/** Under compatible, the problems that Auth.js v5 works with are warnings. */
function problems(
  mode: Mode,
): Record<string, { readonly config: Partial<AuthConfig>; readonly paths: readonly string[] }> {
  const { op } = world()
  const one = op.provider()
  const bare = { id: "bare", name: "Bare", type: "oidc", clientId: "a", clientSecret: "b" }
  return {
    "no secret": { config: { secret: undefined }, paths: ["secret"] },
    "an empty secret": { config: { secret: ["", "x"] }, paths: ["secret"] },
    "no issuer": { config: loose({ providers: [bare] }), paths: ["providers[0]"] },
    ...(mode === "strict" && {
      "equal ids": { config: { providers: [one, one] }, paths: ["providers[1].id"] },
      "an issuer over http": {
        config: { providers: [{ ...one, issuer: "http://op.test" }] },
        paths: ["providers[0].issuer"],
      },
    }),
    "cookies of one name": {
      config: { cookies: { callbackUrl: { name: "same" }, csrfToken: { name: "same" } } },
      paths: ["cookies.csrfToken.name"],
    },
    "a cookie like a part": {
      config: { cookies: { sessionToken: { name: "s" }, callbackUrl: { name: "s.0" } } },
      paths: ["cookies.callbackUrl.name"],
    },
    "no lifetime": {
      config: loose({ session: { maxAge: 0, absoluteMaxAge: -5 }, jwt: { maxAge: "abc" } }),
      paths: ["session.maxAge", "session.absoluteMaxAge", "jwt.maxAge"],
    },
  }
}

function broken(mode: Mode, config: Partial<AuthConfig>) {
  const log = captureLog()
  return { log, config: configOf(world(), { security: mode, ...config, logger: log.logger }) }
}

attack("FAULT-09", "every configuration problem is reported with what to do", async (mode) => {
  for (const [what, { config, paths }] of Object.entries(problems(mode))) {
    const found = check(broken(mode, config).config).errors
    expect([what, found.map(({ path }) => path)]).toEqual([what, expect.arrayContaining([...paths])])
    expect(found.filter(({ fix }) => fix === "")).toEqual([])
  }
  const all = Object.assign({}, ...Object.values(problems(mode)).map(({ config }) => config)) as Partial<AuthConfig>
  const found = check(broken(mode, { ...all, secret: undefined }).config).errors
  expect(found.length).toBeGreaterThanOrEqual(mode === "strict" ? 6 : 5)
})

attack("FAULT-09", "a lifetime that isn't a positive number is refused in every option", async (mode) => {
  for (const value of lifetimes) {
    for (const config of [
      { session: { maxAge: value } },
      { session: { absoluteMaxAge: value } },
      { jwt: { maxAge: value } },
    ]) {
      const { errors } = check(broken(mode, loose(config)).config)
      expect([value, config, errors.length]).toEqual([value, config, 1])
    }
  }
})

attack(
  "FAULT-09",
  "an invalid configuration fails every request, is logged once with every problem, and is not described to the browser",
  async (mode) => {
    for (const [what, { config: given, paths }] of Object.entries(problems(mode))) {
      const { config, log } = broken(mode, given)
      for (const path of ["session", "providers", "csrf", "signin", "callback/op"]) {
        const response = await Auth(new Request(`https://app.test/auth/${path}`), config)
        const text = await response.text()
        expect([what, path, response.status, response.headers.getSetCookie()]).toEqual([what, path, 500, []])
        for (const problem of paths) expect(text).not.toContain(problem)
      }
      const server = createServer(config)
      expect((await server.session({ headers: new Headers() })).error).toBeDefined()
      await expect(server.signIn({ headers: new Headers() }, "op")).rejects.toThrow(paths[0])
      const errors = log.entries.filter(({ level }) => level === "error")
      expect([what, errors.length]).toEqual([what, 1])
      for (const problem of paths) expect(errors[0]?.message).toContain(problem)
    }
  },
)

attack("FAULT-09", "an invalid configuration does not affect another, and works once corrected", async (mode) => {
  const good = configOf(world(), { security: mode })
  const ask = async (config: AuthConfig) => (await Auth(new Request("https://app.test/auth/session"), config)).status
  const { config } = broken(mode, { secret: undefined })
  expect([await ask(config), await ask(good), await ask(config), await ask(good)]).toEqual([500, 200, 500, 200])
  expect(await ask({ ...config, secret: good.secret })).toBe(200)
  const tenants = createServer((visitor) => (visitor?.headers.get("x-tenant") === "bad" ? config : good))
  const request = (tenant: string) => new Request("https://app.test/auth/session", { headers: { "x-tenant": tenant } })
  const answers = [await tenants.handle(request("bad")), await tenants.handle(request("good"))]
  expect(answers.map(({ status }) => status)).toEqual([500, 200])
})
