import { createRemoteJWKSet, jwtVerify } from "jose"
import { afterEach, describe, expect, test } from "vitest"
import { createProvider, type FakeProvider, type Listening, openBrowser } from "../src/index.js"
import { basic, redirectUri, startFlow, tokensOf } from "./relying-party.js"

const open: Listening[] = []

async function listening(): Promise<FakeProvider> {
  const op = createProvider()
  open.push(await op.listen())
  return op
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})

/** A browser whose app is the provider's server. */
function browserAt(op: FakeProvider): ReturnType<typeof openBrowser> {
  return openBrowser({ origin: op.issuer, handle: (request) => fetch(new Request(request, { redirect: "manual" })) })
}

describe("a provider on a port", () => {
  test("uses the URL of its HTTP server as the issuer", async () => {
    const op = await listening()
    expect(op.issuer).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    const metadata: unknown = await (await fetch(`${op.issuer}/.well-known/openid-configuration`)).json()
    expect(metadata).toMatchObject({ issuer: op.issuer, token_endpoint: `${op.issuer}/token` })
    expect(op.provider()).toMatchObject({ issuer: op.issuer })
  })

  test("signs in the user selected on its login page", async () => {
    const op = await listening()
    op.people.ada.name = "Ada <script>"
    const browser = browserAt(op)
    const { url, verifier, nonce } = startFlow(op)
    await browser.get(url)
    expect(browser.text).toContain("Ada &lt;script&gt;")
    await browser.submitForm(0, { as: "grace" })
    expect(browser.location.startsWith(redirectUri)).toBe(true)
    const response = await fetch(`${op.issuer}/token`, {
      method: "POST",
      headers: { authorization: basic(op.clientId, op.clientSecret) },
      body: new URLSearchParams({
        grant_type: "authorization_code",
        code: new URL(browser.location).searchParams.get("code") ?? "",
        code_verifier: verifier,
        redirect_uri: redirectUri,
      }),
    })
    const keys = createRemoteJWKSet(new URL(`${op.issuer}/jwks`))
    const { payload } = await jwtVerify((await tokensOf(response)).id_token, keys, { issuer: op.issuer })
    expect(payload).toMatchObject({ sub: "grace", nonce })
    expect(op.requestsTo("token")).toHaveLength(1)
  })

  test("returns an error if the user cancels", async () => {
    const op = await listening()
    const browser = browserAt(op)
    await browser.get(startFlow(op).url)
    await browser.submitForm(0, { as: "" })
    expect(browser.location).toContain("error=access_denied")
  })

  test("posts the response for form_post", async () => {
    const op = await listening()
    const browser = browserAt(op)
    await browser.get(startFlow(op, { response_mode: "form_post" }).url)
    await browser.submitForm(0, { as: "ada" })
    expect(browser.location).toBe(redirectUri)
    expect(browser.trail[0]?.headers.get("content-type")).toContain("text/html")
  })

  test("shows an error page for an unknown client", async () => {
    const op = await listening()
    const { url } = startFlow(op, { client_id: "evil" })
    const response = await fetch(url, { method: "POST", body: new URLSearchParams({ as: "ada" }), redirect: "manual" })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain("The provider has no client")
  })

  test("ends the session", async () => {
    const op = await listening()
    const query = "client_id=latchkey&state=s&post_logout_redirect_uri=https://app.test/bye"
    const response = await fetch(`${op.issuer}/logout?${query}`, { redirect: "manual" })
    expect(response.headers.get("location")).toBe("https://app.test/bye?state=s")
  })
})
