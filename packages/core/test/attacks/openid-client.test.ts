import { createProvider, faults, type Fault } from "@latchkey/testing"
import { expect } from "vitest"
import { attack, strictAttack } from "../../../../tests/attack.js"
import { begin, open, outcome } from "../flows/oauth/app.js"
import { claiming, expectAccepted, expectRefused, world } from "./openid-setup.js"

/** A literal implementation of RFC 6749 appendix B, on bytes. */
function formDecoded(text: string): string {
  const bytes = text
    .replaceAll("+", " ")
    .replaceAll(/%([\da-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, "latin1").toString("utf8")
}

const clients = [
  ["a:b %+é", "!'()*~ and spaces"],
  ["a:b %+é", "p:q&r=s%20t+u"],
  ["https://app.test/?x=1#y", '"\\/<>{}|^`[]@;,$'],
  ["id", "ключ-鍵-🔑"],
  ["%41", "%252B"],
  [" lead and trail ", "\ttab\nline"],
] as const

attack("OIDC-14", "client_secret_basic encodes id and secret without loss", async (mode) => {
  for (const [clientId, clientSecret] of clients) {
    for (const authentication of [undefined, "client_secret_basic"] as const) {
      const method = authentication === undefined ? {} : { authentication }
      const { op, browser } = await world(mode, { op: { clientId, clientSecret, ...method } })
      await browser.signInWith(op, { as: "ada" })
      const [request] = op.requestsTo("token")
      const [scheme, credentials = ""] = request?.headers.get("authorization")?.split(" ") ?? []
      const encoded = Buffer.from(credentials, "base64").toString("latin1")
      const parts = encoded.split(":")
      expect(scheme).toBe("Basic")
      expect(encoded).toMatch(/^[\w.!'()*~%+-]*:[\w.!'()*~%+-]*$/)
      expect(parts.map(formDecoded)).toEqual([clientId, clientSecret])
      expect([request?.form.get("client_id"), request?.form.get("client_secret")]).toEqual([null, null])
      expect(outcome(browser)).toBe("home")
    }
  }
})

attack("OIDC-14", "the client secret `a b` is not sent as `a+b`", async (mode) => {
  const { browser, op } = await world(mode, {
    op: { clientSecret: "a+b", authentication: "client_secret_basic" },
    provider: { clientSecret: "a b" },
  })
  await browser.signInWith(op, { as: "ada" })
  expect(outcome(browser)).toBe("Configuration")
})

function typed(tokenType: unknown): Fault {
  return { token: (answer) => ({ ...answer, body: { ...answer.body, token_type: tokenType } }) }
}

attack("OIDX-10", "`token_type` is compared without case, and an unknown one is refused", async (mode) => {
  for (const type of ["Bearer", "bearer", "BEARER", "bEaReR", "DPoP", "dpop", "DPOP"]) {
    await expectAccepted(mode, typed(type))
  }
  for (const type of ["mac", "MAC", "N_A", "", "bearer ", "pop", 1, {}, ["bearer"], true]) {
    await expectRefused(mode, typed(type))
    await expectRefused(mode, typed(type), { provider: { idToken: false } })
  }
})

attack(
  "OIDX-10",
  "a callback with another issuer, another state or none is refused before the token request",
  async (mode) => {
    for (const name of ["issMismatch", "issWithSlash", "stateWrong", "stateMissing"] as const) {
      const { op, browser, adapter } = await world(mode)
      op.inject(faults[name])
      await browser.signInWith(op, { as: "ada" })
      expect(outcome(browser)).toBe(name.startsWith("iss") ? "Configuration" : "InvalidCheck")
      expect([op.requestsTo("token"), adapter.rows().users, await browser.session()]).toEqual([[], [], null])
    }
  },
)

strictAttack("OIDX-10", "issuer checks", "a callback without the announced `iss` is refused", async () => {
  const { op, browser } = await world("strict")
  op.inject(faults.issMissing)
  await browser.signInWith(op, { as: "ada" })
  expect(outcome(browser)).toBe("Configuration")
  expect([op.requestsTo("token"), await browser.session()]).toEqual([[], null])
})

attack("OIDX-10", "an audience may come as a list", async (mode) => {
  await expectAccepted(mode, claiming({ aud: ["latchkey"] }))
  await expectRefused(mode, claiming({ aud: ["other"] }))
})

const accounts = ["acct:u@host.test", "https://host.test/u", "u@host.test"]

for (const id of ["OIDC-20", "OIDC-21"]) {
  attack(id, "an identifier typed by the user selects no provider and causes no WebFinger request", async (mode) => {
    const op = createProvider()
    const { browser } = await open([op.provider()], { security: mode })
    const csrfToken = (await browser.csrf()) ?? ""
    for (const resource of accounts) {
      for (const path of [
        "/auth/webfinger",
        "/auth/.well-known/webfinger",
        "/auth/discover",
        "/auth/signin/op/webfinger",
      ]) {
        expect((await browser.get(`${path}?resource=${encodeURIComponent(resource)}`)).status).toBe(404)
        expect((await browser.post(path, { csrfToken, resource, identifier: resource })).status).toBe(404)
      }
      const fields = { csrfToken, resource, identifier: resource, issuer: resource, login_hint: resource }
      await browser.post(`/auth/signin/op?resource=https://host.test&issuer=${encodeURIComponent(resource)}`, fields)
      expect(new URL(browser.location).origin).toBe("https://op.test")
    }
    expect(op.requests.map(({ url }) => url.host)).toEqual(["op.test"])
    expect(browser.cookies.filter(({ name }) => name.includes("session-token"))).toEqual([])
  })

  attack(id, "an identifier in place of the provider id starts no sign-in", async (mode) => {
    const op = createProvider()
    const { browser } = await open([op.provider()], { security: mode })
    for (const resource of accounts) {
      await browser.signIn(encodeURIComponent(resource))
      expect(browser.response.status).toBeLessThan(500)
      expect(new URL(browser.location).origin).toBe("https://app.test")
      expect(op.requests).toEqual([])
    }
  })
}

attack(
  "OIDC-45",
  "there is no route for a sign-in started by the provider, and no GET request starts one",
  async (mode) => {
    const op = createProvider()
    const { browser } = await open([op.provider()], { security: mode })
    const query = "iss=https%3A%2F%2Fop.test&login_hint=ada&target_link_uri=https%3A%2F%2Fevil.test%2F"
    for (const path of ["/auth/initiate/op", "/auth/initiate", "/auth/initiate-login/op", "/auth/login/op"]) {
      expect((await browser.get(`${path}?${query}`, { from: "https://op.test" })).status).toBe(404)
      expect(
        (await browser.post(path, Object.fromEntries(new URLSearchParams(query)), { from: "https://op.test" })).status,
      ).toBe(404)
    }
    for (const from of [undefined, "https://op.test", "https://evil.test"]) {
      for (const more of ["", `?${query}`, "?callbackUrl=https%3A%2F%2Fevil.test"]) {
        await browser.get(`/auth/signin/op${more}`, from === undefined ? {} : { from })
        expect(new URL(browser.location).origin).toBe("https://app.test")
        expect(browser.cookies.filter(({ name }) => name.includes("state"))).toEqual([])
        expect(browser.text).not.toMatch(/(?:href|action|url)="?https:\/\/evil\.test/)
      }
    }
    expect([op.requests, op.authorizations]).toEqual([[], []])
  },
)

attack("OIDC-45", "a POST from another site does not start a sign-in", async (mode) => {
  const op = createProvider()
  const { browser } = await open([op.provider()], { security: mode })
  const fields = { iss: "https://op.test", login_hint: "mallory", target_link_uri: "https://evil.test" }
  for (const csrfToken of [undefined, "", "guessed", (await browser.fresh().csrf()) ?? ""]) {
    await browser.post(
      "/auth/signin/op",
      { ...fields, ...(csrfToken === undefined ? {} : { csrfToken }) },
      { from: "https://evil.test" },
    )
    expect(new URL(browser.location).origin).toBe("https://app.test")
  }
  expect([op.requests, op.authorizations, await browser.session()]).toEqual([[], [], null])
})

attack("OIDC-45", "a sign-in from our page returns to this site, not to the site in its parameters", async (mode) => {
  const op = createProvider()
  const { browser } = await open([op.provider()], { security: mode })
  const target = { target_link_uri: "https://evil.test/", iss: "https://evil.test" }
  await browser.signInWith(op, { as: "ada", query: target, fields: { ...target, callbackUrl: "https://evil.test/" } })
  expect(browser.location).toBe("https://app.test/")
  const asked = await begin(browser.fresh(), "op", target)
  expect([asked.searchParams.has("target_link_uri"), asked.searchParams.has("iss")]).toEqual([false, false])
})
