import latchkey, { requireSession } from "@latchkey/fastify"
import Fastify from "fastify"
import { onTestFinished, test } from "vitest"
import { expectTokens, withToken } from "../../bearer/test/with-token.js"

const secret = "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw"

test("an access token is a session, and cookies don't count beside it", async () => {
  const user = await withToken(secret, "https://app.test")
  const { adapter, modules } = user
  const app = Fastify()
  onTestFinished(() => app.close())
  await app.register(latchkey, { secret, url: "https://app.test/auth", providers: [], adapter, modules })
  app.get("/account", { preHandler: requireSession }, async (request) => request.authSession.user)
  await expectTokens(user, async (headers) => {
    const { statusCode: status, headers: sent, body } = await app.inject({ url: "/account", headers })
    return { status, challenge: sent["www-authenticate"]?.toString(), body }
  })
})
