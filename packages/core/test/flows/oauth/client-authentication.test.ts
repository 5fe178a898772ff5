import { createProvider } from "@latchkey/testing"
import type { ClientAuthentication, FakeProvider, SigningAlgorithm } from "@latchkey/testing"
import { decodeJwt, decodeProtectedHeader } from "jose"
import { expect, test } from "vitest"
import { open, outcome } from "./app.js"

const methods: readonly ClientAuthentication[] = [
  "client_secret_basic",
  "client_secret_post",
  "client_secret_jwt",
  "private_key_jwt",
  "none",
]
const algorithms: readonly SigningAlgorithm[] = ["RS256", "PS256", "ES256", "ES384", "EdDSA", "HS256"]

async function signIn(op: FakeProvider): Promise<string> {
  const token = { clientPrivateKey: await op.clientPrivateKey() }
  const { browser } = await open([op.provider({ token, idToken: false })])
  await browser.signInWith(op, { as: "ada" })
  return outcome(browser)
}

function tokenRequest(op: FakeProvider) {
  const [request] = op.requestsTo("token")
  if (request === undefined) throw new Error("There was no token request")
  return request
}

test.each(methods.flatMap((method) => algorithms.map((algorithm) => [method, algorithm] as const)))(
  "a client that uses %s signs in at a provider that signs with %s",
  async (authentication, algorithm) => {
    if (algorithm === "HS256" && authentication === "none") {
      const op = createProvider({ authentication, algorithm })
      const { browser } = await open([op.provider()])
      await browser.signInWith(op, { as: "ada" })
      expect(outcome(browser)).toBe("Configuration")
      return
    }
    expect(await signIn(createProvider({ authentication, algorithm, userinfo: "jwt" }))).toBe("home")
  },
)

test("client_secret_basic is the default, and form-encodes id and secret", async () => {
  const op = createProvider({ clientId: "my app:1", clientSecret: "s+e c%r/é~!" })
  expect(await signIn(op)).toBe("home")
  const { headers, form } = tokenRequest(op)
  expect(atob(headers.get("authorization")?.slice("Basic ".length) ?? "")).toBe("my+app%3A1:s%2Be+c%25r%2F%C3%A9~!")
  expect(form.has("client_secret") || form.has("client_id")).toBe(false)
})

test("client_secret_post sends both in the body and no header", async () => {
  const op = createProvider({ authentication: "client_secret_post" })
  expect(await signIn(op)).toBe("home")
  const { headers, form, url } = tokenRequest(op)
  expect([form.get("client_id"), form.get("client_secret")]).toEqual([op.clientId, op.clientSecret])
  expect([headers.has("authorization"), url.search]).toEqual([false, ""])
})

test("client_secret_post is used if the metadata list only that", async () => {
  const op = createProvider({ authentication: "client_secret_post" })
  const { browser } = await open([op.provider({ client: {} })])
  await browser.signInWith(op, { as: "ada" })
  expect(outcome(browser)).toBe("home")
  expect(tokenRequest(op).form.get("client_secret")).toBe(op.clientSecret)
})

test("none sends the client id without a secret", async () => {
  const op = createProvider({ authentication: "none" })
  expect(await signIn(op)).toBe("home")
  const { headers, form } = tokenRequest(op)
  expect([form.get("client_id"), form.has("client_secret"), headers.has("authorization")]).toEqual([
    op.clientId,
    false,
    false,
  ])
})

test.each(["client_secret_jwt", "private_key_jwt"] as const)(
  "%s sends a short-lived assertion for this server only",
  async (authentication) => {
    const op = createProvider({ authentication })
    expect(await signIn(op)).toBe("home")
    const { form } = tokenRequest(op)
    const assertion = form.get("client_assertion") ?? ""
    const { iss, sub, aud, jti, exp = 0, iat = 0 } = decodeJwt(assertion)
    expect(form.get("client_assertion_type")).toBe("urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
    expect([iss, sub, aud]).toEqual([op.clientId, op.clientId, op.issuer])
    expect(exp - iat).toBeLessThanOrEqual(300)
    expect(jti).toEqual(expect.any(String))
    expect(decodeProtectedHeader(assertion).alg).toBe(authentication === "private_key_jwt" ? "ES256" : "HS256")
    expect(form.has("client_secret")).toBe(false)
  },
)

test("a key with a kid names it in the assertion", async () => {
  const op = createProvider({ authentication: "private_key_jwt" })
  const clientPrivateKey = { key: await op.clientPrivateKey(), kid: "key-7" }
  const { browser } = await open([op.provider({ token: { clientPrivateKey } })])
  await browser.signInWith(op, { as: "ada" })
  expect(outcome(browser)).toBe("home")
  expect(decodeProtectedHeader(tokenRequest(op).form.get("client_assertion") ?? "").kid).toBe("key-7")
})

test("a missing client secret is reported before the redirect to the provider", async () => {
  const op = createProvider()
  const { browser, log } = await open([op.provider({ clientSecret: undefined })])
  await browser.signInWith(op, { as: "ada" })
  expect(outcome(browser)).toBe("Configuration")
  expect(op.authorizations).toEqual([])
  expect(log.entries.map(({ message }) => message).join()).toContain("clientSecret")
})

test("a refused client secret redirects to the sign-in page and isn't logged", async () => {
  const op = createProvider()
  const clientSecret = "wrong-secret-not-to-be-logged"
  const { browser, log } = await open([op.provider({ clientSecret })], { debug: true })
  await browser.signInWith(op, { as: "ada" })
  expect(outcome(browser)).toBe("Configuration")
  log.forbid(clientSecret, btoa(`${op.clientId}:${clientSecret}`))
  log.assertClean()
})
