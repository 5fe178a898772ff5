import { Auth, skipCSRFCheck, withEnv } from "@latchkey/core"
import type { AuthConfig } from "@latchkey/core/types"
import { captureLog } from "@latchkey/testing"
import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { op } from "../http/app.js"
import { bare } from "./surface-setup.js"

const weakened: readonly (readonly [setting: string, given: Partial<AuthConfig>])[] = [
  ["trustHost", { trustHost: true, url: undefined }],
  ["allowDangerousEmailAccountLinking", { providers: [op.provider({ allowDangerousEmailAccountLinking: true })] }],
  ["allowInsecureRequests", { providers: [op.provider({ allowInsecureRequests: true })] }],
  ["skipCSRFCheck", { skipCSRFCheck }],
  ["useSecureCookies", { useSecureCookies: false }],
  ["debug", { debug: true }],
]

attack("CFG-04", "one warning at start lists every setting that weakens production", async (mode) => {
  const summary = async (given: Partial<AuthConfig>) => {
    const { get, log } = bare(mode, { environment: "production", ...given })
    await get("/auth/session")
    await get("/auth/providers")
    return log.entries.filter(({ message }) => message === "weakened-settings").map(({ text }) => text)
  }
  for (const [setting, given] of weakened) {
    if (mode === "strict" && setting === "trustHost") continue
    const [text, ...more] = await summary(given)
    expect([text, more]).toEqual([expect.stringContaining(setting), []])
  }
  const all = Object.assign({}, ...weakened.slice(2).map(([, given]) => given)) as Partial<AuthConfig>
  const [text] = await summary(all)
  for (const [setting] of weakened.slice(2)) expect(text).toContain(setting)
  expect(await summary({})).toEqual([])
  expect(await summary({ environment: "development", debug: true })).toEqual([])
})

attack("CFG-04", "the environment of a deployment is production, and its platform may set the host", async (mode) => {
  const codes = async (env: Readonly<Record<string, string>>) => {
    const log = captureLog()
    const given: AuthConfig = { security: mode, providers: [], debug: true, logger: log.logger }
    const secret = { AUTH_SECRET: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw" }
    await Auth(new Request("https://app.test/auth/session"), withEnv(given, { ...secret, ...env }))
    return log.entries.filter(({ message }) => message === "weakened-settings").map(({ text }) => text)
  }
  const url = "https://app.test/auth"
  expect(await codes({ AUTH_URL: url, NODE_ENV: "production" })).toEqual([expect.stringContaining("debug")])
  expect(await codes({ AUTH_URL: url, NODE_ENV: "development" })).toEqual([])
  expect(await codes({ AUTH_URL: url, VERCEL_ENV: "preview" })).toEqual([expect.stringContaining("debug")])
  // Many servers leave out NODE_ENV.
  expect(await codes({ AUTH_URL: url })).toHaveLength(mode === "strict" ? 1 : 0)
  if (mode === "strict") return
  const behindVercel = await codes({ NODE_ENV: "production", VERCEL: "1" })
  expect(behindVercel[0]).not.toContain("trustHost")
  expect((await codes({ NODE_ENV: "production", AUTH_TRUST_HOST: "true" }))[0]).toContain("trustHost")
})
