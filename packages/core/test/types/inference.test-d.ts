import { Auth, type AuthConfig, type Session } from "@latchkey/core"
import credentials from "@latchkey/core/providers/credentials"
import { createServer, type SessionView } from "@latchkey/core/server"
import { expectTypeOf, test } from "vitest"

const secret = "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fG"
const visitor = { headers: new Headers() }

test("the session has the type that the session callback returns, and the callback knows what jwt returned", () => {
  const server = createServer({
    secret,
    providers: [],
    callbacks: {
      jwt: ({ token }) => ({ ...token, role: "admin" as const }),
      session: ({ session, token }) => ({ ...session, role: token.role }),
    },
  })
  expectTypeOf(server.session(visitor)).resolves.toHaveProperty("session")
  expectTypeOf<NonNullable<Awaited<ReturnType<typeof server.session>>["session"]>["role"]>().toEqualTypeOf<"admin">()
})

test("without a session callback it is the Session of the application", () => {
  const server = createServer({ secret, providers: [] })
  expectTypeOf(server.session(visitor)).resolves.toEqualTypeOf<SessionView<Session>>()
})

test("a configuration found per visitor keeps the types of its callbacks", () => {
  const server = createServer(async () => ({ secret, providers: [], callbacks: { session: () => ({ tenant: 7 }) } }))
  expectTypeOf<Awaited<ReturnType<typeof server.session>>["session"]>().toEqualTypeOf<{ tenant: number } | null>()
})

test("an async session callback of an async configuration has the type that it resolves to", () => {
  async function find() {
    return { secret, providers: [], callbacks: { session: async () => ({ tenant: 7 }) } }
  }
  const server = createServer(find)
  expectTypeOf(server.session(visitor)).resolves.toEqualTypeOf<SessionView<{ tenant: number }>>()
})

test("authorize gets the fields of its form", () => {
  credentials({
    credentials: { name: { label: "Name" }, password: { type: "password" } },
    authorize(typed) {
      expectTypeOf(typed).toHaveProperty("password").toEqualTypeOf<unknown>()
      // @ts-expect-error: no such field
      void typed.pin
      return null
    },
  })
})

test("a configuration may be annotated, frozen, and passed on", () => {
  const config: AuthConfig = Object.freeze({ secret: [secret], trustHost: ["app.example"], providers: [] })
  expectTypeOf(Auth(new Request("https://app.example/auth/session"), config)).resolves.toEqualTypeOf<Response>()
})
