import { createServer } from "@latchkey/core/server"
import { decode, encode } from "@latchkey/core/jwt"
import type { AuthConfig, JWT } from "@latchkey/core/types"
import { type Browser, captureLog } from "@latchkey/testing"
import { expect } from "vitest"
import { strictAttack } from "../../../../tests/attack.js"
import { appOf, cookieNames, hardened, redeployed, strongSecret, whoIs, type World, world } from "../modes/setup.js"
import { strategies } from "./session-setup.js"

const host = "__Host-authjs.session-token"
const former = "__Secure-authjs.session-token"

/** Each way to get the `__Host-` name, with each strategy. */
const ways = hardened("sessionCookiePrefix", "__Host-").flatMap(([, security]) =>
  strategies.map((strategy) => ({ security, session: { strategy } })),
)

/** A sibling subdomain sets the cookie for the whole domain. It can't use the prefix `__Host-`. */
function plant(victim: Browser, value: string, name: string = former): void {
  const scope = { domain: "app.test", hostOnly: false, path: "/" }
  victim.jar.put({ ...scope, name, value, expires: undefined, secure: true, httpOnly: true, sameSite: "lax" })
}

function valueOf(browser: Browser, name: string): string {
  return browser.cookies.find((cookie) => cookie.name === name)?.value ?? ""
}

/** Grace's session from before the switch. */
async function formerSession(its: World, session: AuthConfig["session"]): Promise<string> {
  const before = await appOf(its, { session })
  await before.signInWith(its.op, { as: "grace" })
  return valueOf(before, former)
}

strictAttack(
  "CK-01",
  "session cookie name",
  "a session of the new name isn't accepted under the former name",
  async () => {
    for (const settings of ways) {
      const its = world()
      const grace = await appOf(its, settings)
      await grace.signInWith(its.op, { as: "grace" })
      const victim = grace.fresh()
      plant(victim, valueOf(grace, host))
      expect(await whoIs(victim), JSON.stringify(settings)).toBeNull()
      expect(cookieNames(victim)).not.toContain(host)
    }
  },
)

strictAttack("CK-01", "session cookie name", "nor is one that a custom codec without salt sealed for it", async () => {
  for (const [, security] of hardened("sessionCookiePrefix", "__Host-")) {
    const its = world()
    const keys = { secret: strongSecret, salt: "always the same" }
    const jwt: AuthConfig["jwt"] = {
      encode: async ({ token = {} }) => encode({ token, ...keys }),
      decode: async ({ token }) => decode<JWT>({ token, ...keys }),
    }
    const settings = { security, jwt, session: { strategy: "jwt" } } as const
    const grace = await appOf(its, settings)
    await grace.signInWith(its.op, { as: "grace" })
    const victim = grace.fresh()
    plant(victim, valueOf(grace, host))
    expect(await whoIs(victim)).toBeNull()
    const before = await appOf(its, { jwt, session: { strategy: "jwt" } })
    await before.signInWith(its.op, { as: "ada" })
    const moved = await redeployed(before, its, settings)
    expect([await whoIs(moved), cookieNames(moved)]).toEqual(["ada@example.test", [host]])
    expect(await whoIs(moved)).toBe("ada@example.test")
  }
})

strictAttack("CK-01", "session cookie name", "a planted former session never replaces a present one", async () => {
  for (const settings of ways) {
    const its = world()
    const planted = await formerSession(its, settings.session)
    const victim = await appOf(its, settings)
    await victim.signInWith(its.op, { as: "ada" })
    plant(victim, planted)
    expect(await whoIs(victim), JSON.stringify(settings)).toBe("ada@example.test")
    plant(victim, planted)
    await victim.signInWith(its.op, { as: "ada" })
    expect(await whoIs(victim)).toBe("ada@example.test")
  }
})

strictAttack("CK-01", "session cookie name", "a browser that signed out accepts no planted session", async () => {
  for (const settings of ways) {
    const its = world()
    const planted = await formerSession(its, settings.session)
    const victim = await appOf(its, settings)
    await victim.signInWith(its.op, { as: "ada" })
    await victim.signOut()
    plant(victim, planted)
    expect([await whoIs(victim), cookieNames(victim)], JSON.stringify(settings)).toEqual([null, [former]])
  }
})

strictAttack("CK-01", "session cookie name", "a session isn't chosen among several of the former name", async () => {
  for (const settings of ways) {
    const its = world()
    const planted = await formerSession(its, settings.session)
    const own = await formerSession(its, settings.session)
    const config: AuthConfig = {
      secret: strongSecret,
      url: "https://app.test/auth",
      adapter: its.adapter,
      providers: [],
      runtime: its.clock.runtime,
      logger: captureLog().logger,
      ...settings,
    }
    const read = async (cookie: string) => {
      const { session } = await createServer(config).session({ headers: new Headers({ cookie }) }, { readOnly: true })
      return session?.user?.email
    }
    expect(await read(`${former}=${planted}; ${former}=${own}`), JSON.stringify(settings)).toBeUndefined()
    expect(await read(`${former}=${own}; ${former}=x`)).toBeUndefined()
    expect(await read(`${former}=${own}; ${former}.0=x`)).toBe("grace@example.test")
    expect(await read(`${former}=${own}; ${former}=${own}`)).toBe("grace@example.test")
  }
})

strictAttack("CK-01", "session cookie name", "no former session is accepted after its last day", async () => {
  for (const settings of ways) {
    const its = world()
    const planted = await formerSession(its, settings.session)
    const security = typeof settings.security === "string" ? { mode: settings.security } : settings.security
    const end = new Date(its.clock.now() + 3_600_000)
    const victim = await appOf(its, { ...settings, security: { ...security, formerSessionsUntil: end } })
    plant(victim, planted)
    its.clock.set(end)
    expect(await whoIs(victim), JSON.stringify(settings)).toBeNull()
    const onTime = await redeployed(victim, its, {
      ...settings,
      security: { ...security, formerSessionsUntil: new Date(end.getTime() + 1).toISOString() },
    })
    expect(await whoIs(onTime)).toBe("grace@example.test")
  }
})
