import { describe, expect, test } from "vitest"
import { send } from "../../applications/http.js"
import type { Application, Env } from "../application.js"
import { sessions, signedInWith } from "../visitor.js"

const proxied = { "x-forwarded-host": "shop.test", "x-forwarded-proto": "https" }

export function urls(app: Application): void {
  test("whatever path AUTH_URL has, the routes stay at /auth, as with @auth/qwik", async () => {
    const { origin } = await app.served({ AUTH_URL: "origin/account" })
    const session = expect.objectContaining({ user: expect.anything() })
    const browser = await signedInWith(app, origin)
    expect(await sessions(browser)).toEqual([session, session, session])
    expect(app.op.authorizations.at(-1)?.["redirect_uri"]).toBe(`${origin}/auth/callback/op`)
    expect((await send(origin, "/account/session")).status).toBe(404)
  })

  describe("behind a proxy", () => {
    const signInUrl = async (env: Env, headers: Readonly<Record<string, string>>) => {
      const { origin } = await app.served(env)
      const { status, text } = await send(origin, "/auth/providers", { headers })
      return { origin, status, url: status === 200 ? JSON.parse(text).op.signinUrl : undefined }
    }

    test.each([
      { source: "ORIGIN", env: { ORIGIN: "https://shop.test" }, headers: {} },
      {
        source: "HOST_HEADER and PROTOCOL_HEADER",
        env: { HOST_HEADER: "x-forwarded-host", PROTOCOL_HEADER: "x-forwarded-proto" },
        headers: proxied,
      },
    ])("the origin that $source gives Qwik's server is in URLs", async ({ env, headers }) => {
      expect((await signInUrl(env, headers)).url).toBe("https://shop.test/auth/signin/op")
    })
  })
}
