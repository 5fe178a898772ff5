import { gzipSync } from "node:zlib"
import { describe, expect, test } from "vitest"
import { compile } from "../../../test/compile.js"
import { toAuthRequest } from "../../http/auth-request.js"
import type { Provider } from "../../model/given-provider.js"
import type { Page, SafeUrl } from "../../model/http.js"
import { pageScript } from "./generated/script.js"
import { passkeyScript } from "../passkeys/generated/script.js"
import { loadScript, renderPage } from "../../../test/pages/render.js"

const secret = "Zm9yIHRlc3RzIG9ubHkgZm9yIHRlc3RzIG9ubHkgMTIzNDU2Nzg5MA"
const callbackUrl = "https://app.test/home"
const signin: Page = { name: "signin", error: undefined, email: undefined, callbackUrl, csrfToken: "t0ken" }
const form = { action: "https://app.test/auth/callback/mail", csrfToken: "t0ken", callbackUrl, digits: true }

const oauth: Provider = {
  id: "acme",
  name: "Acme",
  type: "oidc",
  issuer: "https://acme.test",
  clientId: "client",
  clientSecret: "hush",
}
const password: Provider = {
  id: "password",
  name: "Password",
  type: "credentials",
  credentials: { name: {}, password: { type: "password" } },
  authorize: () => null,
}

async function render(page: Page, ...providers: Provider[]) {
  const auth = compile({ secret, url: "https://app.test", providers })
  const url = new URL(`https://app.test/auth/${page.name}`)
  const route = { action: page.name, providerId: undefined }
  const visitor = { headers: new Headers(), origin: url.origin }
  const request = toAuthRequest(auth, visitor, { url, method: "GET", body: {}, route })
  return renderPage(auth, request, page, { script: await loadScript(auth, page) })
}

describe("the script of the pages", () => {
  test.each<[string, Page, Provider[]]>([
    ["a sign-in page with a form", signin, [oauth, password]],
    ["the page with the form for a code", { name: "verify-request", form }, []],
    ["the confirmation of a link", { name: "confirm-email", action: form.action, fields: {}, csrfToken: "t0ken" }, []],
  ])("is on %s, and can't send requests", async (_, page, providers) => {
    const { html, csp, nonce } = await render(page, ...providers)
    expect(html.match(/<script.*<\/script>/g)).toEqual([`<script nonce="${nonce}">${pageScript}</script>`])
    expect(csp).toContain(`; script-src 'nonce-${nonce}'; img-src`)
  })

  test.each<[string, Page, Provider[]]>([
    ["a sign-in page with buttons only", signin, [oauth]],
    ["the sign-out page", { name: "signout", csrfToken: "t0ken", callbackUrl }, [password]],
    ["the error page", { name: "error", error: undefined }, [password]],
    ["the page after a request for a link without a code", { name: "verify-request" }, [password]],
  ])("isn't on %s", async (_, page, providers) => {
    const { html, csp } = await render(page, ...providers)
    expect(html).not.toContain("<script")
    expect(csp).not.toContain("script-src")
  })

  test("replaces the one that forwards a form on no page", async () => {
    const page: Page = { name: "forward", action: callbackUrl as SafeUrl, fields: {} }
    expect((await render(page)).html.match(/<script/g)).toHaveLength(1)
  })

  test.each([
    ["without passkeys", pageScript, 1500],
    ["with passkeys", passkeyScript + pageScript, 3000],
  ])("is small %s", (_, script, bytes) => {
    expect(gzipSync(script).length).toBeLessThan(bytes)
  })
})
