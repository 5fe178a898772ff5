import { createAuth } from "@latchkey/express"
import { describe, test } from "vitest"
import { expectTokens, withToken } from "../../bearer/test/with-token.js"
import { expressOf, majors } from "./majors.js"
import { ask, serve } from "./served.js"

const secret = "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw"

describe.each(majors)("in Express %s", (major) => {
  test("an access token is a session, and cookies don't count beside it", async () => {
    const user = await withToken(secret, "https://app.test")
    const { adapter, modules } = user
    const auth = createAuth({ secret, url: "https://app.test/auth", providers: [], adapter, modules })
    const app = expressOf(major)().use(auth.routes)
    app.get("/account", auth.requireSession, (_, res) => void res.json(res.locals.session.user?.name))
    const origin = await serve(app)
    await expectTokens(user, async (headers) => {
      const { status, headers: sent, body } = await ask(`${origin}/account`, { headers })
      return { status, challenge: sent["www-authenticate"], body }
    })
  })
})
