import { describe, expect, test } from "vitest"
import { attack, type Mode } from "../../attack.js"
import type { Application } from "../application.js"
import { ask, browse } from "../browse.js"

/** Each fault: what it is, and the environment that has it. */
const faults: readonly (readonly [fault: string, env: Readonly<Record<string, string>>])[] = [
  ["no secret", { AUTH_SECRET: "" }],
  ["a host that nobody trusts", { AUTH_TRUST_HOST: "", AUTH_URL: "" }],
  ["a provider without an issuer", { FAULT: "provider" }],
]

/** Pages that show something only to somebody signed in, and what that is. */
const guards: readonly (readonly [path: string, secret: string])[] = [
  ["/private", "the private page"],
  ["/dashboard", "the dashboard of"],
  ["/members", "members only"],
  ["/guarded/signed-in", "the guarded page"],
  ["/private-props", "the private page"],
  ["/", "id-ada"],
  ["/plain", "id-ada"],
  ["/handler/7", "id-ada"],
  ["/edge", "id-ada"],
  ["/api/who", "id-ada"],
  ["/api/edge-who", "id-ada"],
  ["/props", "id-ada"],
]

export function faultsCloseEverything(app: Application): void {
  describe("faults of the configuration", () => {
    test("do not stop the build, which needs no secret and no address", () => {
      expect(app.built.words).not.toMatch(/MissingSecret|AUTH_SECRET|\[auth\]/)
    })

    attack(
      "ADV-NA-15",
      "a fault of the configuration shows nothing to nobody, in every form of `auth`",
      async (mode) => {
        for (const [fault, env] of faults) {
          const { origin } = await app.served({ SECURITY: mode, ...env })
          for (const [path, secret] of guards) {
            const { status, text } = await ask(origin, path)
            expect([200, 303, 307, 500], `${path} with ${fault}`).toContain(status)
            expect(text, `${path} with ${fault}`).not.toContain(secret)
          }
        }
      },
    )

    attack(
      "ADV-NA-15",
      "a session from before the fault counts for nobody, and the fault is told to the log",
      async (mode) => {
        const cookie = await sessionCookie(app, mode)
        for (const [fault, env] of faults.slice(0, 2)) {
          const { origin, words } = await app.served({ SECURITY: mode, ...env })
          for (const [path, secret] of guards) {
            const { text } = await ask(origin, path, { headers: { cookie } })
            expect(text, `${path} with ${fault}`).not.toContain(secret)
          }
          expect(words()).toMatch(/MissingSecret|UntrustedHost/)
        }
      },
    )

    test("answer 500 on the routes of the engine, and say nothing of themselves to the browser", async () => {
      for (const [fault, env] of faults.slice(0, 2)) {
        const { origin } = await app.served({ SECURITY: "strict", ...env })
        const { status, text } = await ask(origin, "/api/auth/signin")
        expect(status, fault).toBe(500)
        expect(text, fault).not.toMatch(/AUTH_SECRET|AUTH_TRUST_HOST/)
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
