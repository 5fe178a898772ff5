import NextAuth, { CredentialsSignin, type NextAuthConfig, type Session, type User } from "@latchkey/next"
import type { Adapter } from "@latchkey/next/adapters"
import type { JWT } from "@latchkey/next/jwt"
import type { OAuthConfig, OAuthUserConfig, OIDCConfig, Provider } from "@latchkey/next/providers"
import credentials from "@latchkey/next/providers/credentials"
import email from "@latchkey/next/providers/email"
import GitHub, { type GitHubProfile } from "@latchkey/next/providers/github"
import Google from "@latchkey/next/providers/google"
import { type NextRequest, NextResponse } from "next/server.js"
import { expectTypeOf, test } from "vitest"

declare const adapter: Adapter
declare const providers: Provider[]

test("adapter and providers can be values or functions that load them", () => {
  const loaded = {
    adapter: () => Promise.resolve({ default: adapter }),
    providers: async () => ({ default: providers }),
  }
  expectTypeOf<NextAuthConfig>().toExtend<{ adapter?: unknown; providers: unknown }>()
  NextAuth({ adapter, providers })
  NextAuth(loaded)
  NextAuth({ adapter: () => adapter, providers: () => providers })
  NextAuth({ adapter: async () => adapter, providers: [] })
  NextAuth({ adapter: process.env["NEXT_RUNTIME"] === "edge" ? undefined : () => adapter, providers: [] })
  // @ts-expect-error: not an adapter
  NextAuth({ adapter: () => Promise.resolve({ default: { createUser: 1 } }), providers: [] })
  // @ts-expect-error: providers is required
  NextAuth({})
  // @ts-expect-error: unknown option
  NextAuth({ providers: [], sesion: {} })
})

test("authorized returns a boolean or a Response", () => {
  const answers: NonNullable<NextAuthConfig["callbacks"]>["authorized"][] = [
    ({ auth }) => !!auth,
    ({ request, auth }) => auth !== null || NextResponse.redirect(new URL("/login", request.nextUrl)),
    async ({ request }) => Response.json(request.nextUrl.pathname, { status: 403 }),
    () => undefined,
  ]
  expectTypeOf(answers).toBeArray()
  NextAuth({
    providers: [],
    callbacks: {
      authorized({ request, auth }) {
        expectTypeOf(request).toEqualTypeOf<NextRequest>()
        expectTypeOf(auth).toEqualTypeOf<Session | null>()
        return true
      },
    },
  })
  // @ts-expect-error: a string isn't allowed
  NextAuth({ providers: [], callbacks: { authorized: () => "/login" } })
})

test("the trigger narrows the parameters of jwt", () => {
  NextAuth({
    providers: [],
    callbacks: {
      jwt({ token, trigger, user, account, session }) {
        expectTypeOf(token).toEqualTypeOf<JWT>()
        if (trigger === "update") {
          expectTypeOf(session.user.name).toEqualTypeOf<string | null | undefined>()
          expectTypeOf(session["anything"]).toEqualTypeOf<unknown>()
        }
        if (trigger === "signIn") expectTypeOf(user).toExtend<User>()
        if (account) expectTypeOf(user.id).toEqualTypeOf<string | undefined>()
        if (trigger === undefined) expectTypeOf(user).toEqualTypeOf<undefined>()
        return token
      },
      session({ session, trigger, newSession }) {
        if (trigger === "update" && newSession.user.name === "") expectTypeOf(newSession.name).toExtend<unknown>()
        expectTypeOf(session.user.email).toEqualTypeOf<string | null | undefined>()
        return session
      },
    },
  })
})

test("providers are factories, results of calls, objects and functions", () => {
  interface Claims {
    readonly sub: string
    readonly nick: string
  }
  const annotated: OIDCConfig<Claims> = {
    id: "acme",
    name: "Acme",
    type: "oidc",
    profile: ({ sub, nick }) => ({ id: sub, name: nick }),
  }
  function Acme<P extends Claims>(options: OAuthUserConfig<P>): OAuthConfig<P> {
    return { id: "acme", name: "Acme", type: "oidc", profile: ({ sub }) => ({ id: sub }), options }
  }
  const list: Provider[] = [
    GitHub,
    Google({ clientId: "a", authorization: { params: { prompt: "consent" } } }),
    GitHub({ profile: (raw) => (expectTypeOf(raw).toEqualTypeOf<GitHubProfile>(), { id: String(raw.id) }) }),
    annotated,
    Acme({ clientId: "a" }),
    { id: "b", name: "B", type: "oauth", profile: (raw) => ({ id: String(raw["id"]) }) },
    () => ({ id: "c", name: "C", type: "oidc", issuer: "https://c.test" }),
    email({ sendVerificationRequest: ({ identifier, url }) => void [identifier, url] }),
    credentials({ authorize: () => null }),
  ]
  for (const provider of list) {
    const { id, name } = typeof provider === "function" ? provider() : provider
    expectTypeOf([id, name]).toEqualTypeOf<string[]>()
  }
  // @ts-expect-error: profile returns a user
  const wrong: Provider = { id: "b", name: "B", type: "oauth", profile: () => 1 }
  expectTypeOf(wrong).toExtend<Provider>()
})

test("the fields of an inline provider's profile are unknown", () => {
  NextAuth({
    providers: [
      {
        id: "b",
        name: "B",
        type: "oidc",
        profile(raw) {
          expectTypeOf(raw["sub"]).toEqualTypeOf<unknown>()
          return { id: String(raw["sub"]) }
        },
      },
    ],
  })
})

test("a subclass of CredentialsSignin has its own code", () => {
  class OutOfOrder extends CredentialsSignin {
    override code = "out-of-order"
  }
  expectTypeOf(new OutOfOrder().code).toEqualTypeOf<string>()
})

test("a declared configuration can be changed, and its providers can be spread and mapped", () => {
  const config: NextAuthConfig = { providers: [] }
  config.debug = true
  config.providers.push(GitHub)
  const extended: NextAuthConfig = { ...config, providers: [...config.providers, GitHub()] }
  const names = extended.providers.map((provider) => (typeof provider === "function" ? provider() : provider).name)
  expectTypeOf(names).toEqualTypeOf<string[]>()
  NextAuth(extended)
  NextAuth({ ...config, providers: async () => [...config.providers] })
})
