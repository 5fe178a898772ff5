import NextAuth, { type DefaultSession } from "@latchkey/next"
import type { AdapterUser } from "@latchkey/next/adapters"
import type { JWT } from "@latchkey/next/jwt"
import { expectTypeOf, test } from "vitest"

declare module "@latchkey/next" {
  interface User {
    role?: "admin" | "member"
  }
  interface Session {
    readonly accessToken?: string
    user: { id: string; address?: string } & DefaultSession["user"]
  }
  interface Account {
    tenant?: string
  }
  interface Profile {
    groups?: string[]
  }
}

declare module "@latchkey/next/jwt" {
  interface JWT {
    plan?: "free" | "paid"
  }
}

const { auth, requireSession } = NextAuth({
  providers: [],
  callbacks: {
    signIn: ({ profile, account }) => {
      expectTypeOf(profile?.groups).toEqualTypeOf<string[] | undefined>()
      expectTypeOf(account?.tenant).toEqualTypeOf<string | undefined>()
      return true
    },
    jwt({ token, user, trigger, session }) {
      expectTypeOf(token.plan).toEqualTypeOf<"free" | "paid" | undefined>()
      expectTypeOf(user?.role).toEqualTypeOf<"admin" | "member" | undefined>()
      if (trigger === "update" && session.plan) token.plan = session.plan
      return token
    },
    session({ session, token, user }) {
      expectTypeOf(token).toEqualTypeOf<JWT>()
      expectTypeOf(user).toEqualTypeOf<AdapterUser>()
      session.user.id = token.sub ?? ""
      session.user.address = "1 High Street"
      return session
    },
  },
})

test("fields added to the interfaces of the package have types everywhere", () => {
  expectTypeOf(requireSession()).resolves.toHaveProperty("accessToken").toEqualTypeOf<string | undefined>()
  auth(({ auth: session }) => {
    expectTypeOf(session?.user.id).toEqualTypeOf<string | undefined>()
    expectTypeOf(session?.user.address).toEqualTypeOf<string | undefined>()
    expectTypeOf(session?.user.role).toEqualTypeOf<"admin" | "member" | undefined>()
  })
})

test("they also have types without callbacks", () => {
  const plain = NextAuth({ providers: [] })
  expectTypeOf(plain.requireSession()).resolves.toHaveProperty("user").toHaveProperty("id").toEqualTypeOf<string>()
})
