import { memoryAdapter } from "@latchkey/adapter-kit"
import Passkey from "@latchkey/core/providers/passkey"
import type { AuthConfig } from "@latchkey/core/types"
import { visit } from "@latchkey/testing"
import { expect } from "vitest"
import { attack, type Mode } from "../../../../tests/attack.js"
import { headlessIn, json, stepOf } from "../flows/headless/setup.js"
import { mailbox, strict } from "../flows/signin/setup.js"
import { op, typed } from "../http/app.js"

const victim = "ada@app.test"

/** An application with every kind of provider, where ada has signed in with a link and with a passkey of her own. */
async function site(mode: Mode, more: Partial<AuthConfig> = {}) {
  const mail = mailbox()
  const config: AuthConfig = {
    ...(mode === "strict" ? strict : {}),
    adapter: memoryAdapter(),
    session: { strategy: "jwt" },
    providers: [op.provider(), typed, mail.provider, Passkey],
    experimental: { enableWebAuthn: true },
    ...more,
  }
  const owner = await visit(config)
  await owner.signIn("email", { email: victim })
  await owner.get(mail.link())
  expect(await owner.session()).toMatchObject({ user: { email: victim } })
  return { mail, owner, visitor: owner.fresh() }
}

const body = { name: "mallory", password: "open", email: "mallory@app.test" }
const routes = ["callback/credentials", "signin/op", "signin/email", "signout", "callback/email", "callback/passkey"]
const evil = { from: "https://evil.test" }

attack(
  "CSRF-01",
  "a step as JSON needs the token of this browser, and a page of another site can't send one",
  async (mode) => {
    const { owner, visitor, mail } = await site(mode)
    const [own, foreign] = [await owner.csrf(), await visitor.csrf()]
    const sent = mail.sent.length
    const type = { "content-type": "application/json" }
    for (const path of routes) {
      const forgeries = [
        { csrfToken: undefined, headers: { ...json, ...type } },
        { csrfToken: foreign, headers: { ...json, ...type } },
        { csrfToken: [own], headers: { ...json, ...type } },
        // A form of another site with `enctype="text/plain"` can make such a body without a preflight request.
        { csrfToken: own, headers: { ...json, "content-type": "text/plain" } },
        { csrfToken: own, headers: { ...json, ...type }, ...evil },
      ]
      for (const { csrfToken, ...options } of forgeries) {
        const sentBody = JSON.stringify({ ...body, csrfToken, code: "123456" })
        const response = await owner.fetch(`/auth/${path}`, { method: "POST", body: sentBody, ...options })
        const why = `${path} ${JSON.stringify(options)}`
        expect([403, 415], why).toContain(response.status)
        if (response.status === 403)
          expect(await response.json(), why).toMatchObject({ error: { code: "MissingCSRF" } })
        expect(response.headers.getSetCookie().join(), why).not.toMatch(/session-token|attempt|last-used/)
      }
    }
    expect(mail.sent).toHaveLength(sent)
    expect(await owner.session()).toMatchObject({ user: { email: victim } })
  },
)

attack("CSRF-01", "another site can't sign a visitor in as the attacker with JSON (login CSRF)", async (mode) => {
  const { visitor } = await site(mode)
  const csrfToken = await visitor.csrf()
  for (const headers of [json, { ...json, "content-type": "application/json" }]) {
    const sent = JSON.stringify({ ...body, csrfToken })
    await visitor.fetch("/auth/callback/credentials", { method: "POST", body: sent, headers, ...evil })
    expect(await visitor.session()).toBeNull()
  }
})

attack("CACHE-01", "no cache keeps a step, and none gives it to a browser that asked for a page", async (mode) => {
  const { owner } = await site(mode)
  const steps = ["signin", "signout", "error?error=AccessDenied", "verify-request", "webauthn-options/passkey?action=x"]
  for (const path of steps) {
    const { headers } = await owner.fetch(`/auth/${path}`, { headers: json })
    expect(headers.get("content-type"), path).toBe("application/json")
    expect(headers.get("cache-control"), path).toContain("no-store")
    expect(headers.get("vary"), path).toBe("Cookie, Accept")
    expect(headers.get("x-content-type-options"), path).toBe("nosniff")
    expect(headers.get("cross-origin-resource-policy"), path).toBe("same-origin")
    expect(headers.get("access-control-allow-origin"), path).toBeNull()
  }
})

attack("ENUM-02", "no step tells whether an email has an account", async (mode) => {
  const { visitor } = await site(mode)
  const known = headlessIn(visitor)
  const answers = []
  for (const email of [victim, "ADA@app.test", "unknown@app.test"]) {
    const its = headlessIn(known.browser.fresh())
    const sent = await its.post("/auth/signin/email", { email })
    const again = await its.get("/auth/verify-request?provider=email&type=email")
    const wrong = await its.post("/auth/callback/email", { code: "not it" })
    const password = await its.post("/auth/callback/credentials", { name: email, password: "guess" })
    const methods = await its.get("/auth/signin")
    const results = [sent, again, wrong, password, methods].map(({ status, result }) => [status, result])
    answers.push(
      JSON.stringify(results)
        .replaceAll(/"csrfToken":"\w+"/g, "")
        .replaceAll(email, "<email>")
        .replaceAll(email.toLowerCase(), "<email>"),
    )
  }
  expect(answers[1]).toBe(answers[0])
  expect(answers[2]).toBe(answers[0])
})

attack("ADV-BA-02", "a step shows nothing of the URL but the code of a known error", async (mode) => {
  const { visitor } = await site(mode)
  const its = headlessIn(visitor)
  const text = "Call+555-0199+now"
  const statuses: number[] = []
  for (const path of ["signin", "error", "verify-request", "signout"]) {
    const query = ["error", "code", "email", "provider", "message", "csrfToken", "app"].map((name) => `${name}=${text}`)
    const { result, status } = await its.get(`/auth/${path}?${query.join("&")}`)
    expect(JSON.stringify({ ...result, url: "" }), path).not.toContain("555-0199")
    statuses.push(status)
  }
  expect(statuses).toEqual([200, 400, 401, 200])
})

attack("XSS-02", "names of prototype keys aren't codes of errors", async (mode) => {
  const { visitor } = await site(mode)
  for (const code of ["constructor", "__proto__", "toString", "hasOwnProperty"]) {
    const { result } = await headlessIn(visitor).get(`/auth/error?error=${code}&code=${code}`)
    expect(result).toMatchObject({ status: "error", error: { code: "Default", message: "Unable to sign in." } })
  }
})

attack("ENUM-02", "an email comes back as it was typed, not as it's stored", async (mode) => {
  const stored = { id: "1", email: "Ada@App.test", emailVerified: null }
  const getUserByEmail = async (email: string) => (email.toLowerCase() === victim ? stored : null)
  const config = { ...(mode === "strict" ? strict : {}), adapter: { ...memoryAdapter(), getUserByEmail } }
  const its = headlessIn(await visit({ ...config, session: { strategy: "jwt" }, providers: [mailbox().provider] }))
  expect(stepOf(await its.post("/auth/signin/email", { email: victim }), "email-sent").email).toBe(victim)
  const again = await its.get("/auth/verify-request?provider=email&type=email")
  expect(stepOf(again, "email-sent").email).toBe(victim)
})
