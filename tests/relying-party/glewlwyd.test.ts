import { createHash } from "node:crypto"
import type { OIDCConfig, SecurityMode } from "@latchkey/core/types"
import { frozenClock } from "@latchkey/testing"
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest"
import { type App, begin, expectAccepted, expectRejected, openApp, type ResponseMode, responseModes } from "./app.js"
import { ada, type Client, type Glewlwyd, type IssuerOptions, startGlewlwyd } from "./glewlwyd.js"
import { runCases, type RunName } from "./names.js"

const secret = "a-secret-of-at-least-32-characters-for-tests"
const clients: readonly Client[] = [
  { id: "basic", secret, authentication: "client_secret_basic" },
  { id: "post", secret, authentication: "client_secret_post" },
  { id: "public", authentication: "none" },
]

interface Setting extends IssuerOptions {
  readonly client?: string
  readonly provider?: Partial<OIDCConfig>
  readonly params?: Readonly<Record<string, string>>
  readonly security?: SecurityMode
  readonly clock?: ReturnType<typeof frozenClock>
}

interface World extends App {
  readonly issuer: string
  readonly clientId: string
  rotateKeys(): Promise<void>
}

const files = inject("glewlwyd")

describe.skipIf(files === undefined)("Glewlwyd", () => {
  let op: Glewlwyd
  beforeAll(async () => {
    if (files === undefined) throw new Error("Glewlwyd was not found")
    op = await startGlewlwyd(files, clients)
  })
  afterAll(() => op.stop())

  /** Each test has its own issuer, because Latchkey caches the keys of an issuer. */
  async function world(responseMode: ResponseMode, { client = "basic", ...setting }: Setting = {}): Promise<World> {
    // Glewlwyd percent-encodes `iss` in a form (see the test below), so forms go without it.
    const { issParameter = responseMode === "query" } = setting
    const { issuer, rotateKeys } = await op.newIssuer({ ...setting, issParameter })
    const { authentication, secret: clientSecret } = clients.find(({ id }) => id === client) ?? {
      authentication: "none",
    }
    const app = await openApp(
      {
        id: "op",
        name: "Glewlwyd",
        type: "oidc",
        issuer,
        clientId: client,
        clientSecret,
        authorization: { params: { scope: "openid", response_mode: responseMode, ...setting.params } },
        ...setting.provider,
        client: { token_endpoint_auth_method: authentication, ...setting.provider?.client },
      },
      setting.security ?? "strict",
      setting.clock,
    )
    return { ...app, issuer, rotateKeys, clientId: client }
  }

  async function signIn({ browser, issuer, clientId }: World, beforeReturn?: () => Promise<void>): Promise<void> {
    const answer = await op.consent(await begin(browser), clientId)
    await beforeReturn?.()
    await browser.follow(answer, issuer)
  }

  /** Glewlwyd has random subjects, so the name identifies Ada. */
  async function expectAda(its: World): Promise<void> {
    const [account] = its.adapter.rows().accounts
    await expectAccepted(its, { sub: account?.providerAccountId ?? "", name: ada.name })
    expect(account?.providerAccountId).toMatch(/^\w{32}$/)
  }

  async function expectSignIn(responseMode: ResponseMode, setting?: Setting): Promise<World> {
    const its = await world(responseMode, setting)
    await signIn(its)
    await expectAda(its)
    return its
  }

  async function expectRotation(responseMode: ResponseMode, when: "before" | "during"): Promise<void> {
    const clock = frozenClock(Date.now())
    const its = await world(responseMode, { clock })
    await signIn(its)
    await its.browser.signOut()
    clock.advance({ seconds: 31 })
    if (when === "before") await its.rotateKeys()
    await signIn(its, when === "during" ? its.rotateKeys : undefined)
    await expectAda(its)
  }

  const userinfo = { provider: { idToken: false } }

  const plays: Readonly<Partial<Record<RunName, (mode: ResponseMode) => Promise<unknown>>>> = {
    "oidcc-client-test": (mode) => expectSignIn(mode),
    "oidcc-client-test-idtoken-sig-rs256": (mode) =>
      expectSignIn(mode, { provider: { client: { id_token_signed_response_alg: "RS256" } } }),
    "oidcc-client-test-scope-userinfo-claims": async (mode) => {
      const { browser } = await expectSignIn(mode, userinfo)
      expect(await browser.session()).toMatchObject({ user: { email: ada.email } })
    },
    "oidcc-client-test-client-secret-basic": (mode) => expectSignIn(mode, { client: "basic" }),
    "oidcc-client-test-form-post-error": async (mode) => {
      const its = await world(mode, { params: { prompt: "none" } })
      await signIn(its)
      await expectRejected(its)
      expect(its.log.entries.some(({ text }) => /(?:login|interaction)_required/.test(text))).toBe(true)
    },
    "oidcc-client-test-discovery-openid-config": (mode) => expectSignIn(mode),
    "oidcc-client-test-discovery-jwks-uri-keys": (mode) => expectSignIn(mode),
    "oidcc-client-test-signing-key-rotation": (mode) => expectRotation(mode, "before"),
    "oidcc-client-test-signing-key-rotation-just-before-signing": (mode) => expectRotation(mode, "during"),
    "oidcc-client-test-userinfo-bearer-header": (mode) => expectSignIn(mode, userinfo),
  }

  describe.each(responseModes)("response mode %s", (mode) => {
    for (const { name, outcome, real } of runCases) {
      if (!(real as readonly string[]).includes("glewlwyd")) continue
      test(`${name} is ${outcome}`, async () => {
        const play = plays[name]
        if (play === undefined)
          throw new Error(`${name} is missing: add it here, or remove glewlwyd from it in names.ts`)
        await play(mode)
      })
    }

    test.each(clients)("the client $id, which authenticates with $authentication, signs in", async ({ id }) => {
      await expectSignIn(mode, { client: id })
    })

    test.each(["RS256", "PS256", "ES256"] as const)("an ID token signed with %s is accepted", async (algorithm) => {
      await expectSignIn(mode, { algorithm, provider: { client: { id_token_signed_response_alg: algorithm } } })
    })

    test("a wrong client secret is refused", async () => {
      const its = await world(mode, { provider: { clientSecret: "another-secret-of-at-least-32-characters" } })
      await signIn(its)
      await expectRejected(its)
    })

    test("a code issued for another attempt's challenge is refused", async () => {
      const its = await world(mode)
      const address = new URL(await begin(its.browser))
      address.searchParams.set("code_challenge", createHash("sha256").update("v".repeat(43)).digest("base64url"))
      await its.browser.follow(await op.consent(address.href, its.clientId), its.issuer)
      await expectRejected(its)
    })
  })

  test("a redirect has the `iss` of Glewlwyd, and another `iss` is refused", async () => {
    const its = await world("query")
    const answer = await op.consent(await begin(its.browser), its.clientId)
    if (answer.method === "POST") throw new Error("The response is a form")
    const location = new URL(answer.location)
    expect(location.searchParams.get("iss")).toBe(its.issuer)
    location.searchParams.set("iss", "https://other.test")
    await its.browser.follow({ ...answer, location: location.href }, its.issuer)
    await expectRejected(its)
  })

  test.each(["strict", "compatible"] as const)(
    "a form with a percent-encoded `iss` is refused (%s)",
    async (security) => {
      const its = await world("form_post", { issParameter: true, security })
      const answer = await op.consent(await begin(its.browser), its.clientId)
      if (answer.method === "GET") throw new Error("The response is a redirect")
      expect(answer.fields["iss"]).toBe(encodeURIComponent(its.issuer))
      await its.browser.follow(answer, its.issuer)
      await expectRejected(its)
    },
  )

  // OpenID Connect Core §3.1.3.6 requires the hash of the signature algorithm: SHA-512 for Ed25519 (RFC 8032 §5.1).
  test("with Ed25519, Glewlwyd hashes the access token with SHA-256, which only strict mode refuses", async () => {
    const lenient = await world("query", { algorithm: "EdDSA", security: "compatible" })
    await signIn(lenient)
    await expectAda(lenient)
    const [account] = lenient.adapter.rows().accounts
    const hash = createHash("sha256").update(account?.access_token ?? "")
    const half = Buffer.from(hash.digest().subarray(0, 16)).toString("base64url")
    expect(claimsOf(account?.id_token ?? "")["at_hash"]).toBe(half)
    const strict = await world("query", { algorithm: "EdDSA", security: "strict" })
    await signIn(strict)
    await expectRejected(strict)
  })
})

function claimsOf(jwt: string): Readonly<Record<string, unknown>> {
  return JSON.parse(Buffer.from(jwt.split(".")[1] ?? "", "base64url").toString())
}
