import NextAuth, { type NextAuthConfig, type NextAuthResult, type Session } from "@latchkey/next"
import type { JWT } from "@latchkey/next/jwt"
import { expectTypeOf, test } from "vitest"

/** `Awaited<ReturnType<…>>` would unwrap a session that is a promise. */
type SessionOf<R> = R extends NextAuthResult<infer S> ? S : never
type Role = "admin" | "member"

const roleOf = (token: JWT): Role => (token.sub === "1" ? "admin" : "member")
const base = { providers: [], session: { strategy: "jwt" } } satisfies NextAuthConfig
const typed: NextAuthConfig = { providers: [], callbacks: { authorized: ({ auth }) => auth?.user } }

const satisfied = {
  providers: [],
  callbacks: {
    jwt: async ({ token }) => ({ ...token, role: roleOf(token) }),
    session: async ({ session, token }) => ({ ...session, role: roleOf(token) }),
  },
} satisfies NextAuthConfig

function declared() {
  return {
    providers: [],
    callbacks: {
      async session({ session, token }: { session: Session; token: JWT }) {
        return { ...session, role: roleOf(token) }
      },
    },
  }
}

async function declaredAsync() {
  return declared()
}

/** All are applications: `auth` gives the role that `jwt` added and `session` copied. */
const eager = {
  both: NextAuth({
    providers: [],
    callbacks: {
      jwt: ({ token }) => ({ ...token, role: roleOf(token) }),
      session: ({ session, token }) => ({ ...session, role: token.role }),
    },
  }),
  asyncJwt: NextAuth({
    providers: [],
    callbacks: {
      jwt: async ({ token }) => ({ ...token, role: roleOf(token) }),
      session: ({ session, token }) => ({ ...session, role: token.role }),
    },
  }),
  asyncSession: NextAuth({
    providers: [],
    callbacks: {
      jwt: ({ token }) => ({ ...token, role: roleOf(token) }),
      session: async ({ session, token }) => ({ ...session, role: token.role }),
    },
  }),
  asyncBoth: NextAuth({
    providers: [],
    callbacks: {
      jwt: async ({ token }) => ({ ...token, role: roleOf(token) }),
      session: async ({ session, token }) => ({ ...session, role: token.role }),
    },
  }),
  methods: NextAuth({
    providers: [],
    callbacks: {
      async jwt({ token }) {
        return { ...token, role: roleOf(token) }
      },
      async session({ session, token }) {
        return { ...session, role: token.role }
      },
    },
  }),
  spread: NextAuth({
    ...base,
    callbacks: {
      jwt: async ({ token }) => ({ ...token, role: roleOf(token) }),
      session: async ({ session, token }) => ({ ...session, role: token.role }),
    },
  }),
  spreadTyped: NextAuth({
    ...typed,
    callbacks: {
      ...typed.callbacks,
      jwt: async ({ token }) => ({ ...token, role: roleOf(token) }),
      session: async ({ session, token }) => ({ ...session, role: token.role }),
    },
  }),
}
const lazy = {
  both: NextAuth(() => ({
    providers: [],
    callbacks: {
      jwt: ({ token }) => ({ ...token, role: roleOf(token) }),
      session: ({ session, token }) => ({ ...session, role: token.role }),
    },
  })),
  asyncJwt: NextAuth(() => ({
    providers: [],
    callbacks: {
      jwt: async ({ token }) => ({ ...token, role: roleOf(token) }),
      session: ({ session, token }) => ({ ...session, role: token.role }),
    },
  })),
  asyncSession: NextAuth(() => ({
    providers: [],
    callbacks: {
      jwt: ({ token }) => ({ ...token, role: roleOf(token) }),
      session: async ({ session, token }) => ({ ...session, role: token.role }),
    },
  })),
  asyncBoth: NextAuth(() => ({
    providers: [],
    callbacks: {
      jwt: async ({ token }) => ({ ...token, role: roleOf(token) }),
      session: async ({ session, token }) => ({ ...session, role: token.role }),
    },
  })),
  asyncConfig: NextAuth(async (request) => ({
    providers: [],
    secret: request?.headers.get("host") ?? "default",
    callbacks: {
      jwt: ({ token }) => ({ ...token, role: roleOf(token) }),
      session: ({ session, token }) => ({ ...session, role: token.role }),
    },
  })),
  asyncAll: NextAuth(async () => ({
    providers: [],
    callbacks: {
      jwt: async ({ token }) => ({ ...token, role: roleOf(token) }),
      session: async ({ session, token }) => ({ ...session, role: token.role }),
    },
  })),
  methods: NextAuth(async () => ({
    providers: [],
    callbacks: {
      async jwt({ token }) {
        return { ...token, role: roleOf(token) }
      },
      async session({ session, token }) {
        return { ...session, role: token.role }
      },
    },
  })),
  declared: NextAuth(declared),
  declaredAsync: NextAuth(declaredAsync),
  extended: NextAuth(async () => {
    const config = await declaredAsync()
    return { ...config, callbacks: { ...config.callbacks, signIn: () => true } }
  }),
  satisfied: NextAuth(async (request) => (request ? satisfied : { ...satisfied, debug: true })),
  spread: NextAuth(async () => ({
    ...base,
    callbacks: {
      jwt: async ({ token }) => ({ ...token, role: roleOf(token) }),
      session: async ({ session, token }) => ({ ...session, role: token.role }),
    },
  })),
  spreadTyped: NextAuth(() => ({
    ...typed,
    callbacks: {
      ...typed.callbacks,
      jwt: async ({ token }) => ({ ...token, role: roleOf(token) }),
      session: async ({ session, token }) => ({ ...session, role: token.role }),
    },
  })),
}

test("the role that async callbacks return has its type, whether the configuration is eager or lazy", () => {
  expectTypeOf<SessionOf<typeof eager.both>["role"]>().toEqualTypeOf<Role>()
  expectTypeOf<SessionOf<typeof eager.asyncJwt>["role"]>().toEqualTypeOf<Role>()
  expectTypeOf<SessionOf<typeof eager.asyncSession>["role"]>().toEqualTypeOf<Role>()
  expectTypeOf<SessionOf<typeof eager.asyncBoth>["role"]>().toEqualTypeOf<Role>()
  expectTypeOf<SessionOf<typeof eager.methods>["role"]>().toEqualTypeOf<Role>()
  expectTypeOf<SessionOf<typeof eager.spread>["role"]>().toEqualTypeOf<Role>()
  expectTypeOf<SessionOf<typeof eager.spreadTyped>["role"]>().toEqualTypeOf<Role>()
  expectTypeOf<SessionOf<typeof lazy.both>["role"]>().toEqualTypeOf<Role>()
  expectTypeOf<SessionOf<typeof lazy.asyncJwt>["role"]>().toEqualTypeOf<Role>()
  expectTypeOf<SessionOf<typeof lazy.asyncSession>["role"]>().toEqualTypeOf<Role>()
  expectTypeOf<SessionOf<typeof lazy.asyncBoth>["role"]>().toEqualTypeOf<Role>()
  expectTypeOf<SessionOf<typeof lazy.asyncConfig>["role"]>().toEqualTypeOf<Role>()
  expectTypeOf<SessionOf<typeof lazy.asyncAll>["role"]>().toEqualTypeOf<Role>()
  expectTypeOf<SessionOf<typeof lazy.methods>["role"]>().toEqualTypeOf<Role>()
  expectTypeOf<SessionOf<typeof lazy.declared>["role"]>().toEqualTypeOf<Role>()
  expectTypeOf<SessionOf<typeof lazy.declaredAsync>["role"]>().toEqualTypeOf<Role>()
  expectTypeOf<SessionOf<typeof lazy.extended>["role"]>().toEqualTypeOf<Role>()
  expectTypeOf<SessionOf<typeof lazy.satisfied>["role"]>().toEqualTypeOf<Role>()
  expectTypeOf<SessionOf<typeof lazy.spread>["role"]>().toEqualTypeOf<Role>()
  expectTypeOf<SessionOf<typeof lazy.spreadTyped>["role"]>().toEqualTypeOf<Role>()
})

test("`request.auth`, `requireSession` and `update` have it too", () => {
  lazy.asyncAll.auth((request) => {
    expectTypeOf(request.auth?.role).toEqualTypeOf<Role | undefined>()
    expectTypeOf(request.auth?.user?.name).toEqualTypeOf<string | null | undefined>()
  })
  expectTypeOf(lazy.asyncAll.requireSession()).resolves.toHaveProperty("role").toEqualTypeOf<Role>()
  expectTypeOf(lazy.asyncAll.update({})).resolves.toEqualTypeOf<SessionOf<typeof lazy.asyncAll> | null>()
})

test("an async callback that returns the session as it is", () => {
  const result = NextAuth(async () => ({
    providers: [],
    callbacks: {
      async session({ session, token }) {
        session.user.id = token.sub ?? ""
        return session
      },
    },
  }))
  expectTypeOf<SessionOf<typeof result>>().toExtend<Session>()
  result.auth((request) => {
    expectTypeOf(request.auth?.user.id).toEqualTypeOf<string | undefined>()
  })
})
