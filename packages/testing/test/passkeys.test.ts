import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type WebAuthnCredential,
} from "@simplewebauthn/server"
import { describe, expect, test } from "vitest"
import { createAuthenticator } from "../src/index.js"
import { at, hello, origin, to } from "./hand-written-app.js"

/** A small app with the routes of Latchkey for passkeys. It knows one user, one challenge and one credential. */
function smallApp(): ReturnType<typeof at> {
  let challenge = ""
  let stored: WebAuthnCredential | undefined
  const expected = { expectedOrigin: origin, expectedRPID: "app.test" }
  const signedIn = () => to("/", 302, ["session=1; Path=/"])
  return at({
    "GET /auth/csrf": () => Response.json({ csrfToken: "t" }),
    "GET /auth/session": ({ headers }) =>
      Response.json(headers.get("cookie")?.includes("session=") ? { user: 1 } : null),
    "POST /auth/signout": () => to("/", 302, ["session=; Path=/; Max-Age=0"]),
    "GET /auth/webauthn-options/passkey": async ({ url }) => {
      const { searchParams } = new URL(url)
      const email = searchParams.get("email") ?? ""
      if (email === "rejected") return Response.json({ error: "Invalid request" }, { status: 400 })
      const action = searchParams.get("action")
      const options =
        action === "register"
          ? await generateRegistrationOptions({
              rpName: "App",
              rpID: "app.test",
              userName: email,
              authenticatorSelection: { residentKey: "required" },
            })
          : await generateAuthenticationOptions({ rpID: "app.test" })
      challenge = options.challenge
      return Response.json({ action, options })
    },
    "POST /auth/callback/passkey": async (request) => {
      const form = new URLSearchParams(await request.text())
      const response = JSON.parse(form.get("data") ?? "")
      if (form.get("csrfToken") !== "t") return to("/denied")
      if (form.get("action") === "register") {
        const result = await verifyRegistrationResponse({ response, expectedChallenge: challenge, ...expected })
        stored = result.registrationInfo?.credential
        return stored === undefined ? to("/denied") : signedIn()
      }
      if (stored === undefined) return to("/denied")
      const { verified } = await verifyAuthenticationResponse({
        response,
        expectedChallenge: challenge,
        credential: stored,
        ...expected,
      })
      return verified ? signedIn() : to("/denied")
    },
    "GET /": hello,
    "GET /denied": hello,
  })
}

describe("a passkey", () => {
  test("is registered, and then signs in", async () => {
    const authenticator = createAuthenticator({ origin: "https://ignored.test" })
    const { browser } = smallApp()
    await browser.registerPasskey(authenticator, { fields: { email: "ada@example.test" } })
    expect(authenticator.credentials).toMatchObject([{ userName: "ada@example.test" }])
    await browser.signOut()
    expect(await browser.session()).toBeNull()
    await browser.signInWithPasskey(authenticator)
    expect([browser.location, await browser.session()]).toEqual([`${origin}/`, { user: 1 }])
  })

  test("sends its fields with both requests", async () => {
    const { browser, seen } = smallApp()
    const fields = { email: "ada@example.test", callbackUrl: "/welcome" }
    await browser.registerPasskey(createAuthenticator(), { fields })
    const options = seen.find(({ url }) => url.includes("webauthn-options"))
    expect(Object.fromEntries(new URL(options?.url ?? "").searchParams)).toEqual({ ...fields, action: "register" })
    const callback = seen.find(({ method, url }) => method === "POST" && url.includes("callback"))
    expect(callback?.headers.get("sec-fetch-site")).toBe("same-origin")
  })

  test("of no credential doesn't sign in, as in a browser", async () => {
    const { browser } = smallApp()
    await expect(browser.signInWithPasskey(createAuthenticator())).rejects.toMatchObject({ name: "NotAllowedError" })
  })

  test("isn't asked for if the app rejects the request for options", async () => {
    const { browser } = smallApp()
    const response = await browser.registerPasskey(createAuthenticator(), { fields: { email: "rejected" } })
    expect([response.status, await response.json()]).toEqual([400, { error: "Invalid request" }])
  })
})
