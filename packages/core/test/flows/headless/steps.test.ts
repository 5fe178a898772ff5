import { memoryAdapter } from "@latchkey/adapter-kit"
import { CredentialsSignin } from "@latchkey/core/errors"
import credentials from "@latchkey/core/providers/credentials"
import GitHub from "@latchkey/core/providers/github"
import Google from "@latchkey/core/providers/google"
import Passkey from "@latchkey/core/providers/passkey"
import type { AuthConfig } from "@latchkey/core/types"
import { createAuthenticator, createProvider, frozenClock } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { door } from "../../attacks/door-setup.js"
import { typed } from "../../http/app.js"
import { mailbox } from "../signin/setup.js"
import { headless, headlessIn, stepOf } from "./setup.js"

const base = "https://app.test/auth"
const op = createProvider()
const ada = "ada@example.test"

function everything(more: Partial<AuthConfig> = {}) {
  const mail = mailbox()
  const config: AuthConfig = {
    providers: [op.provider(), typed, mail.provider, Passkey],
    adapter: memoryAdapter(),
    session: { strategy: "jwt" },
    experimental: { enableWebAuthn: true },
    ...more,
  }
  return { mail, config }
}

test.each(["compatible", "strict"] as const)(
  "a provider that doesn't exist is named in the response, with the ids that do (%s)",
  async (security) => {
    const app = door(security)
    const headers = { accept: "application/json" }
    for (const path of ["/auth/signin/gihub", "/auth/callback/gihub"]) {
      const response = await app.post(path, {}, headers)
      expect([response.status, await response.json()]).toMatchObject([
        404,
        {
          error: {
            code: "InvalidProvider",
            reason: expect.stringMatching(/The ids are .*mail, credentials$/) as string,
          },
        },
      ])
    }
    const elsewhere = await app.post("/auth/signin", {}, headers)
    expect(await elsewhere.text()).not.toContain("The ids are")
    for (const path of ["/auth/nothing", "/auth/session/gihub"]) {
      const unknown = await app.get(path, headers)
      expect(await unknown.json()).toMatchObject({ error: { code: "NotFound" } })
    }
  },
)

describe("GET signin lists", () => {
  test("every method with its fields, texts and URLs, and what a form needs", async () => {
    const its = await headless(everything().config)
    const { status, headers, result } = await its.get("/auth/signin?callbackUrl=/inbox")
    expect([status, headers.get("content-type")]).toEqual([200, "application/json"])
    const email = {
      name: "email",
      label: "Email",
      type: "email",
      required: true,
      autocomplete: "email webauthn",
      placeholder: "email@example.com",
    }
    expect(result).toMatchObject({
      status: "methods",
      csrfToken: await its.browser.csrf(),
      callbackUrl: `${base.slice(0, -5)}/inbox`,
      methods: [
        { id: "op", type: "oidc", url: `${base}/signin/op`, fields: [] },
        {
          id: "credentials",
          type: "credentials",
          url: `${base}/callback/credentials`,
          fields: [
            { name: "name", label: "Name", type: "text", required: false },
            { name: "password", type: "password", autocomplete: "current-password" },
          ],
        },
        { id: "email", type: "email", url: `${base}/signin/email`, fields: [email] },
        {
          id: "passkey",
          type: "webauthn",
          url: `${base}/callback/passkey`,
          optionsUrl: `${base}/webauthn-options/passkey`,
          autofill: true,
          fields: [{ name: "email" }],
        },
      ],
    })
  })

  test("logos as data URLs, links, the name of the application and the language", async () => {
    const legal = { terms: "/terms", privacy: "https://join.test/privacy" }
    const pages = { forgotPassword: "/reset", createAccount: "https://join.test/", ...legal }
    const config: AuthConfig = { providers: [GitHub, Google], pages, theme: { name: "Acme" } }
    const its = await headless(config)
    const step = stepOf(await its.get("/auth/signin", { "accept-language": "xx" }), "methods")
    expect(step).toMatchObject({
      app: "Acme",
      language: { tag: "en", direction: "ltr" },
      links: pages,
    })
    const [github, google] = step.methods
    const svg = decodeURIComponent(github?.logo?.split(",")[1] ?? "")
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" fill="#1f2328" viewBox="0 0 24 24"/)
    expect(github?.logoDark).toContain(encodeURIComponent('fill="#ffffff"'))
    expect([google?.logo?.slice(0, 18), google?.logoDark]).toEqual(["data:image/svg+xml", undefined])
  })

  test("the method that this browser signed in with last", async () => {
    const its = await headless(everything({ pages: { signIn: "/login" } }).config)
    expect(stepOf(await its.get("/auth/signin"), "methods").lastUsed).toBeUndefined()
    await its.post("/auth/callback/credentials", { name: "ada", password: "open" })
    expect(stepOf(await its.get("/auth/signin"), "methods").lastUsed).toBe("credentials")
  })
})

test("a method has the texts of the built-in page, in the language of the user, and its image", async () => {
  const paths = [["M0 0h24", "#f00"], ["M0 24h24"], ["<script>"]] as const
  const own = op.provider({ id: "own", name: "Own", style: { icon: paths } })
  const config = everything({ providers: [own, typed, Passkey({ style: { logo: "/key.svg" } })] }).config
  const its = await headless(config)
  const { methods } = stepOf(await its.get("/auth/signin", { "accept-language": "de" }), "methods")
  expect(methods).toMatchObject([
    { label: "Mit Own anmelden", icon: [{ d: "M0 0h24", fill: "#f00" }, { d: "M0 24h24" }] },
    { instead: expect.stringContaining("Passwort") },
    { label: "Mit Passkey anmelden", logo: "https://app.test/key.svg" },
  ])
})

describe("a password", () => {
  test("signs in", async () => {
    const its = await headless(everything().config)
    const { status, headers, result } = await its.post("/auth/callback/credentials", {
      name: "ada",
      password: "open",
      callbackUrl: "/inbox",
    })
    expect([status, result]).toEqual([200, { status: "signed-in", url: "https://app.test/inbox" }])
    expect(headers.get("location")).toBe("https://app.test/inbox")
    expect(await its.browser.session()).toMatchObject({ user: { name: "ada" } })
  })

  test("that is wrong is refused with 401, and reveals nothing else", async () => {
    const its = await headless(everything().config)
    const { status, headers, result } = await its.post("/auth/callback/credentials", { name: "ada", password: "shut" })
    expect(headers.get("location")).toBe(`${base}/signin?error=CredentialsSignin&code=credentials`)
    expect([status, result]).toEqual([
      401,
      {
        status: "error",
        error: {
          code: "CredentialsSignin",
          message: "Sign-in failed. Check that the details you entered are correct.",
          reason: "credentials",
        },
        url: `${base}/signin?error=CredentialsSignin&code=credentials`,
      },
    ])
  })

  test("the application names the reason and the field of a refusal", async () => {
    class NoCode extends CredentialsSignin {
      override code = "otp-missing"
    }
    const provider = credentials({
      credentials: { otp: { label: "Code", maxLength: 6, inputMode: "numeric", onclick: "alert(1)" } },
      authorize: () => {
        throw new NoCode("no code", { field: "otp" })
      },
    })
    const its = await headless({ providers: [provider] })
    const { methods } = stepOf(await its.get("/auth/signin"), "methods")
    expect(methods[0]?.fields).toEqual([
      {
        name: "otp",
        label: "Code",
        type: "text",
        required: false,
        attributes: { maxlength: 6, inputmode: "numeric" },
      },
    ])
    const { error } = stepOf(await its.post("/auth/callback/credentials", { otp: "" }), "error")
    expect(error).toMatchObject({ code: "CredentialsSignin", reason: "otp-missing", field: "otp" })
  })
})

describe("an email", () => {
  test("is sent, and its code signs in", async () => {
    const { mail, config } = everything()
    const its = await headless(config)
    const sent = stepOf(
      await its.post("/auth/signin/email", { email: " Ada@Example.test", callbackUrl: "/x" }),
      "email-sent",
    )
    expect(sent).toEqual({
      status: "email-sent",
      email: ada,
      provider: "email",
      expiresIn: 86_400,
      resendIn: 60,
      code: { length: 6, digits: true, url: `${base}/callback/email` },
      url: `${base}/verify-request?provider=email&type=email`,
    })
    const { result } = await its.post("/auth/callback/email", { code: mail.sent[0]?.code })
    expect(result).toEqual({ status: "signed-in", url: "https://app.test/x" })
  })

  test("with a wrong code is refused at the field, and the right one still works", async () => {
    const { mail, config } = everything()
    const its = await headless(config)
    await its.post("/auth/signin/email", { email: ada })
    const wrong = await its.post("/auth/callback/email", { code: "000 000" })
    expect([wrong.status, wrong.result]).toEqual([
      401,
      {
        status: "error",
        error: { code: "Verification", message: expect.stringContaining("incorrect"), field: "code" },
        url: `${base}/verify-request?provider=email&type=email&error=Verification`,
      },
    ])
    const right = await its.post("/auth/callback/email", { code: mail.sent[0]?.code })
    expect(right.result.status).toBe("signed-in")
  })

  test("that was sent is shown again after a reload, with the seconds that are left", async () => {
    const clock = frozenClock()
    const its = await headless(everything({ pages: { verifyRequest: "/sent" } }).config, { clock })
    const path = "/auth/verify-request?provider=email&type=email"
    expect((await its.get(path)).result).toMatchObject({ status: "error", error: { code: "Verification" } })
    const sent = stepOf(await its.post("/auth/signin/email", { email: ada }), "email-sent")
    clock.advance({ seconds: 20 })
    expect((await its.get(path)).result).toEqual({ ...sent, expiresIn: 86_380, resendIn: 40 })
    expect(stepOf(await headlessIn(its.browser.fresh()).get(path), "error").error.code).toBe("Verification")
  })

  test("has the same code field after a reload: without dashes, in the language of the flow", async () => {
    const mail = mailbox({ generateVerificationToken: () => "482-915" })
    const its = await headless({ providers: [mail.provider], adapter: memoryAdapter() })
    const sent = stepOf(await its.post("/auth/signin/email?ui_locales=de", { email: ada }), "email-sent")
    expect(sent.code).toEqual({ length: 6, digits: true, url: `${base}/callback/email?ui_locales=de` })
    const again = stepOf(await its.get(sent.url), "email-sent")
    expect(again.code).toEqual(sent.code)
  })

  test("has no code if the provider turns it off", async () => {
    const mail = mailbox({ code: false, maxAge: 600 })
    const its = await headless({ providers: [mail.provider], adapter: memoryAdapter() })
    const sent = stepOf(await its.post("/auth/signin/email", { email: ada }), "email-sent")
    expect([sent.expiresIn, sent.code]).toEqual([600, undefined])
  })

  test("that isn't an email is refused at the field", async () => {
    const its = await headless(everything().config)
    const { status, result } = await its.post("/auth/signin/email", { email: "ada" })
    expect([status, result]).toMatchObject([400, { status: "error", error: { code: "EmailSignin", field: "email" } }])
  })

  test("link that is opened in another browser asks for confirmation first", async () => {
    const { mail, config } = everything()
    const its = await headless(config)
    await its.post("/auth/signin/email", { email: ada, callbackUrl: "/x" })
    const other = headlessIn(its.browser.fresh())
    const step = stepOf(await other.get(mail.link()), "confirm-email")
    expect(step).toMatchObject({ account: "a***@example.test", url: `${base}/callback/email` })
    expect(await other.browser.session()).toBeNull()
    const { result } = await other.post(step.url, { ...step.fields, csrfToken: step.csrfToken })
    expect(result).toEqual({ status: "signed-in", url: "https://app.test/x" })
  })
})

describe("a passkey", () => {
  test("is created by a new user, and signs in later", async () => {
    const { config } = everything({ security: { passkeySignUp: true } })
    const its = await headless(config)
    const authenticator = createAuthenticator()
    const asked = stepOf(await its.get(`/auth/webauthn-options/passkey?action=register&email=${ada}`), "passkey")
    const data = await authenticator.create(asked.options as never)
    const created = await its.post("/auth/callback/passkey", { action: "register", data: JSON.stringify(data) })
    expect(created.result).toMatchObject({ status: "signed-in" })
    const later = headlessIn(its.browser.fresh())
    const { options } = stepOf(await later.get("/auth/webauthn-options/passkey?action=authenticate"), "passkey")
    const proof = JSON.stringify(await authenticator.get(options as never))
    const signed = await later.post("/auth/callback/passkey", {
      action: "authenticate",
      data: proof,
      callbackUrl: "/x",
    })
    expect(signed.result).toEqual({ status: "signed-in", url: "https://app.test/x" })
    const replayed = await later.post("/auth/callback/passkey", { action: "authenticate", data: proof })
    expect([replayed.status, replayed.result]).toMatchObject([401, { error: { code: "WebAuthnVerificationError" } }])
  })

  test("options that can't be made are refused, at the field if one is missing", async () => {
    const its = await headless(everything().config)
    const missing = await its.get("/auth/webauthn-options/passkey?action=register")
    expect([missing.status, missing.result]).toMatchObject([400, { error: { code: "InvalidRequest", field: "email" } }])
    const unknown = await its.get(`/auth/webauthn-options/passkey?action=steal&email=${ada}`)
    expect(stepOf(unknown, "error").error).toEqual({ code: "InvalidRequest", message: expect.any(String) })
  })
})

describe("a provider", () => {
  test("is a redirect to it, and its callback signs in", async () => {
    const its = await headless(everything().config)
    const { url } = stepOf(await its.post("/auth/signin/op", { callbackUrl: "/x" }), "redirect")
    const answer = await op.authorize(url, { as: "ada" })
    expect(new URL(url).origin).toBe(op.issuer)
    expect(answer).toBeDefined()
  })

  test("that doesn't answer is refused with 503", async () => {
    const broken = createProvider({ faults: { discovery: () => new Response(null, { status: 500 }) } })
    const its = await headless({ providers: [broken.provider()] })
    const { status, result } = await its.post("/auth/signin/op")
    expect([status, result]).toMatchObject([503, { status: "error", error: { code: "Configuration" } }])
  })

  test("that doesn't exist is refused", async () => {
    const its = await headless(everything().config)
    const { status, result } = await its.post("/auth/signin/unknown")
    expect([status, result]).toMatchObject([404, { status: "error", error: { code: "InvalidProvider" } }])
  })
})

describe("signing out", () => {
  test("asks first, and then ends the session", async () => {
    const its = await headless(everything().config)
    await its.post("/auth/callback/credentials", { name: "ada", password: "open" })
    const asked = stepOf(await its.get("/auth/signout?callbackUrl=/bye"), "confirm-sign-out")
    expect([asked.url, asked.user]).toEqual([`${base}/signout`, "ada@app.test"])
    const { csrfToken, callbackUrl } = asked
    const done = await its.post(asked.url, { csrfToken, callbackUrl })
    expect([done.status, done.result]).toEqual([200, { status: "signed-out", url: "https://app.test/bye" }])
    expect(done.headers.get("clear-site-data")).toBe('"cache"')
    expect(await its.browser.session()).toBeNull()
    expect((await its.get("/auth/signout")).result).toMatchObject({ status: "signed-out" })
  })

  test("that fails in the database says so with 503", async () => {
    const adapter = memoryAdapter()
    const { config, mail } = everything({ adapter, session: { strategy: "database" }, providers: [] })
    const its = await headless({ ...config, providers: [mail.provider] })
    await its.post("/auth/signin/email", { email: ada })
    await its.post("/auth/callback/email", { code: mail.sent[0]?.code })
    adapter.deleteSession = async () => {
      throw new Error("connection lost")
    }
    const { status, result } = await its.post("/auth/signout")
    expect([status, result]).toMatchObject([503, { status: "error", error: { code: "SignOutError" } }])
    expect(stepOf({ status, result, headers: new Headers() }, "error").error.id).toMatch(/^[0-9a-f]{8}$/)
  })
})

describe("every refusal is typed:", () => {
  test("too many attempts, with the seconds to wait", async () => {
    const clock = frozenClock()
    const limits = { credentials: { identifier: { points: 1, seconds: 90 } } }
    const its = await headless(everything({ rateLimit: { limits } }).config, { clock })
    const attempt = () => its.post("/auth/callback/credentials", { name: "ada", password: "shut" })
    await attempt()
    const { status, headers, result } = await attempt()
    expect([status, headers.get("retry-after"), result]).toMatchObject([
      429,
      "90",
      { status: "error", error: { code: "RateLimited", retryAfter: 90 } },
    ])
  })

  test("the signIn callback", async () => {
    const its = await headless(everything({ callbacks: { signIn: () => false } }).config)
    const { status, result } = await its.post("/auth/callback/credentials", { name: "ada", password: "open" })
    expect([status, result]).toMatchObject([403, { status: "error", error: { code: "AccessDenied" } }])
  })

  test("a page that the signIn callback returned is a redirect, not a sign-in", async () => {
    const its = await headless(everything({ callbacks: { signIn: () => "/waitlist" } }).config)
    const { result } = await its.post("/auth/callback/credentials", { name: "ada", password: "open" })
    expect(result).toEqual({ status: "redirect", url: "https://app.test/waitlist" })
    expect(await its.browser.session()).toBeNull()
  })

  test("a missing CSRF token", async () => {
    const its = await headless(everything().config)
    for (const path of ["/auth/callback/credentials", "/auth/signin/op", "/auth/signout"]) {
      const { status, result } = await its.post(path, { csrfToken: "", name: "ada", password: "open" })
      expect([path, status, result]).toMatchObject([path, 403, { status: "error", error: { code: "MissingCSRF" } }])
    }
  })

  test("a failing authorize, with the ID that the log has", async () => {
    const provider = credentials({
      credentials: {},
      authorize: () => {
        throw new Error("directory is down")
      },
    })
    const its = await headless({ providers: [provider] })
    const { status, result } = await its.post("/auth/callback/credentials")
    expect([status, result]).toMatchObject([503, { error: { code: "Configuration", id: expect.any(String) } }])
    expect(JSON.stringify(result)).not.toContain("directory")
  })

  test("a body that is neither a form nor JSON, and other requests that no route answers", async () => {
    const its = await headless(everything().config)
    const text = await its.post("/auth/callback/credentials", {}, { "content-type": "text/plain" })
    expect([text.status, stepOf(text, "error").error]).toMatchObject([415, { code: "UnsupportedMediaType" }])
    const method = await its.post("/auth/error")
    expect([method.status, stepOf(method, "error").error]).toMatchObject([405, { code: "MethodNotAllowed" }])
    expect([method.headers.get("allow"), method.headers.get("vary")]).toEqual(["GET", "Cookie, Accept"])
    const large = await its.post("/auth/callback/credentials", { name: "a".repeat(70_000) })
    expect([large.status, stepOf(large, "error").error]).toMatchObject([413, { code: "RequestTooLarge" }])
  })

  test.each([
    ["CredentialsSignin", 401],
    ["AccessDenied", 403],
    ["Nonsense", 400],
  ])("GET error?error=%s is an error with status %i", async (code, expected) => {
    const its = await headless(everything().config)
    const { status, result } = await its.get(`/auth/error?error=${code}`)
    const shown = code === "Nonsense" ? "Default" : code
    expect([status, result]).toMatchObject([expected, { status: "error", error: { code: shown } }])
  })

  test("the error in the query of the sign-in page comes with the methods", async () => {
    const its = await headless(everything().config)
    const { error } = stepOf(await its.get("/auth/signin?error=OAuthAccountNotLinked"), "methods")
    expect(error?.message).toBe("To confirm your identity, sign in with the account you used originally.")
  })
})

describe("the response stays that of Auth.js for", () => {
  const accepts = [
    ["a browser", { accept: "text/html,application/xhtml+xml,application/json" }],
    ["axios", { accept: "application/json, text/plain, */*" }],
    ["fetch", { accept: "*/*" }],
  ] as const

  test.each(accepts)("%s", async (_, headers) => {
    const its = await headless(everything().config)
    const page = await its.browser.fetch("/auth/signin", { headers })
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8")
    expect(page.headers.get("vary")).toBe("Cookie")
  })

  test("the clients of Auth.js", async () => {
    const its = await headless(everything().config)
    const fields = { name: "ada", password: "open", callbackUrl: "/inbox" }
    const { result } = await its.post("/auth/callback/credentials", fields, { "x-auth-return-redirect": "1" })
    expect(result).toEqual({ url: "https://app.test/inbox" })
  })

  test("the routes that respond with JSON anyway", async () => {
    const its = await headless(everything().config)
    expect((await its.get("/auth/session")).result).toBeNull()
    expect((await its.get("/auth/csrf")).result).toHaveProperty("csrfToken")
    expect((await its.get("/auth/providers")).result).toHaveProperty("op")
  })
})

test("pages of the application don't redirect a flow", async () => {
  const pages = { signIn: "/login", signOut: "/bye", error: "/oops", verifyRequest: "/sent" }
  const its = await headless(everything({ pages }).config)
  expect((await its.get("/auth/signin")).result.status).toBe("methods")
  expect((await its.get("/auth/signout")).result.status).toBe("signed-out")
  expect((await its.get("/auth/error?error=AccessDenied")).result.status).toBe("error")
  const refused = stepOf(await its.post("/auth/callback/credentials", { name: "ada" }), "error")
  expect(refused.url).toBe("https://app.test/login?error=CredentialsSignin&code=credentials")
})

test("no cache keeps a step, and it depends on `Accept`", async () => {
  const its = await headless(everything().config)
  const { headers } = await its.get("/auth/signin")
  expect([headers.get("cache-control"), headers.get("vary")]).toEqual(["private, no-cache, no-store", "Cookie, Accept"])
})
