import { describe, expect, test } from "vitest"
import { compile } from "../../../test/compile.js"
import { toAuthRequest } from "../../http/auth-request.js"
import { compose } from "../../mail/account-letter.js"
import type { AuthContext, ProviderWithMethod } from "../../model/auth.js"
import type { AuthConfig } from "../../model/config.js"
import type { AuthRequest, Page } from "../../model/http.js"
import type { CredentialInput } from "../../model/credentials-provider.js"
import type { Provider } from "../../model/given-provider.js"
import type { ProviderStyle } from "../../model/provider.js"
import type { RenderedPage } from "../../model/built-in-pages.js"
import { renderPage } from "../../../test/pages/render.js"
import type { PageOf } from "../../html/view.js"

const secret = "Zm9yIHRlc3RzIG9ubHkgZm9yIHRlc3RzIG9ubHkgMTIzNDU2Nzg5MA"

function authOf(config: Partial<AuthConfig> = {}, more: Partial<AuthContext> = {}): AuthContext {
  return { ...compile({ secret, url: "https://app.test", providers: [], ...config }), development: false, ...more }
}

const oauth = (id: string, style: ProviderStyle = {}, endpoint?: string): Provider => ({
  id,
  name: id.toUpperCase(),
  type: "oidc",
  issuer: `https://${id}.test`,
  clientId: "client",
  clientSecret: "hush",
  style,
  ...(endpoint !== undefined && { authorization: endpoint }),
})

const credentials = (id: string, fields: Record<string, CredentialInput>): Provider => ({
  id,
  name: id.toUpperCase(),
  type: "credentials",
  credentials: fields,
  authorize: () => null,
})

/** A resolved email provider. Compiling one from a configuration would need an adapter. */
const mail: ProviderWithMethod = {
  id: "mail",
  name: "Mail",
  type: "email",
  style: {},
  method: () => Promise.reject(new Error("not on a page")),
  from: undefined,
  maxAge: 60,
  secret: undefined,
  apiKey: undefined,
  server: undefined,
  code: true,
  fetch: () => Promise.reject(new Error("not on a page")),
  sendVerificationRequest: () => undefined,
  sendAccountEmail: undefined,
  compose,
  generateVerificationToken: undefined,
  normalizeIdentifier: undefined,
}

const passkey = {
  id: "passkey",
  name: "Passkey",
  type: "webauthn",
  style: {},
  method: mail.method,
  formFields: { email: { label: "Username", autocomplete: "username webauthn" } },
  config: { id: "passkey", name: "Passkey", type: "webauthn" },
} as const

function withMore(auth: AuthContext, ...providers: ProviderWithMethod[]): AuthContext {
  return { ...auth, providers: new Map([...auth.providers, ...providers.map((each) => [each.id, each] as const)]) }
}

function incomingOf(auth: AuthContext): AuthRequest {
  const route = { action: "signin", providerId: undefined }
  const url = new URL("https://app.test/auth/signin?csrfToken=EVIL&providers=x&theme=x")
  return toAuthRequest(auth, { headers: new Headers(), origin: url.origin }, { url, method: "GET", body: {}, route })
}

function render(auth: AuthContext, page: Page): RenderedPage {
  return renderPage(auth, incomingOf(auth), page)
}

const callbackUrl = "https://app.test/home"

function signIn(auth: AuthContext, more: Partial<PageOf<"signin">> = {}): RenderedPage {
  return render(auth, { name: "signin", error: undefined, email: undefined, callbackUrl, csrfToken: "t0ken", ...more })
}

function directive(csp: string, name: string): string | undefined {
  return csp.split("; ").find((each) => each.startsWith(`${name} `))
}

describe("the sign-in page", () => {
  test("has one form per provider, in the configured order, with the CSRF token and callback URL", () => {
    const auth = withMore(
      authOf({ providers: [oauth("b"), oauth("a"), credentials("pw", { user: {} })] }),
      mail,
      passkey,
    )
    const { html, status } = signIn(auth)
    expect(status).toBe(200)
    const actions = [
      ...html.matchAll(/<form(?: id="[^"]+")? action="https:\/\/app\.test\/auth\/([^"]+)" method="POST"[ >]/g),
    ]
    expect(actions.map((found) => found[1])).toEqual([
      "signin/b",
      "signin/a",
      "callback/pw",
      "signin/mail",
      "callback/passkey",
    ])
    expect(html.split(`<input type="hidden" name="csrfToken" value="t0ken">`)).toHaveLength(6)
    expect(html.split(`<input type="hidden" name="callbackUrl" value="${callbackUrl}">`)).toHaveLength(6)
    expect(html).not.toContain("EVIL")
  })

  test("skips providers without fields, and shows a message if none is left", () => {
    const { html } = signIn(
      withMore(authOf({ providers: [credentials("pw", {})] }), { ...passkey, formFields: undefined }),
    )
    expect(html).not.toContain("<form")
    expect(html).toContain("No sign-in method is set up yet.")
  })

  test("has no CSRF token if the CSRF check is off", () => {
    expect(signIn(authOf({ providers: [oauth("a")] }), { csrfToken: undefined }).html).not.toContain("csrfToken")
  })

  test("has unique IDs and a label for each field", () => {
    const fields = { user: { label: "User" }, "pass word": { type: "password" } }
    const auth = authOf({ providers: [credentials("one", fields), credentials("two", fields)] })
    const { html } = signIn(withMore(auth, mail, passkey), { error: "CredentialsSignin" })
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map((found) => found[1])
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.filter((id) => id?.startsWith("submitButton"))).toEqual([
      "submitButton",
      "submitButton-two",
      "submitButton-mail",
      "submitButton-passkey",
    ])
    const labels = [
      ...html.matchAll(
        /<label class="section-header" for="([^"]+)">[^<]+<\/label>(?:<div class="password">)?<input ([^>]*)>/g,
      ),
    ]
    expect(labels).toHaveLength(6)
    for (const [, target, input] of labels) expect(input).toContain(`id="${target}"`)
    expect(html).toContain(`id="input-pass-word-for-one-provider" `.trim())
  })

  test("fills in the email from the query only if it's valid", () => {
    const auth = withMore(authOf(), mail)
    expect(signIn(auth, { email: "Ada@Example.com" }).html).toContain(`value="ada@example.com"`)
    expect(signIn(auth, { email: "call 0900-EVIL now" }).html).not.toContain("EVIL")
  })

  test("focuses the first email field, which is required and supports autofill", () => {
    const { html } = signIn(withMore(authOf(), mail, { ...mail, id: "other" }))
    expect(html).toMatch(
      /<input id="input-email-for-mail-provider" name="email" type="email" autocomplete="email"[^>]* required autofocus>/,
    )
    expect(html.match(/autofocus/g)).toHaveLength(1)
  })

  test("separates buttons from forms", () => {
    const { html } = signIn(
      withMore(authOf({ providers: [oauth("a"), oauth("b"), credentials("pw", { user: {} })] }), mail),
    )
    expect(html.replace(/<style.*?<\/style>/s, "").match(/<hr>|class="provider [^"]+"/g)).toEqual([
      `class="provider provider-0"`,
      `class="provider provider-1"`,
      "<hr>",
      `class="provider provider-2"`,
      `class="provider provider-3"`,
    ])
  })

  test("colors provider buttons with CSS rules, because the policy forbids style attributes", () => {
    const providers = [oauth("a", { brandColor: "#1db954" }), oauth("b", { bg: "#000" }), oauth("c", { bg: "}x{" })]
    const { html } = signIn(authOf({ providers }))
    expect(html).toContain(".provider-0 .button{--provider-brand-color:#1db954}")
    expect(html).toContain(".provider-1 .button{--provider-brand-color:#000}")
    expect(html).toContain(".provider-2 .button{--provider-brand-color:#fff}")
    expect(html).not.toContain("style=")
  })

  test("loads logos from other sites only if they're configured", () => {
    expect(signIn(authOf({ providers: [oauth("acme")] })).html).toContain(
      `<span class="initial" aria-hidden="true">A</span>`,
    )
    const { html, csp } = signIn(authOf({ providers: [oauth("acme", { logo: "https://cdn.test/a.svg" })] }))
    expect(html).toContain(`<img loading="lazy" width="24" height="24" src="https://cdn.test/a.svg" alt="">`)
    expect(directive(csp, "img-src")).toBe("img-src 'self' data: https://cdn.test")
  })

  test.each([
    ["OAuthAccountNotLinked", "To confirm your identity, sign in with the account you used originally."],
    ["CredentialsSignin", "Sign-in failed. Check that the details you entered are correct."],
    ["SessionRequired", "Please sign in to see this page."],
    ["OAuthSignin", "Sign-in failed. Try signing in with a different account."],
    ["MissingCSRF", "This form expired or was sent from another site. Please try again."],
    ["constructor", "Unable to sign in."],
    ["__proto__", "Unable to sign in."],
    ["call 0900-EVIL", "Unable to sign in."],
  ])("shows for %s: %s", (code, text) => {
    const { html } = signIn(authOf(), { error: code })
    expect(html).toContain(`<div class="error" role="alert"><p id="signin-error">${text}</p></div>`)
    expect(html).not.toContain("EVIL")
  })
})

describe("the form targets", () => {
  const targets = (auth: AuthContext, more: Partial<PageOf<"signin">> = {}) =>
    directive(signIn(auth, more).csp, "form-action")

  test("are only this site without an external provider", () => {
    expect(targets(authOf({ providers: [credentials("pw", { user: {} })] }))).toBe("form-action 'self'")
  })

  test("include the callback URL and custom pages on other sites", () => {
    const auth = authOf({ pages: { error: "https://help.test/oops", newUser: "/welcome" } })
    expect(targets(auth, { callbackUrl: "https://admin.test/x" })).toBe(
      "form-action 'self' https://admin.test https://help.test",
    )
    expect(targets(auth, { callbackUrl: "myapp://done" })).toBe("form-action 'self' myapp: https://help.test")
    expect(targets(auth, { callbackUrl: "https://a;script-src *.test" })).toBe("form-action 'self' https://help.test")
    expect(targets(auth, { callbackUrl: "https://a;b" })).toBe("form-action 'self' https://help.test")
  })

  test("are all https sites with an external provider, and http sites only if its endpoint is http", () => {
    expect(targets(authOf({ providers: [oauth("a")] }))).toBe("form-action 'self' https:")
    const insecure = oauth("a", {}, "http://localhost:9000/authorize")
    expect(targets(authOf({ providers: [insecure] }))).toBe("form-action 'self' https: http:")
  })
})
