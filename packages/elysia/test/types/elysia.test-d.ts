import { type Destination, latchkey, type LatchkeyConfig, type Session, type UserAccount } from "@latchkey/elysia"
import GitHub from "@latchkey/elysia/providers/github"
import { Elysia } from "elysia"
import { expectTypeOf } from "vitest"

const config = {
  providers: [GitHub],
  callbacks: {
    jwt: ({ token }) => ({ ...token, role: "admin" }),
    session: async ({ session }) => ({ ...session, role: "admin" as const }),
  },
} satisfies LatchkeyConfig

// The session has what the callback returns.
new Elysia()
  .use(latchkey(config))
  .get("/", async ({ auth }) => {
    expectTypeOf((await auth.getSession())?.role).toEqualTypeOf<"admin" | undefined>()
    expectTypeOf(await auth.csrfToken()).toBeString()
    expectTypeOf((await auth.update({ user: { name: "Ada" } }))?.role).toEqualTypeOf<"admin" | undefined>()
    expectTypeOf(await auth.signIn("github", { redirectTo: "/" })).toEqualTypeOf<Response>()
    expectTypeOf(await auth.signIn("github", { redirect: false })).toEqualTypeOf<Destination>()
    expectTypeOf(await auth.signOut({ redirect: false })).toEqualTypeOf<Destination>()
    expectTypeOf(auth.account).toEqualTypeOf<UserAccount>()
    return auth.signOut({ redirectTo: "/" })
  })
  .get("/account", ({ session }) => expectTypeOf(session.role).toEqualTypeOf<"admin">(), { requireSession: true })
  // @ts-expect-error only the guard provides the session
  .get("/open", ({ session }) => session)
  // @ts-expect-error no such value
  .get("/wrong", () => "", { requireSession: "yes" })

// Without a callback, it's the session of the application, in modules of it too.
const auth = latchkey(async () => ({ providers: [GitHub] }))
new Elysia({ prefix: "/api" }).use(auth).guard({ requireSession: true }, (app) =>
  app.get("/", ({ session }) => {
    expectTypeOf(session).toEqualTypeOf<Session>()
    return session
  }),
)

// @ts-expect-error no such option
latchkey({ providers: [], provider: [] })
