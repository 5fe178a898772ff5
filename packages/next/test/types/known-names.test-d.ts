import NextAuth, { type LazyNextAuthConfig, type NextAuthConfig, type NextAuthResult } from "@latchkey/next"
import type { AuthConfig } from "@latchkey/core"
import type { OAuthConfig, OAuthUserConfig, Provider } from "@latchkey/next/providers"
import credentials from "@latchkey/next/providers/credentials"
import GitHub from "@latchkey/next/providers/github"
import Google from "@latchkey/next/providers/google"
import Resend from "@latchkey/next/providers/resend"
import { expectTypeOf, test } from "vitest"

declare const anyId: string
declare const list: Provider[]

test("an unknown option doesn't compile, in an object or in what a function returns", () => {
  // @ts-expect-error: unknown option
  NextAuth({ providers: [], sesion: {} })
  // @ts-expect-error: unknown option
  NextAuth({ providers: [GitHub], callbacks: { session: ({ session }) => ({ ...session, tenant: 7 }) }, sesion: {} })
  // @ts-expect-error: unknown option
  NextAuth(() => ({ providers: [], sesion: {} }))
  // @ts-expect-error: unknown option
  NextAuth(async () => ({ providers: [], sesion: {} }))
  // @ts-expect-error: unknown option
  NextAuth((request) => ({ providers: [], secret: request?.method ?? "", sesion: {} }))
})

test("what compiled before compiles", () => {
  const shared = { providers: [GitHub], appName: "Shop", tenants: { a: 1 } }
  NextAuth(shared)
  NextAuth(() => shared)
  NextAuth(async () => ({ ...shared, debug: true }))
  const core: AuthConfig = { providers: [] }
  const own: LazyNextAuthConfig = { providers: async () => list }
  NextAuth(() => ({ ...core, pages: {} }))
  NextAuth(async () => core)
  NextAuth(() => own)
  NextAuth(() => ({ providers: [], session: undefined, debug: true }))
  NextAuth({ ...core, providers: [...list, GitHub] })
})

test("the id of a provider is known", async () => {
  const { signIn } = NextAuth({
    providers: [GitHub, Google({ clientId: "c" }), credentials({ authorize: () => null }), Resend({ from: "x" })],
  })
  await signIn("github")
  await signIn("google", { redirectTo: "/" }, { prompt: "login" })
  await signIn("resend", new FormData())
  expectTypeOf(await signIn("credentials", { redirect: false })).toEqualTypeOf<string>()
  // @ts-expect-error: no such provider
  await signIn("gihub")
  // @ts-expect-error: no such provider
  await signIn("gihub", { redirect: false })
  // @ts-expect-error: one of them is no provider
  await signIn(anyId === "" ? "github" : "gitlab")
})

test("an argument that isn't a literal can be any id, and none is needed", async () => {
  const { signIn } = NextAuth({ providers: [GitHub] })
  await signIn(anyId)
  await signIn(undefined, { redirectTo: "/" })
  await signIn()
  await signIn(anyId as string | undefined, {})
  for (const { id } of [{ id: "github" }]) await signIn(id)
  const action = signIn.bind(null, "github")
  expectTypeOf(action).toBeFunction()
  const form: (data: FormData) => Promise<void> = async (data) => signIn("github", data)
  expectTypeOf(form).toBeFunction()
})

test("an id in the options, and that of an inline provider, is known too", async () => {
  const { signIn } = NextAuth({
    providers: [
      GitHub({ id: "work", clientId: undefined }),
      {
        id: "acme",
        name: "Acme",
        type: "oidc",
        profile: (raw) => (expectTypeOf(raw["sub"]).toEqualTypeOf<unknown>(), { id: "x" }),
      },
    ],
  })
  await signIn("work")
  await signIn("acme")
  // @ts-expect-error: it has another id
  await signIn("github")
})

test("a configuration function and a function that loads providers have known ids", async () => {
  const { signIn } = NextAuth(async () => ({ providers: [GitHub], callbacks: { session: () => ({ tenant: "a" }) } }))
  await signIn("github")
  // @ts-expect-error: no such provider
  await signIn("gihub")
  const lazy = NextAuth({ providers: async () => ({ default: [GitHub] }) })
  await lazy.signIn("github")
  // @ts-expect-error: no such provider
  await lazy.signIn("gihub")
})

test("any literal compiles if one id isn't known", async () => {
  interface Claims {
    readonly sub: string
  }
  function Own(options: OAuthUserConfig<Claims>): OAuthConfig<Claims> {
    return { id: "own", name: "Own", type: "oidc", options }
  }
  const annotated: NextAuthConfig = { providers: [GitHub] }
  const configurations: readonly (readonly [NextAuthResult["signIn"], ...unknown[]])[] = [
    [NextAuth({ providers: list }).signIn],
    [NextAuth({ providers: [] }).signIn],
    [NextAuth({ providers: [GitHub, Own({})] }).signIn],
    [NextAuth({ providers: [GitHub, ...list] }).signIn],
    [NextAuth({ providers: [GitHub, GitHub({ id: anyId })] }).signIn],
    [NextAuth({ providers: [GitHub, () => ({ id: anyId, name: "C", type: "oidc" })] }).signIn],
    [NextAuth(annotated).signIn],
    [NextAuth(() => annotated).signIn],
  ]
  for (const [signIn] of configurations) await signIn("anything")
  await NextAuth({ providers: [GitHub, Own({})] }).signIn("own")
  await NextAuth({ providers: [GitHub, GitHub({ id: anyId })] }).signIn("own")
  await NextAuth({ providers: [GitHub, () => ({ id: anyId, name: "C", type: "oidc" })] }).signIn("own")
  await NextAuth({ providers: list }).signIn("own")
  await NextAuth({ providers: [] }).signIn("own")
  await NextAuth(annotated).signIn("own")
})

test("the result can be annotated without the ids", () => {
  const known = NextAuth({ providers: [GitHub] })
  const whole: NextAuthResult = known
  const signIn: NextAuthResult["signIn"] = known.signIn
  const direct: NextAuthResult = NextAuth({ providers: [GitHub] })
  expectTypeOf([whole.signIn, signIn, direct.signIn]).toBeArray()
})

test("options that are passed on as a whole keep their types", () => {
  const options: OAuthUserConfig = { clientId: "c" }
  NextAuth({ providers: [GitHub(options), GitHub({ ...options, clientSecret: "s" })] })
  const config = { providers: [GitHub, Google] } satisfies NextAuthConfig
  NextAuth({ ...config, providers: [...config.providers, credentials({ authorize: () => null })] })
})
