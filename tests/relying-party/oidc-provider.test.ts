import { generateKeyPairSync } from "node:crypto"
import type { OIDCConfig } from "@latchkey/core/types"
import { frozenClock } from "@latchkey/testing"
import type { ClientMetadata } from "oidc-provider"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { answerOf, openAtProvider } from "./at-provider.js"
import {
  type App,
  begin,
  expectAccepted,
  expectRejected,
  home,
  openApp,
  type ResponseMode,
  responseModes,
} from "./app.js"
import { runCases, type RunName } from "./names.js"
import { ada, type RealProvider, startOpenIdProvider } from "./openid-provider.js"

const secret = "a secret with + and : and % in it, of 32 bytes"
const pair = generateKeyPairSync("ec", { namedCurve: "P-256" })

/** One client for each way to authenticate. */
const authentications = {
  client_secret_basic: {},
  client_secret_post: {},
  client_secret_jwt: { token_endpoint_auth_signing_alg: "HS256" },
  private_key_jwt: {
    token_endpoint_auth_signing_alg: "ES256",
    jwks: { keys: [{ ...pair.publicKey.export({ format: "jwk" }), kty: "EC", kid: "client", use: "sig" }] },
  },
  none: {},
} satisfies Readonly<Record<string, Partial<ClientMetadata>>>

type Authentication = keyof typeof authentications

const algorithms = ["RS256", "PS256", "ES256", "EdDSA"] as const

function isAuthentication(name: string): name is Authentication {
  return Object.hasOwn(authentications, name)
}

const clients: ClientMetadata[] = [
  ...Object.entries(authentications).map(([method, more]) => ({
    client_id: method,
    token_endpoint_auth_method: method as Authentication,
    ...(method === "none" || method === "private_key_jwt" ? {} : { client_secret: secret }),
    ...more,
  })),
  ...algorithms.map((alg) => ({ client_id: alg, client_secret: secret, id_token_signed_response_alg: alg })),
  { client_id: "signed-userinfo", client_secret: secret, userinfo_signed_response_alg: "ES256" },
]

/** A new one for each test, because Latchkey caches the keys of an issuer. */
let op: RealProvider
beforeEach(async () => {
  op = await startOpenIdProvider(clients)
})
afterEach(() => op.stop())

interface Setting {
  readonly responseMode: ResponseMode
  readonly client?: string
  readonly provider?: Partial<OIDCConfig>
  readonly params?: Readonly<Record<string, string>>
}

async function entryFor({
  responseMode,
  client = "client_secret_basic",
  provider,
  params,
}: Setting): Promise<OIDCConfig> {
  const method = isAuthentication(client) ? client : undefined
  const key = await crypto.subtle.importKey(
    "jwk",
    pair.privateKey.export({ format: "jwk" }),
    { name: "ECDSA", namedCurve: "P-256" },
    false,
    ["sign"],
  )
  return {
    id: "op",
    name: "oidc-provider",
    type: "oidc",
    issuer: op.issuer,
    clientId: client,
    ...(method === "none" || method === "private_key_jwt" ? {} : { clientSecret: secret }),
    ...(method === "private_key_jwt" ? { token: { clientPrivateKey: { key, kid: "client" } } } : {}),
    authorization: { params: { scope: "openid profile email", response_mode: responseMode, ...params } },
    ...provider,
    client: { ...(method === undefined ? {} : { token_endpoint_auth_method: method }), ...provider?.client },
  }
}

async function signIn({ browser }: App, mode: ResponseMode): Promise<void> {
  const answer = answerOf(await openAtProvider(home).open(await begin(browser)))
  expect(answer.method).toBe(mode === "query" ? "GET" : "POST")
  const params = answer.method === "POST" ? answer.fields : Object.fromEntries(new URL(answer.location).searchParams)
  expect(params["iss"]).toBe(op.issuer)
  await browser.follow(answer, op.issuer)
}

async function expectSignIn(setting: Setting): Promise<App> {
  const app = await openApp(await entryFor(setting), "strict")
  await signIn(app, setting.responseMode)
  await expectAccepted(app, ada)
  return app
}

const userinfo = { idToken: false }

/** Signs in, rotates the keys of the provider, and signs in again. */
async function expectRotation(responseMode: ResponseMode, when: "before" | "during"): Promise<void> {
  const clock = frozenClock(Date.now())
  const app = await openApp(await entryFor({ responseMode }), "strict", clock)
  await signIn(app, responseMode)
  await app.browser.signOut()
  clock.advance({ seconds: 31 })
  if (when === "before") op.rotateKeys()
  const address = await begin(app.browser)
  const answer = answerOf(await openAtProvider(home).open(address))
  if (when === "during") op.rotateKeys()
  await app.browser.follow(answer, op.issuer)
  await expectAccepted(app, ada)
}

const plays: Readonly<Partial<Record<RunName, (mode: ResponseMode) => Promise<unknown>>>> = {
  "oidcc-client-test": (responseMode) => expectSignIn({ responseMode }),
  "oidcc-client-test-idtoken-sig-rs256": (responseMode) => expectSignIn({ responseMode, client: "RS256" }),
  "oidcc-client-test-scope-userinfo-claims": async (responseMode) => {
    const { browser } = await expectSignIn({ responseMode, provider: userinfo })
    expect(await browser.session()).toMatchObject({ user: { email: ada.email } })
    expect(op.asked).toContain("GET /me")
  },
  "oidcc-client-test-client-secret-basic": (responseMode) =>
    expectSignIn({ responseMode, client: "client_secret_basic" }),
  "oidcc-client-test-form-post-error": async (responseMode) => {
    const app = await openApp(await entryFor({ responseMode, params: { prompt: "none", max_age: "0" } }), "strict")
    await signIn(app, responseMode)
    await expectRejected(app)
    expect(app.log.entries.some(({ text }) => text.includes("login_required"))).toBe(true)
  },
  "oidcc-client-test-discovery-openid-config": async (responseMode) => {
    await expectSignIn({ responseMode })
    expect(op.asked).toContain("GET /.well-known/openid-configuration")
  },
  "oidcc-client-test-discovery-jwks-uri-keys": async (responseMode) => {
    await expectSignIn({ responseMode })
    expect(op.asked).toContain("GET /jwks")
  },
  "oidcc-client-test-signing-key-rotation": (mode) => expectRotation(mode, "before"),
  "oidcc-client-test-signing-key-rotation-just-before-signing": (mode) => expectRotation(mode, "during"),
  "oidcc-client-test-userinfo-signed": (responseMode) =>
    expectSignIn({
      responseMode,
      client: "signed-userinfo",
      provider: { ...userinfo, client: { userinfo_signed_response_alg: "ES256" } },
    }),
  "oidcc-client-test-userinfo-bearer-header": async (responseMode) => {
    await expectSignIn({ responseMode, provider: userinfo })
    expect(op.asked.filter((request) => request.endsWith("/me"))).toEqual(["GET /me"])
  },
}

describe.each(responseModes)("oidc-provider, response mode %s", (responseMode) => {
  for (const { name, outcome, real } of runCases) {
    if (!(real as readonly string[]).includes("oidc-provider")) continue
    test(`${name} is ${outcome}`, async () => {
      const play = plays[name]
      if (play === undefined)
        throw new Error(`${name} is missing: add it here, or remove oidc-provider from it in names.ts`)
      await play(responseMode)
    })
  }

  test.each(Object.keys(authentications))("a client that authenticates with %s signs in", async (client) => {
    await expectSignIn({ responseMode, client })
  })

  test.each(algorithms)("an ID token signed with %s is accepted if the client expects it", async (client) => {
    await expectSignIn({ responseMode, client, provider: { client: { id_token_signed_response_alg: client } } })
  })

  test("a wrong client secret is refused", async () => {
    const entry = await entryFor({ responseMode })
    const app = await openApp({ ...entry, clientSecret: "another-secret-of-32-bytes-or-more" }, "strict")
    await signIn(app, responseMode)
    await expectRejected(app)
  })

  test("a response with the `iss` of another provider is refused", async () => {
    const app = await openApp(await entryFor({ responseMode }), "strict")
    const answer = answerOf(await openAtProvider(home).open(await begin(app.browser)))
    const other = "https://other.test"
    const forged =
      answer.method === "POST"
        ? { ...answer, fields: { ...answer.fields, iss: other } }
        : { ...answer, location: answer.location.replace(encodeURIComponent(op.issuer), encodeURIComponent(other)) }
    expect(forged).not.toEqual(answer)
    await app.browser.follow(forged, op.issuer)
    await expectRejected(app)
  })
})
