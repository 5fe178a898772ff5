import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { Auth } from "@latchkey/core"
import type { AuthConfig, SecurityMode } from "@latchkey/core/types"
import { logout } from "@latchkey/logout"
import { type Browser, captureLog, visit } from "@latchkey/testing"
import type { Configuration } from "oidc-provider"
import { describe, expect, test } from "vitest"
import { formsOf } from "../../packages/testing/src/browser/forms.js"
import { begin, home, redirectUri } from "./app.js"
import { answerOf, type AtProvider, openAtProvider } from "./at-provider.js"
import { type RealProvider, startOpenIdProvider } from "./openid-provider.js"

const secret = "a secret of 32 bytes or more, for the client"
const strategies = { "in the database": "database", "in cookies": "jwt" } as const

/** The provider under test sends its logout tokens to the application. */
async function start(mode: SecurityMode, strategy: "database" | "jwt", isSessionRequired: boolean) {
  const sent: number[] = []
  const config: { current?: AuthConfig } = {}
  const deliver: Configuration["fetch"] = async (url, init) => {
    if (config.current === undefined) throw new Error("The application hasn't started")
    const response = await Auth(new Request(String(url), init), config.current)
    sent.push(response.status)
    return response
  }
  const op = await startOpenIdProvider(
    [
      {
        client_id: "app",
        client_secret: secret,
        backchannel_logout_uri: `${home}/auth/backchannel-logout/op`,
        backchannel_logout_session_required: isSessionRequired,
        post_logout_redirect_uris: [`${home}/auth/logout/return`],
        redirect_uris: [redirectUri],
      },
    ],
    { fetch: deliver, features: { backchannelLogout: { enabled: true }, rpInitiatedLogout: { enabled: true } } },
  )
  const log = captureLog()
  config.current = {
    secret: "kV3b9QmT7xZ1cW5yR8nL2pD6fH4jS0gAeUiOqBtMvXs",
    trustHost: ["app.test"],
    providers: [
      { id: "op", name: "oidc-provider", type: "oidc", issuer: op.issuer, clientId: "app", clientSecret: secret },
    ],
    adapter: memoryAdapter(),
    session: { strategy },
    security: { mode, revocableSessions: true },
    logger: log.logger,
    // The provider is on loopback, which production under strict doesn't reach.
    environment: "development",
    modules: [logout()],
  }
  const browser = await visit(config.current, { origin: home })
  return { op, browser, sent, log }
}

async function signIn(browser: Browser, at: AtProvider, op: RealProvider): Promise<void> {
  await browser.follow(answerOf(await at.open(await begin(browser))), op.issuer)
  expect(await browser.session()).not.toBeNull()
}

describe.each(["compatible", "strict"] as const)("oidc-provider, %s", (mode) => {
  test.each([
    ["in the database", "by the session", true],
    ["in cookies", "by the session", true],
    ["in the database", "by the user", false],
    ["in cookies", "by the user", false],
  ] as const)("sessions %s end everywhere %s, after a federated sign-out in one browser", async (...row) => {
    const [where, , isSessionRequired] = row
    const { op, browser, sent } = await start(mode, strategies[where], isSessionRequired)
    try {
      const [at, other] = [openAtProvider(home), browser.fresh()]
      await signIn(browser, at, op)
      await signIn(other, at, op)
      await browser.post("/auth/signout", {
        csrfToken: (await browser.csrf()) ?? "",
        scope: "federated",
        callbackUrl: "/bye",
      })
      expect(browser.location.startsWith(`${op.issuer}/session/end?`)).toBe(true)
      expect([await browser.session(), (await other.session()) === null]).toEqual([null, false])
      const page = await at.open(browser.location)
      if ("method" in page) throw new Error("The provider asks nothing")
      const [form] = formsOf(page.text)
      const back = answerOf(
        await at.open(new URL(form?.action ?? "", page.url), {
          method: "POST",
          form: { ...form?.fields, logout: "yes" },
        }),
      )
      expect(sent).toEqual([200])
      expect(await other.session()).toBeNull()
      await browser.follow(back, op.issuer)
      expect(browser.location).toBe(`${home}/bye`)
    } finally {
      await op.stop()
    }
  })
})
