import { Auth } from "@latchkey/core"
import { createServer } from "@latchkey/core/server"
import type { AuthConfig } from "@latchkey/core/types"
import { captureLog } from "@latchkey/testing"
import { describe, expect, test, vi } from "vitest"
import { strongSecret } from "../modes/setup.js"

/** As bluebird is: what async functions return isn't an instance of it. */
class OtherPromise<T> extends Promise<T> {}

/** Its options are checked before the first response. */
function strict() {
  const { logger, entries } = captureLog()
  const config: AuthConfig = {
    security: "strict",
    secret: strongSecret,
    url: "https://app.test",
    providers: [],
    logger,
  }
  return { config, entries }
}

describe("where the application has replaced the global `Promise`", () => {
  test("a route answers the first request", async () => {
    const { config, entries } = strict()
    vi.stubGlobal("Promise", OtherPromise)
    const response = await Auth(new Request("https://app.test/auth/session"), config)
    expect([response.status, await response.json(), entries]).toEqual([200, null, []])
  })

  test("the first session of a server is read", async () => {
    const { config, entries } = strict()
    vi.stubGlobal("Promise", OtherPromise)
    const view = await createServer(config).session({ headers: new Headers() })
    expect([view, entries]).toEqual([{ session: null, cookies: [] }, []])
  })
})
