import { ExpressAuth, type ExpressAuthConfig } from "@latchkey/express"
import credentials from "@latchkey/express/providers/credentials"
import { captureLog } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { expressOf, majors } from "./majors.js"
import { ask, serve } from "./served.js"

/** Allows two wrong passwords per IP address. Each major version of Express is a site of its own. */
function config(major: string): ExpressAuthConfig {
  return {
    secret: `k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGpR5aJ0eKdV7-${major}`,
    trustHost: true,
    logger: captureLog().logger,
    rateLimit: { limits: { credentials: { address: { points: 2, seconds: 60 } } } },
    providers: [credentials({ credentials: { name: {} }, authorize: () => null })],
  }
}

const callback = "/auth/callback/credentials"

async function attempts(
  base: string,
  addresses: readonly string[],
  pathOf: (at: number) => string = () => callback,
): Promise<(number | undefined)[]> {
  const token = await ask(`${base}/auth/csrf`)
  const cookie = token.headers["set-cookie"]?.[0]?.split(";")[0] ?? ""
  const statuses: (number | undefined)[] = []
  for (const [at, address] of addresses.entries()) {
    const body = new URLSearchParams({ csrfToken: JSON.parse(token.body).csrfToken, name: `user ${at}` }).toString()
    const headers = { cookie, "content-type": "application/x-www-form-urlencoded", "x-forwarded-for": address }
    statuses.push((await ask(base + pathOf(at), { method: "POST", headers, body })).status)
  }
  return statuses
}

describe.each(majors)("Express %s", (major) => {
  const express = expressOf(major)

  test("clients are counted by the IP address that Express finds behind trusted proxies", async () => {
    const app = express()
      .set("trust proxy", ["loopback", "192.0.2.1"])
      .use("/auth", ExpressAuth(config(major)))
    const base = await serve(app)
    const chain = (client: string) => `198.51.100.${client.length}, ${client}, 192.0.2.1`
    const clients = ["203.0.113.1", "203.0.113.1", "203.0.113.1", "203.0.113.2"].map(chain)
    expect(await attempts(base, clients)).toEqual([302, 302, 429, 302])
  })

  test("a configuration that is made for each request doesn't reset the limits", async () => {
    const perRequest: ReturnType<typeof ExpressAuth> = async (req, res, next) => {
      const { callbacks, ...rest } = config(major)
      const redirect = ({ baseUrl }: { baseUrl: string }) => `${baseUrl}/?${req.method}`
      await ExpressAuth({ ...rest, callbacks: { ...callbacks, redirect } })(req, res, next)
    }
    const app = express().set("trust proxy", "loopback").use("/auth", perRequest)
    const statuses = await attempts(await serve(app), ["203.0.113.77", "203.0.113.77", "203.0.113.77"])
    expect(statuses).toEqual([302, 302, 429])
  })

  test("each spelling of the mount path has the same counters", async () => {
    const app = express()
      .set("trust proxy", "loopback")
      .use("/auth", ExpressAuth(config(major)))
    const spellings = ["/auth", "/AUTH", "/Auth", "/aUTH", "/auTH", "/autH"]
    const path = (at: number) => callback.replace("/auth", spellings[at] ?? "")
    const statuses = await attempts(
      await serve(app),
      spellings.map(() => "203.0.113.78"),
      path,
    )
    expect(statuses).toEqual([302, 302, 429, 429, 429, 429])
  })

  test("each value of a parameter in the mount path has the same counters", async () => {
    const app = express()
      .set("trust proxy", "loopback")
      .use(["/auth", "/:tenant/auth"], ExpressAuth(config(major)))
    const path = (at: number) => `/tenant-${at}${callback}`
    const statuses = await attempts(await serve(app), Array<string>(4).fill("203.0.113.79"), path)
    expect(statuses).toEqual([302, 302, 429, 429])
  })

  test("clients behind an untrusted local proxy aren't counted together", async () => {
    const base = await serve(
      express().use("/auth", ExpressAuth({ ...config(major), trustHost: false, url: "http://a.test/auth" })),
    )
    expect(await attempts(base, ["203.0.113.1", "203.0.113.1", "203.0.113.1"])).toEqual([302, 302, 302])
  })
})
