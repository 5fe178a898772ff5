import { captureLog, frozenClock } from "@latchkey/testing"
import { clockSkew } from "oauth4webapi"
import { afterEach, describe, expect, test, vi } from "vitest"
import { compile } from "../../../test/compile.js"
import { AuthError } from "../../errors.js"
import type { OAuthProvider, OIDCConfig } from "../../model/oauth-provider.js"
import { type Server, clientAuthentication, clientOf } from "./server.js"

const clock = frozenClock()

function site(given: Partial<OIDCConfig> = {}) {
  const auth = compile({
    secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw",
    url: "https://app.test",
    logger: captureLog().logger,
    runtime: clock.runtime,
    providers: [
      { id: "op", name: "Op", type: "oidc", issuer: "https://op.test", clientId: "a b", clientSecret: "s:&", ...given },
    ],
  })
  const provider = auth.providers.get("op")
  if (provider?.type !== "oidc") throw new Error("there is no such provider")
  return { auth, provider }
}

function serverWith(authMethods: readonly string[] | undefined): Server {
  const metadata = {
    issuer: "https://op.test",
    authorization_endpoint: undefined,
    token_endpoint: undefined,
    userinfo_endpoint: undefined,
    jwks_uri: undefined,
    codeChallengeMethods: undefined,
    idTokenAlgorithms: undefined,
    userinfoAlgorithms: undefined,
    authMethods,
    revocation_endpoint: undefined,
    end_session_endpoint: undefined,
    sendsIssuer: false,
  }
  return {
    issuer: undefined,
    authorization: undefined,
    token: undefined,
    userinfo: undefined,
    jwks: undefined,
    revocation: undefined,
    metadata,
  }
}

/** What a token request says with this authentication. */
async function said(given: Partial<OIDCConfig>, server?: Server) {
  const { auth, provider } = site(given)
  const [body, headers] = [new URLSearchParams(), new Headers()]
  await clientAuthentication(provider, server)({ issuer: "https://op.test" }, clientOf(auth, provider), body, headers)
  return { body: Object.fromEntries(body), headers: Object.fromEntries(headers) }
}

const basic = { body: {}, headers: { authorization: `Basic ${btoa("a+b:s%3A%26")}` } }
const post = { body: { client_id: "a b", client_secret: "s:&" }, headers: {} }

afterEach(() => vi.useRealTimers())

describe("the client that the protocol library sees", () => {
  test.each([-10_000, 0, 10_999])("has its clock %i ms from the system's, in whole seconds", (ahead) => {
    vi.useFakeTimers({ toFake: ["Date"], now: clock.now() - ahead })
    const { auth, provider } = site()
    expect(clientOf(auth, provider)).toStrictEqual({ client_id: "a b", [clockSkew]: Math.ceil(ahead / 1000) })
  })

  test("carries the metadata that change how answers are checked, and no others", () => {
    vi.useFakeTimers({ toFake: ["Date"], now: clock.now() })
    const metadata = {
      id_token_signed_response_alg: "ES256",
      userinfo_signed_response_alg: "PS256",
      default_max_age: 60,
      require_auth_time: true,
    }
    const { auth, provider } = site({ client: { ...metadata, token_endpoint_auth_method: "none" } })
    expect(clientOf(auth, provider)).toStrictEqual({ client_id: "a b", [clockSkew]: 0, ...metadata })
  })
})

describe("a client proves itself", () => {
  test.each<[string, Partial<OIDCConfig>, Server | undefined, object]>([
    ["with Basic where nothing else is known", {}, undefined, basic],
    ["with Basic where the server lists nothing", {}, serverWith(undefined), basic],
    ["with Basic where the server lists neither", {}, serverWith(["private_key_jwt"]), basic],
    ["with Basic where the server lists both", {}, serverWith(["client_secret_post", "client_secret_basic"]), basic],
    ["in the body where the server lists only that", {}, serverWith(["client_secret_post", "none"]), post],
    ["in the body as configured", { client: { token_endpoint_auth_method: "client_secret_post" } }, undefined, post],
    [
      "with Basic as configured, whatever the server lists",
      { client: { token_endpoint_auth_method: "client_secret_basic" } },
      serverWith(["client_secret_post"]),
      basic,
    ],
    [
      "not at all as configured",
      { client: { token_endpoint_auth_method: "none" }, clientSecret: undefined },
      undefined,
      { body: { client_id: "a b" }, headers: {} },
    ],
  ])("%s", async (_, given, server, expected) => {
    expect(await said(given, server)).toEqual(expected)
  })

  test.each<[string, Partial<OAuthProvider>]>([
    [
      'has no `clientSecret`. Set it, or set `client.token_endpoint_auth_method` to "none"',
      { clientSecret: undefined },
    ],
    ["has no `clientSecret`", { clientSecret: "" }],
    ["has no `clientSecret`", { clientSecret: undefined, client: { token_endpoint_auth_method: "client_secret_jwt" } }],
    [
      "needs `token.clientPrivateKey` for private_key_jwt",
      { client: { token_endpoint_auth_method: "private_key_jwt" } },
    ],
    [
      "has an unknown `client.token_endpoint_auth_method`",
      { client: JSON.parse('{"token_endpoint_auth_method":"x"}') },
    ],
  ])("or is told that it %s", (problem, given) => {
    const choose = () => clientAuthentication({ ...site().provider, ...given })
    expect(choose).toThrow(AuthError)
    expect(choose).toThrow(`The provider "op" ${problem}`)
    expect(choose).toThrow(expect.objectContaining({ cause: { providerId: "op" } }))
  })
})
