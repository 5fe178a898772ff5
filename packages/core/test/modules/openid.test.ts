import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { defineModule, type ModuleContext, type OpenIdProvider } from "@latchkey/core/module"
import { createServer } from "@latchkey/core/server"
import { createProvider, frozenClock, type ProviderOptions, type FakeProvider } from "@latchkey/testing"
import { expect, test } from "vitest"
import { site } from "../account/setup.js"

type Claims = Readonly<Record<string, unknown>>

interface Asker {
  clientId(provider: string): Promise<string | undefined>
  verify(provider: string, token: string, type?: string): Promise<Claims | undefined>
  endSession(provider: string, params: Readonly<Record<string, string>>): Promise<string | null | undefined>
}

const asker = defineModule({
  id: "asker",
  members: ["clientId", "verify", "endSession"],
  load: async () => ({
    server({ openId }: ModuleContext) {
      const of = async <T>(id: string, ask: (provider: OpenIdProvider) => T) => {
        const provider = await openId(id)
        return provider === null ? undefined : ask(provider)
      }
      return {
        clientId: async (id: string) => of(id, ({ clientId }) => clientId),
        verify: async (id: string, token: string, type = "logout+jwt") => of(id, ({ verify }) => verify(token, type)),
        endSession: async (id: string, params: Readonly<Record<string, string>>) =>
          of(id, ({ endSession }) => endSession(params)),
      }
    },
  }),
})

const openProvider = (options: ProviderOptions = {}) => createProvider({ clock: frozenClock(), ...options })

async function asking(provider: FakeProvider) {
  const its = await site(memoryAdapter(), {
    modules: [asker],
    providers: [provider.provider(), provider.oauthProvider({ id: "plain" })],
  })
  return { ...its, ask: createServer(its.config).members["asker"] as unknown as Asker }
}

test("a module learns about OpenID providers, and about no others", async () => {
  const op = openProvider()
  const { ask } = await asking(op)
  expect(await ask.clientId("op")).toBe(op.clientId)
  expect([await ask.clientId("plain"), await ask.clientId("none")]).toEqual([undefined, undefined])
  const url = new URL((await ask.endSession("op", { state: "a b&c" })) ?? "")
  expect([url.origin, url.searchParams.get("state")]).toEqual([op.issuer, "a b&c"])
})

test("the metadata may name no end of a session, and one on this machine isn't asked", async () => {
  for (const [given, expected] of [
    [undefined, "null"],
    ["http://127.0.0.1/logout", "refused"],
    ["javascript:alert(1)", "refused"],
  ] as const) {
    const op = openProvider()
    op.inject({ discovery: (answer) => ({ ...answer, body: { ...Object(answer.body), end_session_endpoint: given } }) })
    const { ask, browser } = await asking(op)
    const found = await ask.endSession("op", {}).catch(() => "refused")
    expect(String(found)).toBe(expected)
    // A sign-in doesn't need it.
    await browser.signInWith(op, { as: "ada" })
    expect(await browser.session()).not.toBeNull()
  }
})

test("a token of the provider is verified, with the checks of ID tokens", async () => {
  const op = openProvider()
  const { ask } = await asking(op)
  expect(await ask.verify("op", await op.logoutToken({ as: "ada" }))).toMatchObject({ sub: "ada", iss: op.issuer })
  const other = openProvider({ issuer: "https://other.test" })
  const wrong = [
    await other.logoutToken({ as: "ada" }),
    await op.logoutToken({ as: "ada" }, (token) => ({ ...token, claims: { ...token.claims, iss: other.issuer } })),
    await op.logoutToken({ as: "ada" }, (token) => ({ ...token, claims: { ...token.claims, aud: "another" } })),
    await op.logoutToken({ as: "ada" }, (token) => ({ ...token, claims: { ...token.claims, exp: 1 } })),
    await op.logoutToken({ as: "ada" }, (token) => ({ ...token, header: { ...token.header, typ: "JWT" } })),
    await op.logoutToken({ as: "ada" }, (token) => ({ ...token, header: { ...token.header, alg: "none" } })),
    await op.logoutToken({ as: "ada" }, (token) => ({ ...token, header: { ...token.header, alg: "HS256" } })),
    "",
    "a.b.c",
  ]
  for (const token of wrong) await expect(ask.verify("op", token)).rejects.toThrow()
})

test("an ID token with the claims of a logout token is refused at sign-in", async () => {
  const op = openProvider()
  const events = { "http://schemas.openid.net/event/backchannel-logout": {} }
  op.inject({ idToken: (token) => ({ ...token, claims: { ...token.claims, events } }) })
  const { browser, log } = await asking(op)
  await browser.signInWith(op, { as: "ada" })
  expect(await browser.session()).toBeNull()
  expect(JSON.stringify(log.entries)).toContain("logout token")
})
