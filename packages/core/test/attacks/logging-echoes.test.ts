import { customFetch } from "@latchkey/core"
import { createProvider } from "@latchkey/testing"
import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { secretsAt, site } from "./surface-setup.js"

attack(
  "ADV-NA-06",
  "an error in which a provider repeats our request does not bring its secrets into the log",
  async (mode) => {
    const op = createProvider()
    op.inject({
      answer: async ({ endpoint, body }) =>
        endpoint === "token"
          ? Response.json({ error: "invalid_grant", error_description: body }, { status: 400 })
          : undefined,
    })
    const own = op.provider({ client: { token_endpoint_auth_method: "client_secret_post" } })
    const { browser, log } = await site(mode, { debug: true, providers: [own] })
    await browser.signInWith(op, { as: "ada" })
    log.forbid(...secretsAt(op))
    log.assertClean()
    expect(log.entries.some(({ text }) => text.includes("invalid_grant"))).toBe(true)
  },
)

attack(
  "ADV-NA-06",
  "an error of `fetch` that contains the request does not bring its secrets into the log",
  async (mode) => {
    const op = createProvider()
    const failing: typeof op.fetch = async (input, init) => {
      const response = await op.fetch(input, init)
      if (!String(input).endsWith("/token")) return response
      throw Object.assign(new Error("socket hang up"), { config: { data: String(init?.body), headers: init?.headers } })
    }
    const { browser, log } = await site(mode, {
      debug: true,
      providers: [{ ...op.provider(), [customFetch]: failing }],
    })
    await browser.signInWith(op, { as: "ada" })
    log.forbid(...secretsAt(op))
    log.assertClean()
    expect(log.entries.some(({ text }) => text.includes("socket hang up"))).toBe(true)
  },
)
