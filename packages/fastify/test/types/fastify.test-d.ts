import latchkey, {
  type AppSession,
  type Destination,
  requireSession,
  type Session,
  type UserAccount,
} from "@latchkey/fastify"
import GitHub from "@latchkey/fastify/providers/github"
import type { AuthConfig } from "@latchkey/fastify"
import Fastify, { type FastifyRequest } from "fastify"
import { expectTypeOf } from "vitest"

const config = {
  providers: [GitHub],
  callbacks: {
    jwt: ({ token }) => ({ ...token, role: "admin" }),
    session: async ({ session }) => ({ ...session, role: "admin" as const }),
  },
} satisfies AuthConfig

declare module "@latchkey/fastify" {
  interface Register {
    config: typeof config
  }
}

const app = Fastify()
await app.register(latchkey, config)
await app.register(latchkey, { ...config, prefix: "/api" })
// @ts-expect-error no such option
await app.register(latchkey, { ...config, provider: [] })

// The session has what the callback returns.
expectTypeOf<AppSession["role"]>().toEqualTypeOf<"admin">()
expectTypeOf<AppSession>().toExtend<Session>()

app.get<{ Params: { id: string } }>("/:id", { preHandler: requireSession }, async (request, reply) => {
  expectTypeOf(await request.getSession()).toEqualTypeOf<AppSession | null>()
  expectTypeOf(request.authSession.role).toEqualTypeOf<"admin">()
  expectTypeOf(await reply.update({ user: { name: "Ada" } })).toEqualTypeOf<AppSession | null>()
  expectTypeOf(await reply.csrfToken()).toBeString()
  expectTypeOf(await reply.signIn("github", { redirectTo: "/" })).toEqualTypeOf<void>()
  expectTypeOf(await reply.signIn("credentials", { redirect: false })).toEqualTypeOf<Destination>()
  expectTypeOf(await reply.signIn(undefined, { redirect: false })).toEqualTypeOf<Destination>()
  expectTypeOf(await reply.signOut({ redirect: false })).toEqualTypeOf<Destination>()
  return reply.signOut({ redirectTo: "/" })
})
app.get("/hooks", { onRequest: [requireSession] }, () => "")

expectTypeOf<FastifyRequest["authAccount"]>().toEqualTypeOf<UserAccount>()
