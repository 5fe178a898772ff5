import { customFetch } from "@latchkey/core"
import { createProvider, faults } from "@latchkey/testing"
import type { FakeProvider } from "@latchkey/testing"
import { afterEach, expect, vi } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { begin, open, outcome } from "../flows/oauth/app.js"
import { expectRefused, metadata } from "./oauth-setup.js"

afterEach(() => void vi.unstubAllGlobals())

/** Issuer URLs that lead to private addresses. */
const inside = [
  "http://169.254.169.254/",
  "https://169.254.169.254/latest",
  "https://[::ffff:10.0.0.1]",
  "https://[::ffff:a9fe:a9fe]",
  "https://[fd00::1]",
  "https://[fe80::1]",
  "https://[::]",
  "https://0.0.0.0",
  "https://10.1.2.3",
  "https://172.16.0.1",
  "https://172.31.255.255",
  "https://192.168.0.1",
  "https://100.64.0.1",
  "https://0x0a000001",
  "https://167772161",
  "https://012.1",
  "https://10.1",
  "http://op.internal:6379",
  "ftp://op.test",
  "file:///etc/passwd",
  "gopher://127.0.0.1:6379/_x",
  "data:application/json,{}",
]

attack("ADV-BA-19", "an issuer in a private network or without TLS gets no request", async (mode) => {
  for (const issuer of inside) {
    const op = createProvider()
    const { browser, log } = await open([op.provider({ issuer })], { security: mode })
    const csrfToken = (await browser.csrf()) ?? ""
    await browser.post("/auth/signin/op", { csrfToken })
    if (mode === "compatible" && issuer === "http://op.internal:6379") {
      // A name in the configuration is allowed, with a warning at startup. It could be that of another container.
      expect(log.entries.some(({ message }) => message === "insecure-endpoint")).toBe(true)
      continue
    }
    const refused = browser.response.status === 500 || outcome(browser) === "Configuration"
    expect([issuer, refused, op.requests]).toEqual([issuer, true, []])
    expect(log.entries.some(({ level }) => level === "error")).toBe(true)
  }
})

const named = ["authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri"] as const
const internal = ["https://10.0.0.1/x", "http://127.0.0.1:6379/x", "https://localhost/x", "http://a.localhost/x"]

attack("ADV-BA-19", "metadata of a public issuer cannot lead to a private address", async (mode) => {
  for (const name of named) {
    for (const address of [
      ...internal,
      "https://[::1]/x",
      "https://[::ffff:127.0.0.1]/x",
      "not an address",
      "/token",
    ]) {
      const op = createProvider({ faults: metadata({ [name]: address }) })
      const { browser } = await open([op.provider({ idToken: false })], { security: mode })
      await browser.signInWith(op, { as: "ada" })
      expect([name, address, outcome(browser)]).toEqual([name, address, "Configuration"])
      expect(op.requests.map(({ endpoint }) => endpoint)).toEqual(["discovery"])
      expect(await browser.session()).toBeNull()
    }
  }
})

attack("ADV-BA-19", "a redirect of the discovery is not followed, and no secret is sent", async (mode) => {
  for (const status of [301, 302, 303, 307, 308]) {
    for (const location of ["http://169.254.169.254/", "https://evil.test/", "https://op.test/elsewhere"]) {
      const op = createProvider({ faults: { discovery: () => new Response(null, { status, headers: { location } }) } })
      const { browser } = await open([op.provider()], { security: mode })
      await browser.signInWith(op, { as: "ada" })
      expect([outcome(browser), op.requests.length]).toEqual(["Configuration", 1])
      const sent = op.requests.map(({ url, headers, body }) => `${url} ${[...headers].join()} ${body}`).join()
      expect(sent).not.toContain(op.clientSecret)
    }
  }
})

attack("ADV-BA-19", "only token requests contain the client secret", async (mode) => {
  for (const token_endpoint_auth_method of ["client_secret_basic", "client_secret_post"] as const) {
    const op = createProvider()
    const client = { token_endpoint_auth_method }
    const { browser } = await open([op.provider({ idToken: false, client })], { security: mode })
    await browser.signInWith(op, { as: "ada" })
    expect(outcome(browser)).toBe("home")
    const basic = btoa(`${op.clientId}:${op.clientSecret}`)
    for (const { endpoint, url, headers, body } of op.requests) {
      const sent = `${url} ${[...headers].join()} ${body}`
      expect([endpoint, sent.includes(op.clientSecret) || sent.includes(basic)]).toEqual([
        endpoint,
        endpoint === "token",
      ])
      expect(url.href).not.toContain(op.clientSecret)
    }
  }
})

interface Call {
  readonly url: string
  readonly init: RequestInit | undefined
}

/** Records the calls of `customFetch`. Every other `fetch` fails. */
function watched(op: FakeProvider) {
  const calls: Call[] = []
  const strays: string[] = []
  const closed = (input: string | URL | Request): Promise<Response> => {
    strays.push(String(input instanceof Request ? input.url : input))
    return Promise.reject(new TypeError("The network is closed"))
  }
  vi.stubGlobal("fetch", closed)
  const transport: NonNullable<ReturnType<FakeProvider["provider"]>[typeof customFetch]> = (input, init) => {
    calls.push({ url: input instanceof Request ? input.url : String(input), init })
    return op.fetch(input, init)
  }
  return { calls, strays, given: { [customFetch]: transport }, runtime: { fetch: closed } }
}

function pathsOf(calls: readonly Call[]): string[] {
  return calls.map(({ url }) => new URL(url).pathname.replace("/.well-known/openid-configuration", "/discovery"))
}

attack("SSRF-02", "customFetch is used for every request, with the same limits", async (mode) => {
  const op = createProvider()
  const { calls, strays, given, runtime } = watched(op)
  const { browser } = await open([op.provider({ ...given, idToken: false })], { security: mode, runtime })
  await browser.signInWith(op, { as: "ada" })
  expect(outcome(browser)).toBe("home")
  expect(pathsOf(calls)).toEqual(["/discovery", "/token", "/jwks", "/userinfo"])
  op.rotateKeys()
  await browser.signInWith(op, { as: "ada" })
  expect(pathsOf(calls).slice(4)).toEqual(["/token", "/jwks", "/userinfo"])
  expect(strays).toEqual([])
  for (const { url, init } of calls) {
    expect([url, init?.redirect, init?.signal instanceof AbortSignal]).toEqual([url, "manual", true])
  }
})

attack("SSRF-02", "the issuer of a tenant is verified with the same fetch", async (mode) => {
  const tenant = "https://op.test/tenant-1"
  const template = "https://op.test/{tenant}"
  const op = createProvider({
    faults: [
      metadata({ issuer: template }),
      { idToken: (token) => ({ ...token, claims: { ...token.claims, iss: tenant, tid: "tenant-1" } }) },
      faults.issMissing,
    ],
  })
  const { calls, strays, given, runtime } = watched(op)
  const issuerFor = ({ tid }: Readonly<Record<string, unknown>>) => template.replace("{tenant}", String(tid))
  const { browser } = await open([op.provider({ ...given, issuerFor })], {
    security: { mode, enforceIssuerChecks: false },
    runtime,
  })
  await browser.signInWith(op, { as: "ada" })
  expect(outcome(browser)).toBe("home")
  expect([pathsOf(calls), strays]).toEqual([["/discovery", "/token", "/jwks"], []])
})

attack("SSRF-02", "a `userinfo.request` of a provider uses the same fetch and limits", async (mode) => {
  const op = createProvider()
  const { calls, strays, given, runtime } = watched(op)
  const refusals: string[] = []
  const refused = (work: Promise<unknown>) => work.catch((error: unknown) => refusals.push(String(error)))
  const provider = op.oauthProvider({
    ...given,
    userinfo: {
      request: async ({ tokens, provider: { fetch } }) => {
        await refused(fetch("http://169.254.169.254/"))
        await refused(fetch("https://[::ffff:10.0.0.1]/"))
        const headers = { authorization: `Bearer ${tokens.access_token}` }
        return (await fetch("https://op.test/userinfo", { headers, redirect: "follow" })).json()
      },
    },
  })
  const { browser } = await open([provider], { security: mode, runtime })
  await browser.signInWith(op, { as: "ada" })
  expect(outcome(browser)).toBe("home")
  expect([pathsOf(calls), strays, refusals.length]).toEqual([["/token", "/userinfo"], [], 2])
  expect(calls.map(({ init }) => init?.redirect)).toEqual(["manual", "manual"])
})

attack("SSRF-02", "a failing customFetch is not replaced by the global fetch", async (mode) => {
  const op = createProvider()
  const { strays, given, runtime } = watched(op)
  const app = await open([op.oauthProvider({ ...given })], { security: mode, runtime })
  op.inject({ answer: () => Promise.reject(new TypeError("fetch failed")) })
  await begin(app.browser)
  await app.browser.consentAt(op, { as: "ada" })
  await expectRefused(app, "Configuration")
  expect([strays, op.requests.length]).toEqual([[], 1])
})
