import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { describe, expect, test } from "vitest"
import { compile } from "../../../test/compile.js"
import { toAuthRequest } from "../../http/auth-request.js"
import { english } from "../../i18n/languages/en.js"
import type { AuthContext } from "../../model/auth.js"
import type { AuthConfig } from "../../model/config.js"
import type { EmailConfig } from "../../model/email-provider.js"
import type { Page } from "../../model/http.js"
import type { WebAuthnConfig } from "../../model/webauthn-provider.js"
import Passkey from "../../providers/passkey.js"
import WebAuthn from "../../providers/webauthn.js"
import { pageScript } from "../pages/generated/script.js"
import { passkeyScript } from "./generated/script.js"
import { passkeyTexts } from "../../html/passkey-texts.js"
import type { RenderedPage } from "../../model/built-in-pages.js"
import { loadScript, renderPage } from "../../../test/pages/render.js"

const secret = "Zm9yIHRlc3RzIG9ubHkgZm9yIHRlc3RzIG9ubHkgMTIzNDU2Nzg5MA"
const signin: Page = {
  name: "signin",
  error: undefined,
  email: undefined,
  callbackUrl: "https://app.test/home",
  csrfToken: "t0ken",
}

function authOf(providers: readonly (WebAuthnConfig | EmailConfig)[], config: Partial<AuthConfig> = {}): AuthContext {
  return compile({
    secret,
    url: "https://app.test",
    experimental: { enableWebAuthn: true },
    adapter: memoryAdapter(),
    logger: { warn() {} },
    ...config,
    providers,
  })
}

async function render(auth: AuthContext, page: Page = signin, query = ""): Promise<RenderedPage> {
  const route = { action: page.name, providerId: undefined }
  const url = new URL(`https://app.test/auth/${page.name}${query}`)
  const visitor = { headers: new Headers(), origin: url.origin }
  const request = toAuthRequest(auth, visitor, { url, method: "GET", body: {}, route })
  return renderPage(auth, request, page, { script: await loadScript(auth, page) })
}

function settingsIn({ html }: RenderedPage): readonly Record<string, unknown>[] {
  return [...html.matchAll(/data-passkey="([^"]*)"/g)].map(([, json = ""]) =>
    JSON.parse(json.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&")),
  )
}

describe("the passkey form", () => {
  test("has its fields, a button to sign in, one to sign up, and a place for the status and for errors", async () => {
    const { html } = await render(authOf([Passkey()]))
    expect(html).toContain(
      `<form id="passkey-form" action="https://app.test/auth/callback/passkey" method="POST" data-passkey=`,
    )
    expect(html).toMatch(
      /<label class="section-header" for="(input-email-for-passkey-provider)">Email<\/label><input [^>]*id="\1"/,
    )
    expect(html).toMatch(/<button class="submit"[^>]* id="submitButton-passkey"[^>]*>Sign in with a passkey<\/button>/)
    expect(html).toContain(`<button type="submit" name="action" value="register">Create a passkey</button>`)
    expect(html).toContain(`<p role="status"></p><p role="alert"></p>`)
    expect(html).toContain("<noscript><p>This needs JavaScript.")
  })

  test("has no button to sign up under strict", async () => {
    const { html } = await render(authOf([Passkey()], { security: "strict" }))
    expect(html).toContain("Sign in with a passkey")
    expect(html).not.toContain(`value="register"`)
  })

  test("offers a sign-up only if a field or `getUserInfo` can give the email", async () => {
    const formFields = { nickname: { autocomplete: "username webauthn" } }
    const offers = async (config: Partial<WebAuthnConfig>) =>
      (await render(authOf([Passkey(config)]))).html.includes(`value="register"`)
    expect(await offers({ formFields })).toBe(false)
    expect(await offers({ formFields, getUserInfo: async () => null })).toBe(true)
  })

  test("isn't there if the provider has no fields, whichever way that is written", async () => {
    for (const formFields of [undefined, JSON.parse("null"), JSON.parse("false")]) {
      const passkey = Passkey({ enableConditionalUI: false, formFields })
      expect((await render(authOf([passkey]))).html).not.toContain("passkey")
    }
  })

  test("requires no field for a sign-in if the passkey names its user", async () => {
    const button = /<button class="submit"[^>]*>/
    expect(button.exec((await render(authOf([Passkey()]))).html)?.[0]).toContain("formnovalidate")
    expect(button.exec((await render(authOf([WebAuthn()]))).html)?.[0]).not.toContain("formnovalidate")
  })

  test("gets the URL of its options from the server, not from the URL of the page", async () => {
    const page = await render(authOf([Passkey()]), signin, "?callbackUrl=https://app.test/a/b/")
    expect(settingsIn(page)).toEqual([
      { url: "https://app.test/auth/webauthn-options/passkey", autofill: true, texts: passkeyTexts(english) },
    ])
  })

  test("uses autofill only for the provider that asks for it", async () => {
    const page = await render(authOf([WebAuthn({ enableConditionalUI: false }), Passkey()]))
    expect(settingsIn(page).map(({ autofill }) => autofill)).toEqual([false, true])
  })
})

test("the email field of another provider offers passkeys in its autofill", async () => {
  const mail = { id: "mail", name: "Mail", type: "email", sendVerificationRequest() {} } as const
  const field = /<input id="input-email-for-mail-provider"[^>]* autocomplete="([^"]*)"/
  const autocomplete = async (enableConditionalUI: boolean) =>
    field.exec((await render(authOf([Passkey({ enableConditionalUI }), mail]))).html)?.[1]
  expect(await autocomplete(true)).toBe("email webauthn")
  expect(await autocomplete(false)).toBe("email")
})

describe("the script of the passkey form", () => {
  const scriptSources = ({ csp }: RenderedPage) =>
    csp.split("; ").filter((directive) => /^(?:script|connect)-src/.test(directive))

  test("is on the sign-in page, and the policy allows it to send requests to this site only", async () => {
    const page = await render(authOf([Passkey()]))
    expect(page.html).toContain(`<script nonce="${page.nonce}">${passkeyScript}${pageScript}</script>`)
    expect(scriptSources(page)).toEqual([`script-src 'nonce-${page.nonce}'`, "connect-src 'self'"])
  })

  test("isn't on other pages, or if no passkey provider is on the page", async () => {
    for (const page of [
      await render(authOf([Passkey()]), { name: "signout", csrfToken: "t0ken", callbackUrl: "/" }),
      await render(authOf([Passkey({ formFields: undefined, enableConditionalUI: false })])),
      await render(authOf([])),
    ]) {
      expect(page.html).not.toContain("<script")
      expect(page.html).not.toContain("data-passkey")
      expect(scriptSources(page)).toEqual([])
    }
  })
})
