import { skipCSRFCheck } from "@latchkey/core"
import type { AuthConfig } from "@latchkey/core/types"
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
