import { createAuth } from "@latchkey/hono"
import { Hono } from "hono"
import { test } from "vitest"
import { expectTokens, withToken } from "../../bearer/test/with-token.js"

const secret = "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw"

test("an access token is a session, and cookies don't count beside it", async () => {
  const user = await withToken(secret, "https://app.test")
  const { adapter, modules } = user
  const auth = createAuth({ secret, url: "https://app.test/auth", providers: [], adapter, modules })
  const app = new Hono()
  app.use(auth.routes)
  app.get("/account", auth.requireSession, (c) => c.json(c.var.session.user?.name ?? null))
  await expectTokens(user, async (headers) => {
    const response = await app.request("https://app.test/account", { headers })
    const { status } = response
    return { status, challenge: response.headers.get("www-authenticate"), body: await response.text() }
  })
})
