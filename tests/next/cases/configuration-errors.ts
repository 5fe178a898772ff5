import { describe, expect, test } from "vitest"
import { attack, type Mode } from "../../attack.js"
import type { Application } from "../application.js"
import { browse, send } from "../../applications/http.js"

/** Each error, and the variables that cause it. */
const errors: readonly (readonly [error: string, env: Readonly<Record<string, string>>])[] = [
  ["no secret", { AUTH_SECRET: "" }],
  ["an untrusted host", { AUTH_TRUST_HOST: "", AUTH_URL: "" }],
  ["a provider without an issuer", { CONFIG_ERROR: "provider" }],
]

/** Pages with content for signed-in users only. */
const protectedPages: readonly (readonly [path: string, secret: string])[] = [
  ["/private", "the private page"],
  ["/dashboard", "the dashboard of"],
  ["/members", "members only"],
  ["/guarded/signed-in", "the guarded page"],
  ["/private-props", "the private page"],
  ["/", "id-ada"],
  ["/plain", "id-ada"],
  ["/handler/7", "id-ada"],
  ["/edge", "id-ada"],
  ["/api/session", "id-ada"],
  ["/api/edge-session", "id-ada"],
  ["/props", "id-ada"],
]

export function configurationErrors(app: Application): void {
  describe("configuration errors", () => {
    test("don't stop the build, which needs no secret and no URL", () => {
      expect(app.built.output).not.toMatch(/MissingSecret|AUTH_SECRET|\[auth\]/)
    })

    attack("ADV-NA-15", "show nothing to visitors, wherever `auth` is called", async (mode) => {
      for (const [error, env] of errors) {
        const { origin } = await app.served({ SECURITY: mode, ...env })
        for (const [path, secret] of protectedPages) {
          const { status, text } = await send(origin, path)
          expect([200, 303, 307, 500], `${path} with ${error}`).toContain(status)
          expect(text, `${path} with ${error}`).not.toContain(secret)
        }
      }
    })

    attack("ADV-NA-15", "show nothing to users with an earlier session, and are logged", async (mode) => {
      const cookie = await sessionCookie(app, mode)
      for (const [error, env] of errors.slice(0, 2)) {
        const { origin, output } = await app.served({ SECURITY: mode, ...env })
        for (const [path, secret] of protectedPages) {
          const { text } = await send(origin, path, { headers: { cookie } })
          expect(text, `${path} with ${error}`).not.toContain(secret)
        }
        expect(output()).toMatch(/MissingSecret|UntrustedHost/)
      }
    })
  })
}

async function sessionCookie(app: Application, mode: Mode): Promise<string> {
  const { origin } = await app.served({ SECURITY: mode })
  const ada = browse(origin)
  await ada.signIn("credentials", { name: "ada", password: "open sesame" })
  expect((await ada.session()) ?? {}).toMatchObject({ id: "id-ada" })
  return ada.cookies.map(({ name, value }) => `${name}=${value}`).join("; ")
}
